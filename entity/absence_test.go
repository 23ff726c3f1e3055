package entity_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

type (
	// sheet has fields of most kinds that can be absent.
	sheet struct {
		_     entity.Key     `type:"sheet" pk:"D#<id>" sk:"D"`
		_     entity.Index   `name:"by-owner" on:"GSI1" pk:"O#<owner>" sk:"D#<id>"`
		ID    string         `dynamodbav:"id"`
		Owner *string        `dynamodbav:"owner"`
		Note  *string        `dynamodbav:"note"`
		Twin  *string        `dynamodbav:"twin"`
		Text  string         `dynamodbav:"text,omitempty"`
		Count int            `dynamodbav:"count"`
		Limit *int           `dynamodbav:"limit"`
		Words []string       `dynamodbav:"words"`
		Tags  []string       `dynamodbav:"tags,stringset"`
		Nums  []int          `dynamodbav:"nums,numberset,omitempty"`
		Sums  map[string]int `dynamodbav:"sums"`
		Work  *sheetWork     `dynamodbav:"work"`
		Blob  []byte         `dynamodbav:"blob"`
	}
	sheetWork struct {
		City *string  `dynamodbav:"city"`
		Zip  *int     `dynamodbav:"zip"`
		Tags []string `dynamodbav:"tags,stringset"`
	}
	// ledgerPage is a sheet with a version.
	ledgerPage struct {
		_       entity.Key   `type:"ledgerPage" pk:"K#<id>" sk:"K"`
		_       entity.Index `name:"by-owner" on:"GSI1" pk:"KO#<owner>" sk:"<note>#<level:ord>#<id>"`
		ID      string       `dynamodbav:"id"`
		Owner   *string      `dynamodbav:"owner"`
		Note    *string      `dynamodbav:"note"`
		Level   int          `dynamodbav:"level"`
		Words   []string     `dynamodbav:"words"`
		Version int64        `dynamodbav:"version" entity:"version"`
	}
)

var (
	absences    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	sheets      = entity.Define[sheet](absences)
	ledgerPages = entity.Define[ledgerPage](absences)

	dOwner   = attr.Must(func(d *sheet) **string { return &d.Owner })
	dNote    = attr.Must(func(d *sheet) **string { return &d.Note })
	dTwin    = attr.Must(func(d *sheet) **string { return &d.Twin })
	dText    = attr.Must(func(d *sheet) *string { return &d.Text })
	dCount   = attr.Must(func(d *sheet) *int { return &d.Count })
	dLimit   = attr.Must(func(d *sheet) *int { return d.Limit })
	dWords   = attr.Must(func(d *sheet) *[]string { return &d.Words })
	dTags    = attr.Must(func(d *sheet) *[]string { return &d.Tags })
	dNums    = attr.Must(func(d *sheet) *[]int { return &d.Nums })
	dSums    = attr.Must(func(d *sheet) *map[string]int { return &d.Sums })
	dWork    = attr.Must(func(d *sheet) **sheetWork { return &d.Work })
	dBlob    = attr.Must(func(d *sheet) *[]byte { return &d.Blob })
	dCity    = attr.Must(func(d *sheet) **string { return &d.Work.City })
	dZip     = attr.Must(func(d *sheet) *int { return d.Work.Zip })
	dZipPtr  = attr.Must(func(d *sheet) **int { return &d.Work.Zip })
	dTagged  = attr.Must(func(d *sheet) *[]string { return &d.Work.Tags })
	keptNote = attr.Must(func(k *ledgerPage) **string { return &k.Note })
	keptLvl  = attr.Must(func(k *ledgerPage) *int { return &k.Level })
	keptList = attr.Must(func(k *ledgerPage) *[]string { return &k.Words })
)

// absenceRun compares two items that differ only in what is absent in one and NULL in the other.
type absenceRun struct {
	*rand.Rand
	client   *dynamodb.Client
	table    *entity.Table
	requests *atomic.Int64
	reached  map[string]int
}

func newAbsenceRun(t *testing.T, e engines.Engine, options ...func(*dynamodb.Options)) *absenceRun {
	t.Helper()
	r := &absenceRun{Rand: testrand.New(t), requests: new(atomic.Int64), reached: map[string]int{}}
	count := func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
			return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("count", func(
				ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
			) (middleware.InitializeOutput, middleware.Metadata, error) {
				r.requests.Add(1)
				return next.HandleInitialize(ctx, in)
			}), middleware.Before)
		})
	}
	r.client = e.Client(t, append(options, count)...)
	var err error
	r.table, err = absences.Open(r.client, "table")
	require.NoError(t, err)
	require.NoError(t, r.table.Create(t.Context()))
	return r
}

func (r *absenceRun) one(in int) bool { return r.IntN(in) == 0 }

var nullAttribute = &types.AttributeValueMemberNULL{Value: true}

// twins returns the same values with nothing absent, and with nothing as NULL or absent.
func (r *absenceRun) twins(values map[string]func() types.AttributeValue) (absent, null map[string]types.AttributeValue) {
	absent, null = map[string]types.AttributeValue{}, map[string]types.AttributeValue{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if r.one(2) {
			av := values[name]()
			absent[name], null[name] = av, av
		} else if !r.one(3) {
			null[name] = nullAttribute
		}
	}
	return absent, null
}

func (r *absenceRun) text() *string {
	s := []string{"a", "b", "c", ""}[r.IntN(4)]
	return &s
}

func (r *absenceRun) maybe() *string {
	if r.one(2) {
		return nil
	}
	return r.text()
}

func (r *absenceRun) sheetItems() (absent, null map[string]types.AttributeValue) {
	s := func() types.AttributeValue { return &types.AttributeValueMemberS{Value: *r.text()} }
	n := func() types.AttributeValue { return &types.AttributeValueMemberN{Value: fmt.Sprint(r.IntN(3))} }
	ss := func() types.AttributeValue {
		return &types.AttributeValueMemberSS{Value: []string{"x", "y"}[r.IntN(2):]}
	}
	l := func() types.AttributeValue {
		return &types.AttributeValueMemberL{Value: []types.AttributeValue{s(), s()}[r.IntN(3):]}
	}
	values := map[string]func() types.AttributeValue{
		"note": s, "twin": s, "text": s, "count": n, "limit": n, "words": l, "tags": ss,
		"nums": func() types.AttributeValue { return &types.AttributeValueMemberNS{Value: []string{"1", "2"}} },
		"blob": func() types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(*r.text())} },
	}
	absent, null = r.twins(values)
	for name, inner := range map[string]map[string]func() types.AttributeValue{
		"sums": {"k": n, "l": n}, "work": {"city": s, "zip": n, "tags": ss},
	} {
		switch a, b := r.twins(inner); {
		case !r.one(3):
			absent[name], null[name] = &types.AttributeValueMemberM{Value: a}, &types.AttributeValueMemberM{Value: b}
		case r.one(2):
			null[name] = nullAttribute
		}
	}
	return absent, null
}

// store puts an item as another program does.
func (r *absenceRun) store(t *testing.T, item map[string]types.AttributeValue, pk, sk, id string) {
	t.Helper()
	item = maps.Clone(item)
	for name, text := range map[string]string{"PK": pk, "SK": sk, "id": id, "_type": map[string]string{"D": "sheet", "K": "ledgerPage"}[sk]} {
		item[name] = &types.AttributeValueMemberS{Value: text}
	}
	_, err := r.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("table"), Item: item})
	require.NoError(t, err)
}

func (r *absenceRun) cond(depth int) (attr.Cond[sheet], string) {
	if depth > 0 {
		a, x := r.cond(depth - 1)
		b, y := r.cond(depth - 1)
		switch r.IntN(4) {
		case 0:
			return attr.Not(a), "Not(" + x + ")"
		case 1:
			return attr.Or(a, b), x + " or " + y
		case 2:
			return attr.And(a, b), x + " and " + y
		}
	}
	type named struct {
		cond attr.Cond[sheet]
		name string
	}
	note, n := r.maybe(), r.IntN(3)
	all := []named{
		{dNote.Exists(), "Exists"},
		{dNote.NotExists(), "NotExists"},
		{dTags.Exists(), "Exists set"},
		{dWork.NotExists(), "NotExists map"},
		{dZipPtr.Exists(), "Exists nested"},
		{dTagged.NotExists(), "NotExists nested set"},
		{attr.Key(dSums, "k").Exists(), "Exists entry"},
		{dNote.Eq(note), "Eq"},
		{dNote.Ne(note), "Ne"},
		{dNote.In(r.maybe(), r.maybe(), note), "In"},
		{dWords.Eq(nil), "Eq nil list"},
		{dTags.Eq([]string{}), "Eq empty set"},
		{dTags.Ne(nil), "Ne nil set"},
		{dSums.Eq(nil), "Eq nil map"},
		{dWork.Ne(nil), "Ne nil struct"},
		{dBlob.Eq(nil), "Eq nil bytes"},
		{dBlob.Eq([]byte{}), "Eq empty bytes"},
		{dText.Eq("a"), "Eq text"},
		{dText.Ne("a"), "Ne text"},
		{dCity.Eq(note), "Eq nested"},
		{dCity.In(nil), "In nil"},
		{attr.Compare(dNote, dTwin).Eq(), "EqField"},
		{attr.Compare(dNote, dTwin).Ne(), "NeField"},
		{attr.Compare(dNote, dCity).Eq(), "EqField nested"},
		{dCount.Lt(n), "Lt"},
		{dLimit.Ge(n), "Ge"},
		{dCount.Between(0, n), "Between"},
		{attr.Contains(dTags, "x"), "Contains set"},
		{attr.Contains(dWords, "a"), "Contains list"},
		{attr.ContainsText(dText, "a"), "ContainsText"},
		{attr.BeginsWith(dText, "a"), "BeginsWith"},
		{attr.Size(dWords).Ge(n), "Size list"},
		{attr.Size(dTags).Ne(n), "Size set"},
		{attr.Size(dText).Eq(n), "Size text"},
		{dText.IsType(attr.String), "IsType"},
		{attr.At(dWords, 0).Exists(), "Exists element"},
	}
	c := all[r.IntN(len(all))]
	r.reached[c.name]++
	return c.cond, c.name
}

func (r *absenceRun) change() (attr.Change[sheet], string) {
	type named struct {
		change attr.Change[sheet]
		name   string
	}
	work := &sheetWork{City: r.maybe()}
	all := []named{
		{dNote.Set(r.maybe()), "Set"},
		{dNote.SetIfAbsent(r.maybe()), "SetIfAbsent"},
		{dNote.Remove(), "Remove"},
		{attr.Add(dCount, 1), "Add"},
		{attr.Add(dLimit, 2), "Add to pointer"},
		{attr.Add(dZip, 3), "Add nested"},
		{attr.Add(attr.Key(dSums, "k"), 4), "Add to entry"},
		{attr.Append(dWords, "p"), "Append"},
		{attr.Prepend(dWords, "q"), "Prepend"},
		{dWords.SetIfAbsent([]string{}), "SetIfAbsent empty list"},
		{dWords.Set([]string{}), "Set empty list"},
		{attr.At(dWords, 0).Set("r"), "Set element"},
		{attr.SetAdd(dTags, "z"), "SetAdd"},
		{attr.SetAdd(dNums, 9), "SetAdd numbers"},
		{attr.SetAdd(dTagged, "z"), "SetAdd nested"},
		{attr.SetDelete(dTags, "x", "y"), "SetDelete"},
		{dTags.Set([]string{}), "Set empty set"},
		{attr.Key(dSums, "k").Set(5), "Set entry"},
		{attr.Key(dSums, "l").SetIfAbsent(6), "SetIfAbsent entry"},
		{dSums.SetIfAbsent(map[string]int{}), "SetIfAbsent empty map"},
		{dCity.Set(r.maybe()), "Set nested"},
		{dCity.SetIfAbsent(r.text()), "SetIfAbsent nested"},
		{dWork.SetIfAbsent(work), "SetIfAbsent struct"},
		{dBlob.SetIfAbsent([]byte{}), "SetIfAbsent bytes"},
		{dOwner.SetIfAbsent(r.maybe()), "SetIfAbsent of an index key"},
		{dOwner.Set(r.maybe()), "Set of an index key"},
	}
	c := all[r.IntN(len(all))]
	r.reached[c.name]++
	return c.change, c.name
}

// outcome is what a call did: its kind of error, the item it returned, and the stored item without
// its key and without NULL.
type outcome struct {
	kind   error
	found  []bool
	stored any
}

// errAnother stands for an error of no kind, such as a validation error of DynamoDB.
var errAnother = errors.New("another error")

var kinds = []error{trestle.ErrNotFound, trestle.ErrExists, trestle.ErrStale, trestle.ErrCondition, trestle.ErrUnknown, trestle.ErrInvalid, trestle.ErrLimit}

func (r *absenceRun) outcome(t *testing.T, err error, pk, sk string, found ...bool) outcome {
	t.Helper()
	o := outcome{found: found}
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			o.kind = kind
		}
	}
	if err != nil && o.kind == nil {
		o.kind = errAnother
	}
	out, err := r.client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("table"), ConsistentRead: aws.Bool(true), Key: map[string]types.AttributeValue{
		"PK": &types.AttributeValueMemberS{Value: pk}, "SK": &types.AttributeValueMemberS{Value: sk},
	}})
	require.NoError(t, err)
	for _, name := range []string{"PK", "id", "GSI1SK", "_w"} {
		delete(out.Item, name)
	}
	// An Upsert stores 0 for a plain number that is absent and leaves NULL, which is read as 0.
	for _, name := range []string{"count", "level"} {
		if v, number := out.Item[name].(*types.AttributeValueMemberN); number && v.Value == "0" {
			delete(out.Item, name)
		}
	}
	o.stored = plainValue(&types.AttributeValueMemberM{Value: out.Item})
	return o
}

// plainValue converts a value for comparisons. It drops NULL, except in lists, and the order of
// sets.
func plainValue(av types.AttributeValue) any {
	switch v := av.(type) {
	case *types.AttributeValueMemberM:
		m := map[string]any{}
		for name, e := range v.Value {
			if _, null := e.(*types.AttributeValueMemberNULL); !null {
				m[name] = plainValue(e)
			}
		}
		return m
	case *types.AttributeValueMemberL:
		l := []any{}
		for _, e := range v.Value {
			l = append(l, plainValue(e))
		}
		return l
	case *types.AttributeValueMemberSS:
		return "SS" + fmt.Sprint(slices.Sorted(slices.Values(v.Value)))
	case *types.AttributeValueMemberNS:
		return "NS" + fmt.Sprint(slices.Sorted(slices.Values(v.Value)))
	default:
		return fmt.Sprintf("%T %v", av, reflect.ValueOf(av).Elem().FieldByName("Value"))
	}
}

// sheetCall returns a random call for an item, and its name.
func (r *absenceRun) sheetCall() (call func(ctx context.Context, id string) ([]bool, error), name string) {
	repo := sheets.In(r.table)
	cond, x := r.cond(r.IntN(2))
	var changes []attr.Change[sheet]
	names := []string{}
	for range 1 + r.IntN(2) {
		c, y := r.change()
		changes, names = append(changes, c), append(names, y)
	}
	y := strings.Join(names, ", ")
	switch r.IntN(8) {
	case 0:
		return func(ctx context.Context, id string) ([]bool, error) {
			return nil, repo.Delete(ctx, sheet{ID: id}, cond)
		}, "Delete if " + x
	case 1:
		put := sheet{Note: r.maybe(), Tags: []string{}}
		return func(ctx context.Context, id string) ([]bool, error) {
			own := put
			own.ID = id
			return nil, repo.Put(ctx, &own, cond)
		}, "Put if " + x
	case 2: // filters, in the request and on arrival
		return func(ctx context.Context, id string) ([]bool, error) {
			list, err := query.Of(repo, sheet{ID: id}).Filter(cond).Collect(ctx)
			return []bool{len(list) > 0}, err
		}, "Filter " + x
	case 3:
		return func(ctx context.Context, id string) ([]bool, error) {
			return nil, tx.Write(ctx, repo.Op().Update(sheet{ID: id}, changes[0], attr.If(cond)), repo.Op().Create(&sheet{ID: "new " + id}))
		}, "tx of Update " + names[0] + " if " + x
	case 4:
		return func(ctx context.Context, id string) ([]bool, error) {
			_, err := repo.Upsert(ctx, sheet{ID: id}, changes[0], changes[1:]...)
			return nil, err
		}, "Upsert " + y
	case 5:
		return func(ctx context.Context, id string) ([]bool, error) {
			_, err := repo.With(entity.ReadFirst()).Update(ctx, sheet{ID: id}, changes[0], append(changes[1:], attr.If(cond))...)
			return nil, err
		}, "ReadFirst Update " + y + " if " + x
	default:
		return func(ctx context.Context, id string) ([]bool, error) {
			_, err := repo.Update(ctx, sheet{ID: id}, changes[0], append(changes[1:], attr.If(cond))...)
			return nil, err
		}, "Update " + y + " if " + x
	}
}

// differences counts the calls whose results differ between the twins.
func (r *absenceRun) differences(t *testing.T, n int) (different int) {
	t.Helper()
	compare := func(name string, before any, a, b outcome) {
		if !errors.Is(a.kind, b.kind) || !slices.Equal(a.found, b.found) || !reflect.DeepEqual(a.stored, b.stored) {
			different++
			t.Logf("%s on %v:\nabsent: %v\nNULL:   %v", name, before, a, b)
		}
	}
	for i := range n {
		absent, null := r.sheetItems()
		ids := [2]string{fmt.Sprint("a", i), fmt.Sprint("n", i)}
		call, name := r.sheetCall()
		var got [2]outcome
		var read [2]sheet
		for k, item := range []map[string]types.AttributeValue{absent, null} {
			r.store(t, item, "D#"+ids[k], "D", ids[k])
			var err error
			read[k], err = sheets.In(r.table).Get(t.Context(), sheet{ID: ids[k]})
			require.NoError(t, err)
			read[k].ID, read[k].Sums = "", nil // the entries of a Go map show which names are stored
			before := r.requests.Load()
			found, err := call(t.Context(), ids[k])
			if k == 0 && !strings.HasPrefix(name, "ReadFirst") {
				require.Equal(t, int64(1), max(r.requests.Load()-before, 1), "%s of an item without NULL is one request", name)
			}
			got[k] = r.outcome(t, err, "D#"+ids[k], "D", found...)
		}
		require.Equal(t, read[0], read[1], "NULL is read as nil")
		compare(name, null, got[0], got[1])

		s := func() types.AttributeValue { return &types.AttributeValueMemberS{Value: "s"} }
		absent, null = r.twins(map[string]func() types.AttributeValue{
			"note": s, "level": func() types.AttributeValue { return &types.AttributeValueMemberN{Value: "1"} },
			"words": func() types.AttributeValue { return &types.AttributeValueMemberL{Value: []types.AttributeValue{s()}} },
		})
		if r.one(2) {
			absent["version"], null["version"] = &types.AttributeValueMemberN{Value: "1"}, &types.AttributeValueMemberN{Value: "1"}
		}
		keptCall, name := r.keptCall()
		for k, item := range []map[string]types.AttributeValue{absent, null} {
			r.store(t, item, "K#"+ids[k], "K", ids[k])
			got[k] = r.outcome(t, keptCall(t, ids[k]), "K#"+ids[k], "K")
		}
		compare(name, null, got[0], got[1])
	}
	return different
}

// keptCall returns a random call with the example as it was read, or without a version.
func (r *absenceRun) keptCall() (call func(t *testing.T, id string) error, name string) {
	repo := ledgerPages.In(r.table)
	changes := map[string]attr.Change[ledgerPage]{
		"Set of an index key": keptNote.Set(r.text()), "Append": attr.Append(keptList, "w"), "Set level": keptLvl.Set(2), "SetIfAbsent": keptNote.SetIfAbsent(r.text()),
	}
	what := slices.Sorted(maps.Keys(changes))[r.IntN(len(changes))]
	r.reached["ledgerPage "+what]++
	how := r.IntN(4)
	return func(t *testing.T, id string) error {
		t.Helper()
		example, err := repo.Get(t.Context(), ledgerPage{ID: id})
		require.NoError(t, err)
		switch how {
		case 0:
			_, err = repo.Update(t.Context(), example, changes[what])
		case 1:
			_, err = repo.With(entity.AsRead()).Update(t.Context(), example, changes[what])
		case 2:
			_, err = repo.With(entity.AsRead()).Upsert(t.Context(), example, changes[what])
		default:
			_, err = repo.With(entity.ReadFirst()).Update(t.Context(), ledgerPage{ID: id}, changes[what])
		}
		return err
	}, fmt.Sprintf("%s of ledgerPage, way %d", what, how)
}

// Every condition and every change has the same result for an attribute or a member that is absent
// and for one that is NULL, and an item without NULL takes one request.
func TestNullCountsAsAbsent(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := newAbsenceRun(t, e)
		require.Zero(t, r.differences(t, e.Size(120, 600, 20_000)))
		require.Greater(t, len(r.reached), 50, r.reached)
	})
}

package attr_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// testTable is a table with items of one type.
type testTable[T any] struct {
	client *dynamodb.Client
	plan   *core.Plan
}

func newTestTable[T any](t *testing.T) testTable[T] { return testTable[T]{newTable(t), plan[T](t)} }

func itemKey(id string) codec.Item {
	return codec.Item{"PK": &types.AttributeValueMemberS{Value: id}, "SK": &types.AttributeValueMemberS{Value: "#"}}
}

// item returns what Put stores for a value.
func (s testTable[T]) item(t *testing.T, id string, x *T) codec.Item {
	t.Helper()
	item := itemKey(id)
	require.NoError(t, s.plan.Shape.Encode(codec.PtrTo(x), item))
	return item
}

func (s testTable[T]) put(t *testing.T, id string, x *T) {
	t.Helper()
	_, err := s.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: s.item(t, id, x)})
	require.NoError(t, err)
}

// update sends an update expression and returns the item after it.
func (s testTable[T]) update(t *testing.T, id, text string, b *expr.Builder) (codec.Item, error) {
	t.Helper()
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String(tableName), Key: itemKey(id), ReturnValues: types.ReturnValueAllNew,
		ExpressionAttributeNames: b.Names(), ExpressionAttributeValues: b.Values(),
	}
	if text != "" {
		in.UpdateExpression = &text
	}
	out, err := s.client.UpdateItem(t.Context(), in)
	if err != nil {
		return nil, err
	}
	return out.Attributes, nil
}

// change compiles changes and sends them.
func (s testTable[T]) change(t *testing.T, id string, changes []attr.Change[T]) (codec.Item, error) {
	t.Helper()
	b := expr.NewBuilder()
	text, err := compileUpdate(b, s.plan, changes)
	require.NoError(t, err)
	require.NoError(t, b.Check())
	return s.update(t, id, text, b)
}

func TestEveryVerbStoresWhatPutStores(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 8, 3, 12, 0, 0, 0, time.UTC)
	five, seven := 5, 7
	full := func(edit func(*Thing)) *Thing {
		x := &Thing{
			Status: "new", Level: "low", Count: 3, Price: 1.5, Limit: &five, At: noon, Skills: []string{"a", "b"}, Tags: []string{"x", "y"},
			Nums: []int{1}, Lines: []Line{{"A", 1}, {"B", 2}}, Prefs: map[string]string{"k": "v"}, Work: &Address{City: "Oslo"},
		}
		edit(x)
		return x
	}
	bare := func(edit func(*Thing)) *Thing {
		x := &Thing{}
		edit(x)
		return x
	}
	nothing := func(*Thing) {}
	list := func(c ...attr.Change[Thing]) []attr.Change[Thing] { return c }
	s := newTestTable[Thing](t)
	for name, c := range map[string]struct {
		changes []attr.Change[Thing]
		// full and empty are the effects on a full item and on one with every omitempty field
		// absent. Nil means that DynamoDB rejects the update.
		full, empty func(*Thing)
	}{
		"Set":               {list(status.Set("x")), func(x *Thing) { x.Status = "x" }, func(x *Thing) { x.Status = "x" }},
		"Set empty":         {list(level.Set("")), func(x *Thing) { x.Level = "" }, nothing},
		"Set nil":           {list(work.Set(nil), skills.Set(nil), tags.Set(nil)), func(x *Thing) { x.Work, x.Skills, x.Tags = nil, nil, nil }, nothing},
		"Set time":          {list(expires.Set(noon)), func(x *Thing) { x.Expires = noon }, func(x *Thing) { x.Expires = noon }},
		"Set behind":        {list(limit.Set(7)), func(x *Thing) { x.Limit = &seven }, func(x *Thing) { x.Limit = &seven }},
		"Set nested":        {list(city.Set("Bergen")), func(x *Thing) { x.Work.City = "Bergen" }, nil},
		"Set element":       {list(attr.At(skills, 1).Set("z")), func(x *Thing) { x.Skills[1] = "z" }, nil},
		"Set past the end":  {list(attr.At(skills, 9).Set("z")), func(x *Thing) { x.Skills = append(x.Skills, "z") }, nil},
		"Set entry":         {list(attr.Key(prefs, "q").Set("w")), func(x *Thing) { x.Prefs["q"] = "w" }, nil},
		"Set in element":    {list(attr.Sub(attr.At(lines, 1), lineQty).Set(9)), func(x *Thing) { x.Lines[1].Qty = 9 }, nil},
		"Set by name":       {list(attr.Named[Thing]("lines[0].sku").Set("C")), func(x *Thing) { x.Lines[0].SKU = "C" }, nil},
		"SetIfAbsent":       {list(level.SetIfAbsent("high")), nothing, func(x *Thing) { x.Level = "high" }},
		"SetIfAbsent empty": {list(level.SetIfAbsent("")), nothing, nothing},
		"Remove":            {list(level.Remove(), skills.Remove()), func(x *Thing) { x.Level, x.Skills = "", nil }, nothing},
		"Remove element":    {list(attr.At(lines, 0).Remove()), func(x *Thing) { x.Lines = x.Lines[1:] }, nil},
		"Add":               {list(attr.Add(count, -5), attr.Add(price, 0.25)), func(x *Thing) { x.Count, x.Price = -2, 1.75 }, func(x *Thing) { x.Count, x.Price = -5, 0.25 }},
		"Add to absent":     {list(attr.Add(limit, 2)), func(x *Thing) { x.Limit = &seven }, func(x *Thing) { two := 2; x.Limit = &two }},
		"Add nested":        {list(attr.Add(attr.Sub(attr.At(lines, 0), lineQty), 4)), func(x *Thing) { x.Lines[0].Qty = 5 }, nil},
		"Add nested absent": {list(attr.Add(zip, 5)), func(x *Thing) { x.Home.Zip = &five }, func(x *Thing) { x.Home.Zip = &five }},
		"Append":            {list(attr.Append(skills, "c", "d")), func(x *Thing) { x.Skills = []string{"a", "b", "c", "d"} }, func(x *Thing) { x.Skills = []string{"c", "d"} }},
		"Prepend":           {list(attr.Prepend(lines, Line{"C", 3})), func(x *Thing) { x.Lines = append([]Line{{"C", 3}}, x.Lines...) }, func(x *Thing) { x.Lines = []Line{{"C", 3}} }},
		"SetAdd":            {list(attr.SetAdd(tags, "y", "z")), func(x *Thing) { x.Tags = []string{"x", "y", "z"} }, func(x *Thing) { x.Tags = []string{"y", "z"} }},
		"SetDelete":         {list(attr.SetDelete(tags, "y", "z")), func(x *Thing) { x.Tags = []string{"x"} }, nothing},
		"SetDelete all":     {list(attr.SetDelete(nums, 1, 2)), func(x *Thing) { x.Nums = nil }, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for state, kind := range map[string]struct {
				start func(func(*Thing)) *Thing
				want  func(*Thing)
			}{"full": {full, c.full}, "empty": {bare, c.empty}} {
				id := name + " on " + state
				s.put(t, id, kind.start(nothing))
				got, err := s.change(t, id, c.changes)
				if kind.want == nil {
					var refusal smithy.APIError
					require.ErrorAs(t, err, &refusal)
					require.Equal(t, "ValidationException", refusal.ErrorCode())
					continue
				}
				require.NoError(t, err)
				requireSame(t, s.item(t, id, kind.start(kind.want)), got)
			}
		})
	}
}

// requireSame compares items and ignores the order of sets.
func requireSame(t *testing.T, want, got codec.Item) {
	t.Helper()
	require.Empty(t, difference(want, got))
}

func difference(want, got codec.Item) (names []string) {
	for name := range want {
		if got[name] == nil || !equal(want[name], got[name]) {
			names = append(names, fmt.Sprintf("%s: want %s, got %s", name, show(want[name]), show(got[name])))
		}
	}
	for name := range got {
		if want[name] == nil {
			names = append(names, name+": "+show(got[name])+" is left over")
		}
	}
	return names
}

func equal(a, b types.AttributeValue) bool {
	switch x := a.(type) {
	case *types.AttributeValueMemberSS:
		y, ok := b.(*types.AttributeValueMemberSS)
		return ok && sameSet(x.Value, y.Value)
	case *types.AttributeValueMemberNS:
		y, ok := b.(*types.AttributeValueMemberNS)
		return ok && sameSet(x.Value, y.Value)
	default:
		return reflect.DeepEqual(a, b)
	}
}

func sameSet(a, b []string) bool {
	in := map[string]int{}
	for _, s := range a {
		in[s]++
	}
	for _, s := range b {
		in[s]--
	}
	for _, n := range in {
		if n != 0 {
			return false
		}
	}
	return true
}

// setAll returns the changes that turn any sample into x.
func setAll(x *Sample) []attr.Change[Sample] {
	field := func(p any) attr.Change[Sample] {
		switch p := p.(type) {
		case *int:
			if p == nil {
				return sU.Remove()
			}
			return sU.Set(*p)
		case *time.Time:
			if p == nil {
				return sEnd.Remove()
			}
			return sEnd.Set(*p)
		default:
			return nil
		}
	}
	sub := attr.Must(func(x *Sample) **SampleSub { return &x.Sub })
	return []attr.Change[Sample]{
		sText.Set(x.Text), sOther.Set(x.Other), sN.Set(x.N), field(x.U), sF.Set(x.F), sFlag.Set(x.Flag), sAt.Set(x.At), field(x.End),
		sExp.Set(x.Exp), sBin.Set(x.Bin), sList.Set(x.List), sSet.Set(x.Set), sNums.Set(x.Nums), sMap.Set(x.Map), sub.Set(x.Sub),
	}
}

// Setting every field to another value stores the same item as a Put of that value.
func TestSetStoresWhatPutStores(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	s := newTestTable[Sample](t)
	changed := countItemDifferences(t, r, s, testsize.Pick(150, 400, 2_000), func(b *expr.Builder, x *Sample) string {
		changes := setAll(x)
		r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		text, err := compileUpdate(b, s.plan, changes)
		require.NoError(t, err)
		return text
	})
	require.Zero(t, changed)
}

// SET of every encoded value does not: a value that omitempty leaves out is stored as NULL or "".
func TestNaiveSetStoresAnotherItem(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	s := newTestTable[Sample](t)
	changed := countItemDifferences(t, r, s, 50, func(b *expr.Builder, x *Sample) string {
		u := expr.NewUpdate()
		v := reflect.ValueOf(x).Elem()
		for _, f := range s.plan.Shape.Fields() {
			if f.Name == "id" {
				continue
			}
			av, err := f.EncodeOperand(v.FieldByIndex(f.Index).Addr().Interface())
			if err == nil && av == nil {
				av, err = f.Node.EncodeOperand(v.FieldByIndex(f.Index).Addr().Interface())
			}
			require.NoError(t, err)
			u.ChangeAttribute(expr.Set, f.Name, av)
		}
		text, err := u.Text(b)
		require.NoError(t, err)
		return text
	})
	require.Positive(t, changed)
}

// countItemDifferences counts how often an update from one random sample to another stores another
// item than a Put.
func countItemDifferences(t *testing.T, r *rand.Rand, s testTable[Sample], n int, compile func(*expr.Builder, *Sample) string) (wrong int) {
	for i := range n {
		id := fmt.Sprint(i)
		from, to := randomSample(r, id), randomSample(r, id)
		s.put(t, id, from)
		b := expr.NewBuilder()
		got, err := s.update(t, id, compile(b, to), b)
		require.NoError(t, err)
		if len(difference(s.item(t, id, to), got)) > 0 {
			wrong++
		}
	}
	return wrong
}

package write_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/tx"
)

// sheet counts records.
type sheet struct {
	_       entity.Key `type:"sheet" pk:"SHEET#<no:02>" sk:"SHEET"`
	No      int        `dynamodbav:"no"`
	Records int        `dynamodbav:"records"`
	Others  int        `dynamodbav:"others"`
}

// Base is embedded by a pointer: its fields exist only if one of them is stored.
type Base struct {
	Rank int    `dynamodbav:"rank"`
	Unit string `dynamodbav:"unit"`
}

type spot struct {
	Row  int    `dynamodbav:"row"`
	Name string `dynamodbav:"name"`
}

// record has other indexes, unique values, counts and roles in every round.
type record struct {
	*Base
	Group   string    `dynamodbav:"group"`
	ID      string    `dynamodbav:"id"`
	Name    string    `dynamodbav:"name"`
	City    string    `dynamodbav:"city,omitempty"`
	Nick    *string   `dynamodbav:"nick,omitempty"`
	Alias   *string   `dynamodbav:"alias"`
	Likes   int       `dynamodbav:"likes"`
	Level   int64     `dynamodbav:"level,omitempty"`
	Seat    *int64    `dynamodbav:"seat,omitempty"`
	Open    bool      `dynamodbav:"open"`
	Done    bool      `dynamodbav:"done,omitempty"`
	At      time.Time `dynamodbav:"at"`
	Data    []byte    `dynamodbav:"data"`
	Tags    []string  `dynamodbav:"tags,omitempty"`
	Labels  []string  `dynamodbav:"labels,stringset,omitempty"`
	Spot    spot      `dynamodbav:"spot"`
	Sheet   int       `dynamodbav:"sheet"`
	Other   *int      `dynamodbav:"other,omitempty"`
	Version int64     `dynamodbav:"version"`
	Made    time.Time `dynamodbav:"made"`
	Changed time.Time `dynamodbav:"changed"`
	Ends    time.Time `dynamodbav:"ends,unixtime,omitempty"`
}

// memberFormats has the placeholders of the fields of a record in templates.
var memberFormats = []string{
	"<group>", "<id>", "<name>", "<city>", "<nick>", "<alias>", "<likes:08>", "<likes:ord>", "<level:04>", "<seat:ord>", "<open>", "<done>", "<at:s>", "<rank:04>", "<unit>",
	"<likes:08>", "<open>", "<sheet:02>",
}

// library is two tables: one with the records that a test writes, and a twin in which the same
// entities are created.
type library struct {
	client         *dynamodb.Client
	hasExpiry      bool
	now            time.Time
	name           string
	declared       entity.Spec
	schema         *entity.Schema
	sheets         *entity.Type[sheet]
	records        *entity.Type[record]
	table, twin    *entity.Table
	written, fresh *entity.Repo[record]
	// removed has the attributes that a record may lack. It is read as with their zeros, which a
	// create stores.
	removed map[string]map[string]bool
}

// newLibrary opens a library with random keys and roles.
func newLibrary(t *testing.T, client *dynamodb.Client, r *rand.Rand, round int) *library {
	t.Helper()
	for attempt := 0; ; attempt++ {
		l := &library{client: client, now: time.Now().UTC().Truncate(time.Second), name: fmt.Sprintf("records-%d-%d", round, attempt), removed: map[string]map[string]bool{}}
		l.declared = l.spec(r, round)
		l.schema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}, {
			Name: "MIXED", Partition: []entity.Attribute{entity.S("MIXEDPK")}, Sort: []entity.Attribute{entity.N("likes")},
		}}})
		l.sheets = entity.Define[sheet](l.schema)
		l.records = entity.DefineSpec[record](l.schema, l.declared)
		clock := entity.Clock(func() time.Time { return l.now })
		var err error
		if l.table, err = l.schema.Open(client, l.name, clock); err != nil && attempt < 100 { // two templates clash
			continue
		}
		require.NoError(t, err)
		l.twin, err = l.schema.Open(client, l.name+"-twin", clock)
		require.NoError(t, err)
		require.NoError(t, l.table.Create(t.Context()))
		require.NoError(t, l.twin.Create(t.Context()))
		for no := range 3 {
			require.NoError(t, l.sheets.In(l.table).Create(t.Context(), &sheet{No: no}))
		}
		l.written, l.fresh = l.records.In(l.table), l.records.In(l.twin)
		return l
	}
}

func (l *library) spec(r *rand.Rand, round int) entity.Spec {
	literal := 0
	template := func(most int) string {
		literal++
		text := fmt.Sprintf("L%d", literal)
		for range r.IntN(most + 1) {
			text += "#" + memberFormats[r.IntN(len(memberFormats))]
		}
		return text
	}
	spec := entity.Spec{
		Type: "record", Key: entity.KeySpec{PK: "G#<group>", SK: "R#<id>"}, Roles: map[string]string{},
		Indexes: []entity.IndexSpec{
			{Name: "one", On: "GSI1", PK: template(1), SK: template(2)}, {Name: "two", On: "GSI2", PK: template(2), SK: template(1)},
			{Name: "mixed", On: "MIXED", PK: template(1), SK: "<likes>"},
		},
	}
	for name, role := range map[string]string{"version": "version", "made": "created", "changed": "updated"} {
		if r.IntN(2) == 0 {
			spec.Roles[name] = role
		}
	}
	switch round % 4 {
	case 0:
		l.hasExpiry, spec.Roles["ends"] = true, "ttl"
		if r.IntN(2) == 0 {
			spec.Key.Lifetime = 2 * time.Hour
		}
	case 1:
		spec.Counted = append(spec.Counted, entity.CountedSpec{In: "sheet", As: "records", PK: "SHEET#<sheet:02>", SK: "SHEET"})
	case 2:
		spec.Counted = append(spec.Counted, entity.CountedSpec{In: "sheet", As: "others", PK: "SHEET#<other:02>", SK: "SHEET"})
	}
	for i := range r.IntN(3) {
		key := []string{"<likes:08>#<id>", "<likes:08>", "<name>", "<city>#<open>", "<group>#<open>#<sheet:02>", "<level:04>", "<rank:04>"}[r.IntN(7)]
		spec.Uniques = append(spec.Uniques, entity.UniqueSpec{Name: fmt.Sprintf("u%d", i), Key: key})
	}
	return spec
}

// values has the values of each attribute that an update can set.
func values(r *rand.Rand, now time.Time) map[string]any {
	text := func() string { return []string{"", "a", "b#c"}[r.IntN(3)] }
	pointer := func() *string {
		if r.IntN(3) == 0 {
			return nil
		}
		return aws.String(text())
	}
	var seat *int64
	var other *int
	if r.IntN(3) > 0 {
		seat, other = aws.Int64(r.Int64N(3)), aws.Int(r.IntN(3))
	}
	return map[string]any{
		"name": text(), "city": text(), "nick": pointer(), "alias": pointer(), "likes": r.IntN(3), "level": r.Int64N(3), "seat": seat,
		"open": r.IntN(2) == 0, "done": r.IntN(2) == 0, "at": []time.Time{{}, now}[r.IntN(2)], "data": [][]byte{nil, {}, {1}}[r.IntN(3)],
		"tags": [][]string{nil, {"x"}}[r.IntN(2)], "labels": [][]string{nil, {"y"}}[r.IntN(2)], "spot": spot{Row: r.IntN(2)}, "sheet": r.IntN(3), "other": other,
		"ends": []time.Time{{}, now.Add(time.Hour)}[r.IntN(2)], "rank": r.IntN(2), "unit": text(),
	}
}

// randomRecord returns a record with some fields.
func (l *library) randomRecord(r *rand.Rand, id string) record {
	e := record{Group: "g", ID: id}
	v := values(r, l.now)
	if r.IntN(2) == 0 {
		e.Base = &Base{Rank: v["rank"].(int), Unit: v["unit"].(string)}
	}
	at := reflect.ValueOf(&e).Elem()
	for i := range at.NumField() {
		name, _, _ := strings.Cut(at.Type().Field(i).Tag.Get("dynamodbav"), ",")
		if value, ok := v[name]; ok && r.IntN(3) > 0 {
			at.Field(i).Set(reflect.ValueOf(value))
		}
	}
	return e
}

// changes returns random changes, and the attributes that they remove.
func (l *library) changes(r *rand.Rand) (list []attr.Change[record], removed map[string]bool) {
	removed = map[string]bool{}
	v := values(r, l.now)
	if l.declared.Key.Lifetime > 0 { // a create would set the time that the change removes
		delete(v, "ends")
	}
	names := slices.Sorted(maps.Keys(v))
	for _, i := range r.Perm(len(names))[:1+r.IntN(3)] {
		name := names[i]
		field := attr.Named[record](name)
		switch n := r.IntN(10); {
		case name == "likes" && n < 3:
			list = append(list, attr.Add(attr.Typed[int](field), 1+r.IntN(2)))
		case name == "tags" && n < 5:
			list = append(list, attr.Append(attr.Typed[[]string](field), "z"))
		case name == "labels" && n < 5:
			list = append(list, attr.SetAdd(attr.Typed[[]string](field), "z"))
		case name == "labels" && n < 6:
			list = append(list, attr.SetDelete(attr.Typed[[]string](field), "y"))
		case n < 7:
			list = append(list, field.Set(v[name]))
		case n < 9:
			list = append(list, field.SetIfAbsent(v[name]))
		default:
			list, removed[name] = append(list, field.Remove()), true
		}
	}
	return list, removed
}

// upsert sends a random upsert of a record, in one of the ways that send an operation.
func (l *library) upsert(ctx context.Context, r *rand.Rand, example record) (removed map[string]bool, err error) {
	repo := l.written
	if r.IntN(3) > 0 {
		repo = repo.With(entity.ReadFirst())
	}
	list, removed := l.changes(r)
	o := repo.Op().Upsert(example, list[0], list[1:]...)
	switch r.IntN(5) {
	case 0:
		_, err = o.Once(fmt.Sprintf("token-%d", r.Uint64())).Do(ctx)
	case 1:
		err = tx.Write(ctx, o)
	case 2:
		err = entity.WriteMany(ctx, slices.Values([]entity.Operation{o}))
	default:
		_, err = repo.Upsert(ctx, example, list[0], list[1:]...)
	}
	return removed, err
}

// naive writes what an upsert of a program without the library would: the key, the type, and what
// the caller sets.
func (l *library) naive(ctx context.Context, _ *rand.Rand, example record) (map[string]bool, error) {
	key, err := l.records.KeyOf(example)
	if err != nil {
		return nil, err
	}
	_, err = l.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &l.name, Key: key, UpdateExpression: aws.String("SET #t = :t, #g = :g, #i = :i, #n = :n REMOVE #e"),
		ExpressionAttributeNames: map[string]string{"#t": "_type", "#g": "group", "#i": "id", "#n": "name", "#e": "ends"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":t": &types.AttributeValueMemberS{Value: "record"}, ":g": &types.AttributeValueMemberS{Value: example.Group},
			":i": &types.AttributeValueMemberS{Value: example.ID}, ":n": &types.AttributeValueMemberS{Value: "naive"},
		},
	})
	return map[string]bool{}, err
}

// items returns all items of a table by key. It leaves out NULL, the write ID, and items that have
// expired.
func (l *library) items(ctx context.Context, table string) (map[string]map[string]types.AttributeValue, error) {
	all := map[string]map[string]types.AttributeValue{}
	out, err := l.client.Scan(ctx, &dynamodb.ScanInput{TableName: &table, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	for _, item := range out.Items {
		if n, ok := item["ends"].(*types.AttributeValueMemberN); l.hasExpiry && ok && n.Value <= fmt.Sprint(l.now.Unix()) {
			continue
		}
		maps.DeleteFunc(item, func(name string, av types.AttributeValue) bool {
			_, null := av.(*types.AttributeValueMemberNULL)
			return null || name == "_w"
		})
		all[item["PK"].(*types.AttributeValueMemberS).Value+" "+item["SK"].(*types.AttributeValueMemberS).Value] = item
	}
	return all, nil
}

var errNotAsCreated = errors.New("the table is not as if its items had been created")

// check compares the table with one in which the same entities are created.
func (l *library) check(ctx context.Context) error {
	written, err := l.items(ctx, l.name)
	if err != nil {
		return err
	}
	if err := l.createAgain(ctx, written); err != nil {
		return err
	}
	fresh, err := l.items(ctx, l.name+"-twin")
	if err != nil {
		return err
	}
	for key := range written {
		if fresh[key] == nil {
			return fmt.Errorf("%w: one item more, %q", errNotAsCreated, key)
		}
	}
	for key, want := range fresh {
		if written[key] == nil {
			return fmt.Errorf("%w: one item less, %q", errNotAsCreated, key)
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if have := written[key][name]; name != "version" && !reflect.DeepEqual(have, want[name]) && (have != nil || !l.removed[key][name]) {
				return fmt.Errorf("%w: attribute %s of %q", errNotAsCreated, name, key)
			}
		}
		for name := range written[key] {
			if want[name] == nil {
				return fmt.Errorf("%w: attribute %s of %q", errNotAsCreated, name, key)
			}
		}
	}
	return errors.Join(testchecks.Items(ctx, l.table, 100), testchecks.Guards(ctx, l.table), testchecks.Counts(ctx, l.table))
}

// createAgain creates all entities of the written items in the twin.
func (l *library) createAgain(ctx context.Context, written map[string]map[string]types.AttributeValue) error {
	twin := l.name + "-twin"
	old, err := l.client.Scan(ctx, &dynamodb.ScanInput{TableName: &twin})
	if err != nil {
		return err
	}
	for _, item := range old.Items {
		key := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
		if _, err := l.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &twin, Key: key}); err != nil {
			return err
		}
	}
	for no := range 3 {
		if err := l.sheets.In(l.twin).Create(ctx, &sheet{No: no}); err != nil {
			return err
		}
	}
	for key := range written {
		id, ok := strings.CutPrefix(key, "G#g R#")
		if !ok {
			continue
		}
		e, err := l.written.Strong().Get(ctx, record{Group: "g", ID: id})
		if err != nil {
			return err
		}
		if err := l.fresh.Create(ctx, &e); err != nil {
			return fmt.Errorf("%w: %w", errNotAsCreated, err)
		}
	}
	return nil
}

// reached holds the number of times that a test reached each case.
type reached struct{ created, changed, revived, failed int }

// step upserts a record that is absent, alive or has expired, and checks the table.
func (l *library) step(ctx context.Context, r *rand.Rand, n *reached, upsert func(context.Context, *rand.Rand, record) (map[string]bool, error)) error {
	id := string("xyz"[r.IntN(3)])
	example := record{Group: "g", ID: id}
	key := "G#g R#" + id
	before, err := l.written.Strong().Get(ctx, example)
	alive := err == nil
	expired := false
	switch {
	case alive && r.IntN(4) == 0:
		if err := l.written.Delete(ctx, example); err != nil {
			return err
		}
		alive = false
	case alive && r.IntN(3) == 0:
		example = before
	case !alive && r.IntN(3) < 2:
		e := l.randomRecord(r, id)
		if expired = l.hasExpiry; expired {
			e.Ends = l.now.Add(-time.Hour)
		}
		err := l.written.Create(ctx, &e)
		if errors.Is(err, trestle.ErrTaken) {
			return nil
		} else if err != nil {
			return err
		}
		delete(l.removed, key)
		alive = !expired
	}
	removed, err := upsert(ctx, r, example)
	switch {
	case err == nil && !alive:
		l.removed[key] = removed
		if n.created++; expired {
			n.revived++
		}
	case err == nil:
		n.changed++
		if l.removed[key] == nil {
			l.removed[key] = map[string]bool{}
		}
		maps.Copy(l.removed[key], removed)
		l.removed[key]["rank"], l.removed[key]["unit"] = true, true // a change of one makes the other exist
	case errors.Is(err, trestle.ErrInvalid), errors.Is(err, trestle.ErrTaken), errors.Is(err, trestle.ErrCondition), errors.Is(err, trestle.ErrStale):
		n.failed++
	default:
		return err
	}
	return l.check(ctx)
}

// TestAnUpsertCreatesLikeCreate sends random upserts of absent, living and expired items. After
// each, the table has the items, index keys, guards and counts that it would have if each of its
// entities had been created.
func TestAnUpsertCreatesLikeCreate(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		var n reached
		rounds := e.Size(20, 60, 1000)
		for round := range rounds {
			l := newLibrary(t, client, r, round)
			for range 12 {
				if err := l.step(t.Context(), r, &n, l.upsert); err != nil {
					t.Fatalf("round %d of %+v: %v", round, l.declared, err)
				}
			}
		}
		t.Logf("%+v", n)
		require.Greater(t, n.created, rounds)
		require.Greater(t, n.changed, rounds)
		require.Positive(t, n.revived)
	})
}

// TestANaiveUpsertIsDetected is the negative control: an update that stores only what the caller
// sets.
func TestANaiveUpsertIsDetected(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		l := newLibrary(t, e.Client(t), r, 0)
		var n reached
		for range 100 {
			if err := l.step(t.Context(), r, &n, l.naive); err != nil {
				require.ErrorIs(t, err, errNotAsCreated)
				return
			}
		}
		t.Fatal("no difference is found")
	})
}

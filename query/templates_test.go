package query_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// stone, shard and relic are the types of one table. Stones and shards share their partitions;
// relics have their own.
type stone struct {
	Group string    `dynamodbav:"group"`
	B     string    `dynamodbav:"b"`
	C     string    `dynamodbav:"c"`
	N     int       `dynamodbav:"n"`
	At    time.Time `dynamodbav:"at"`
}

type shard struct {
	Group string `dynamodbav:"group"`
	D     string `dynamodbav:"d"`
	E     string `dynamodbav:"e"`
}

type relic struct {
	F string `dynamodbav:"f"`
	G string `dynamodbav:"g"`
}

// choices are the possible templates of each key. The templates of a key have the same prefix, so
// that the text of its condition is the same.
var choices = map[string][]string{
	"stone":        {"A#<b>#<c>", "A#<c>#<b>", "A#<b>#<c>#end"},
	"stone by-one": {"N#<b>#<c>", "N#<c>#<b>", "N#<n:04>#<b>", "N#<n:08>#<b>", "N#<at:own>#<b>"},
	"stone by-two": {"M#<b>#<c>", "M#<c>#<b>"},
	"shard":        {"D#<d>#<e>", "D#<e>#<d>"},
	"shard by-one": {"D#<d>#<e>", "D#<e>#<d>"},
	"relic":        {"R#<f>#<g>", "R#<g>#<f>"},
	"relic by-one": {"R#<f>#<g>", "R#<g>#<f>"},
	// the output of the table's own format
	"the own one":   {"2006-01-02T15:04", "2006-01-02 15:04"},
	"extra types":   {"", "one that no other meets"},
	"extra indexes": {"", "one that no type declares"},
	"the mode":      {"escaped", "raw"}, // every key depends on it
}

// arrangement contains the selected choice for each key.
type arrangement map[string]int

func (a arrangement) template(key string) string { return choices[key][a[key]] }

// masonry is the table with the schema of one program.
type masonry struct {
	table  *entity.Table
	stones *entity.Repo[stone]
	shards *entity.Repo[shard]
	relics *entity.Repo[relic]
	Stones *entity.Type[stone]
}

func (a arrangement) open(t *testing.T, client trestle.Client) masonry {
	t.Helper()
	own, err := keys.Layout(a.template("the own one"))
	require.NoError(t, err)
	c := entity.Config{Indexes: []entity.IndexConfig{{Name: "One"}, {Name: "Two"}}, Formats: map[string]keys.Format{"own": own}, Raw: a["the mode"] > 0}
	if a["extra indexes"] > 0 {
		c.Indexes = append(c.Indexes, entity.IndexConfig{Name: "Three"})
	}
	s := entity.NewSchema(c)
	m := masonry{Stones: entity.DefineSpec[stone](s, entity.Spec{
		Type: "stone", Key: entity.KeySpec{PK: "G#<group>", SK: a.template("stone")},
		Indexes: []entity.IndexSpec{
			{Name: "by-one", On: "One", PK: "G#<group>", SK: a.template("stone by-one")},
			{Name: "by-two", On: "Two", PK: "G#<group>", SK: a.template("stone by-two")},
		},
	})}
	shards := entity.DefineSpec[shard](s, entity.Spec{
		Type: "shard", Key: entity.KeySpec{PK: "G#<group>", SK: a.template("shard")},
		Indexes: []entity.IndexSpec{{Name: "by-one", On: "One", PK: "G#<group>", SK: a.template("shard by-one")}},
	})
	relics := entity.DefineSpec[relic](s, entity.Spec{
		Type: "relic", Key: entity.KeySpec{PK: "RELICS", SK: a.template("relic")},
		Indexes: []entity.IndexSpec{{Name: "by-one", On: "One", PK: "RELICS", SK: a.template("relic by-one")}},
	})
	if a["extra types"] > 0 {
		entity.DefineSpec[neighbor](s, entity.Spec{Type: "extra", Key: entity.KeySpec{PK: "EXTRA#<id>", SK: "E"}})
	}
	m.table, err = s.Open(client, "masonry", entity.Cursors(ring))
	require.NoError(t, err)
	m.stones, m.shards, m.relics = m.Stones.In(m.table), shards.In(m.table), relics.In(m.table)
	return m
}

const perType = 12

// fill replaces all items of the table with the same entities in the keys of this arrangement.
func (m masonry) fill(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	ctx, name := t.Context(), m.table.Name()
	out, err := client.Scan(ctx, &dynamodb.ScanInput{TableName: &name})
	require.NoError(t, err)
	for _, item := range out.Items {
		key := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
		_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &name, Key: key})
		require.NoError(t, err)
	}
	for i := range perType {
		up, down := fmt.Sprintf("%02d", i), fmt.Sprintf("%02d", (i*7+5)%perType)
		at := day(1).Add(time.Duration(i*5%perType) * time.Hour)
		require.NoError(t, m.stones.Put(ctx, &stone{Group: "g", B: up, C: down, N: (i * 5) % perType, At: at}))
		require.NoError(t, m.shards.Put(ctx, &shard{Group: "g", D: up, E: down}))
		require.NoError(t, m.relics.Put(ctx, &relic{F: up, G: down}))
	}
}

// told returns the name of an entity.
func told(item any) string {
	switch e := item.(type) {
	case stone:
		return "stone " + e.B
	case shard:
		return "shard " + e.D
	case relic:
		return "relic " + e.F
	case entity.Raw:
		for _, name := range []string{"b", "d", "f"} {
			if av, ok := e.Item[name].(*types.AttributeValueMemberS); ok {
				return e.Type + " " + av.Value
			}
		}
	}
	return "?"
}

func toldAll[T any](items []T) (names []string) {
	for _, item := range items {
		names = append(names, told(item))
	}
	return names
}

// pageOf reads a page of a query, or a few pages of a scan. It returns the names of the results.
type pageOf func(m masonry, ctx context.Context, cursor string) (names []string, next string, err error)

// named returns the names of the entities in a page.
func named[T any](page query.Page[T], err error) ([]string, string, error) {
	return toldAll(page.Items), page.Next, err
}

func scanning[T any](ctx context.Context, scan query.TableScan[T], cursor string) (names []string, next string, err error) {
	next, err = scan.PageSize(5).MaxRequests(2).Each(ctx, cursor, func(page []T) error {
		names = append(names, toldAll(page)...)
		return nil
	})
	if errors.Is(err, query.ErrBudget) {
		err = nil
	}
	return names, next, err
}

// bindings lists reads with the keys that their cursors depend on, and the number of entities that
// they find.
var bindings = map[string]struct {
	page    pageOf
	depends []string
	finds   int
}{
	"table": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return named(query.Of(m.stones, stone{Group: "g"}).Limit(5).Page(ctx, cursor))
	}, []string{"stone"}, perType},
	"index": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return named(query.On(m.stones, "by-one", stone{Group: "g"}).Limit(5).Page(ctx, cursor))
	}, []string{"stone", "stone by-one"}, perType},
	"downwards": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return named(query.On(m.stones, "by-two", stone{Group: "g"}).Desc().Limit(5).Page(ctx, cursor))
	}, []string{"stone", "stone by-two"}, perType},
	"collection": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return named(query.Of(m.stones, stone{Group: "g"}).Limit(5).Collection().Page(ctx, cursor))
	}, []string{"stone", "shard"}, 2 * perType},
	"collection on an index": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return named(query.On(m.stones, "by-one", stone{Group: "g"}).Limit(5).Collection().Page(ctx, cursor))
	}, []string{"stone", "stone by-one", "shard", "shard by-one"}, 2 * perType},
	"collection of a type": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return named(query.Of(m.stones, stone{Group: "g"}).Limit(5).Collection().Types(m.Stones).Page(ctx, cursor))
	}, []string{"stone"}, perType},
	"scan": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return scanning(ctx, query.Scan(m.stones), cursor)
	}, []string{"stone"}, perType},
	"scan of an index": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return scanning(ctx, query.Scan(m.stones).On("by-two"), cursor)
	}, []string{"stone", "stone by-two"}, perType},
	"scan of the table": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return scanning(ctx, query.ScanTable(m.table).Segments(2), cursor)
	}, []string{"stone", "shard", "relic", "extra types"}, 3 * perType},
	"scan of what is stored": {func(m masonry, ctx context.Context, cursor string) ([]string, string, error) {
		return scanning(ctx, query.ScanStored(m.table).Segments(2), cursor)
	}, []string{"stone", "shard", "relic", "extra types"}, 3 * perType},
}

// lap is the order in which the keys first change, each to its next choice. At the fifth change, a
// template uses the table's own format.
var lap = []string{
	"stone by-one", "stone by-one", "stone by-one", "stone by-one", "the own one", "stone", "stone by-two", "shard", "shard by-one", "relic",
	"relic by-one", "extra types", "extra indexes", "the mode",
}

// after returns the arrangement of the next round. After the lap, it differs in one or two keys.
func (a arrangement) after(round int, r *rand.Rand) arrangement {
	b := maps.Clone(a)
	change := func(key string, by int) { b[key] = (b[key] + by) % len(choices[key]) }
	if round < len(lap) {
		change(lap[round], 1)
		return b
	}
	for range 1 + r.IntN(2) {
		key := pick(r, lap...)
		change(key, 1+r.IntN(len(choices[key])-1))
	}
	return b
}

// same reports whether two arrangements are equal for a list of keys.
func (a arrangement) same(b arrangement, keys []string) bool {
	for _, key := range append(keys[:len(keys):len(keys)], "the mode") {
		if a.template(key) != b.template(key) || strings.Contains(a.template(key), ":own") && a["the own one"] != b["the own one"] {
			return false
		}
	}
	return true
}

// If the read depends on a key template that has changed, it rejects the cursor. If it does not
// depend on it, it continues correctly. The negative control continues from LastEvaluatedKey and
// misses items without an error.
func TestCursorsAreBoundToTemplates(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		client := e.Client(t)
		counted := &counting{Client: client}
		a := arrangement{"extra indexes": 1}
		require.NoError(t, a.open(t, client).table.Create(t.Context()))
		a.open(t, client).fill(t, client)
		taken, refused, missed := map[string]int{}, map[string]int{}, 0
		for round := range e.Size(len(lap)+3, 2*len(lap), 20*len(lap)) {
			b := a.after(round, r)
			before, after := a.open(t, counted), b.open(t, counted)
			first, cursors := map[string][]string{}, map[string]string{}
			for name, read := range bindings {
				var err error
				first[name], cursors[name], err = read.page(before, t.Context(), "")
				require.NoError(t, err, name)
				require.NotEmpty(t, cursors[name], name)
			}
			naive := lastKey(t, client, before)
			after.fill(t, client)
			for name, read := range bindings {
				sent := counted.sent.Load()
				names, next, err := read.page(after, t.Context(), cursors[name])
				if !a.same(b, read.depends) {
					refused[name]++
					require.ErrorIs(t, err, query.ErrCursor, "%s: %v, then %v", name, a, b)
					require.Equal(t, sent, counted.sent.Load(), "requests for a refused cursor")
					continue
				}
				taken[name]++
				all := first[name]
				for ; err == nil; names, next, err = read.page(after, t.Context(), next) {
					if all = append(all, names...); next == "" {
						break
					}
				}
				require.NoError(t, err, "%s: %v, then %v", name, a, b)
				slices.Sort(all)
				require.Len(t, slices.Compact(all), read.finds, "%s: %v, then %v", name, a, b)
			}
			missed += perType - len(goOn(t, client, after, naive, first["index"]))
			a = b
		}
		t.Log("taken", taken, "refused", refused, "missed by the control", missed)
		for name := range bindings {
			require.Positive(t, taken[name], name)
			require.Positive(t, refused[name], name)
		}
		require.Positive(t, missed, "the control: a position without its templates misses items")
	})
}

// lastKey returns the service's LastEvaluatedKey after the first five stones of an index.
func lastKey(t *testing.T, client *dynamodb.Client, m masonry) map[string]types.AttributeValue {
	t.Helper()
	in, err := query.On(m.stones, "by-one", stone{Group: "g"}).Limit(5).Input()
	require.NoError(t, err)
	out, err := client.Query(t.Context(), in)
	require.NoError(t, err)
	return out.LastEvaluatedKey
}

// goOn returns the names of the stones after a key, and of those before it.
func goOn(t *testing.T, client *dynamodb.Client, m masonry, after map[string]types.AttributeValue, came []string) []string {
	t.Helper()
	in, err := query.On(m.stones, "by-one", stone{Group: "g"}).Input()
	require.NoError(t, err)
	in.ExclusiveStartKey = after
	out, err := client.Query(t.Context(), in)
	if err != nil {
		return nil // DynamoDB Local rejects a key after which there are no items
	}
	all := slices.Clone(came)
	for _, item := range out.Items {
		all = append(all, told(entity.Raw{Type: "stone", Item: item}))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// The fields in the sort key of an index are swapped, while the text of the key condition stays the
// same. The cursor is rejected. Otherwise the read would skip 10 of 20 items without an error.
func TestSortKeyWithReversedOrder(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		before, after := arrangement{"stone by-one": 0}, arrangement{"stone by-one": 1}
		require.NoError(t, arrangement{}.open(t, client).table.Create(t.Context()))
		m := before.open(t, client)
		m.fill(t, client)
		page, err := query.On(m.stones, "by-one", stone{Group: "g"}).Limit(5).Page(t.Context(), "")
		require.NoError(t, err)
		in, err := query.On(m.stones, "by-one", stone{Group: "g"}).Input()
		require.NoError(t, err)
		m = after.open(t, client)
		m.fill(t, client)
		turned, err := query.On(m.stones, "by-one", stone{Group: "g"}).Input()
		require.NoError(t, err)
		require.Equal(t, in, turned, "nothing in the request tells")
		_, err = query.On(m.stones, "by-one", stone{Group: "g"}).Limit(5).Page(t.Context(), page.Next)
		require.ErrorIs(t, err, query.ErrCursor)
	})
}

package query_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// grain belongs to a farm, can expire, and is on indexes that project all attributes and only keys,
// one of them in shards. A husk is in the same partitions.
type (
	grain struct {
		_       entity.Key   `type:"grain" pk:"FARM#<farm>#<field>" sk:"G#<id>"`
		_       entity.Index `name:"all" on:"All" pk:"FARM#<farm>#<field>" sk:"<id>"`
		_       entity.Index `name:"keys" on:"Keys" pk:"FARM#<farm>#<field>" sk:"<id>"`
		_       entity.Index `name:"shards" on:"Shards" pk:"FARM#<farm>#<field>#<shard:id>" sk:"<id>" shards:"3"`
		Farm    string       `dynamodbav:"farm" entity:"tenant"`
		Field   string       `dynamodbav:"field"`
		ID      string       `dynamodbav:"id"`
		Expires int64        `dynamodbav:"expires,omitempty" entity:"ttl"`
	}
	husk struct {
		_     entity.Key `type:"husk" pk:"FARM#<farm>#<field>" sk:"H#<id>"`
		Farm  string     `dynamodbav:"farm" entity:"tenant"`
		Field string     `dynamodbav:"field"`
		ID    string     `dynamodbav:"id"`
	}
	grainID struct {
		ID string `dynamodbav:"id"`
	}
)

const (
	farmTable = "farm"
	fiveYears = 5 * 366 * 24 * 60 * 60
)

// kindsOfItems are what a table can hold in a place of a grain: how the item of a grain is changed,
// and whether reads of grains return it. Its other entries are those of a grain.
var kindsOfItems = []struct {
	name    string
	visible bool
	change  func(item attributes, now int64)
}{
	{"alive", true, func(attributes, int64) {}},
	{"expires later", true, func(i attributes, now int64) { i["expires"] = seconds(now + 1) }},
	{"expired", false, func(i attributes, now int64) { i["expires"] = seconds(now) }},
	{"no type attribute", true, func(i attributes, _ int64) { delete(i, "_type") }},
	{"expired, no type attribute", false, func(i attributes, now int64) { i["expires"] = seconds(now - 100); delete(i, "_type") }},
	{"a time to live that DynamoDB ignores", true, func(i attributes, now int64) { i["expires"] = seconds(now - fiveYears) }},
	{"a type that is not registered", false, func(i attributes, _ int64) { i["_type"] = stringAV("stranger") }},
	{"another type", false, func(i attributes, _ int64) { i["_type"], i["SK"] = stringAV("husk"), stringAV("H#"+idIn(i)) }},
	{"the key of another type", false, func(i attributes, _ int64) { i["SK"] = stringAV("H#" + idIn(i)); delete(i, "_type") }},
	{"the key of no type", false, func(i attributes, _ int64) { i["SK"] = stringAV("X#" + idIn(i)); delete(i, "_type") }},
	{"the library's own", false, func(i attributes, _ int64) {
		i["PK"], i["SK"] = stringAV("FARM#a#$U#x"), stringAV(idIn(i))
		delete(i, "_type")
	}},
	{"the library's own, with a type", false, func(i attributes, _ int64) { i["PK"], i["SK"] = stringAV("FARM#a#$U#x"), stringAV(idIn(i)) }},
}

func stringAV(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func seconds(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func idIn(i attributes) string { return i["id"].(*types.AttributeValueMemberS).Value }

// grainRead reads the grains of a field with some ids, through a table or the handle of a tenant.
type grainRead struct {
	index bool // it reads an index, whose entries can be of other tenants
	scans bool // it cannot use the handle of a tenant
	read  func(ctx context.Context, f *farm, r *entity.Repo[grain], ids []string) ([]string, error)
}

// grainReads are all ways in which grains are read.
var grainReads = map[string]grainRead{
	"Get": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], ids []string) ([]string, error) {
		return getGrains(ids, func(id string) (string, error) {
			g, err := r.Get(ctx, grainAt(id))
			return g.ID, err
		})
	}},
	"coalesced Get": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], ids []string) ([]string, error) {
		return getGrains(ids, func(id string) (string, error) {
			g, err := r.With(entity.CoalesceReads(time.Nanosecond)).Get(ctx, grainAt(id))
			return g.ID, err
		})
	}},
	"Get of a projection": {read: func(ctx context.Context, f *farm, r *entity.Repo[grain], ids []string) ([]string, error) {
		return getGrains(ids, func(id string) (string, error) {
			g, err := f.part.Get(ctx, r, grainAt(id))
			return g.ID, err
		})
	}},
	"GetMany": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], ids []string) ([]string, error) {
		list, err := r.GetMany(ctx, grainsAt(ids))
		return idsOfSome(list, func(g *grain) string { return g.ID }), err
	}},
	"GetMany of a projection": {read: func(ctx context.Context, f *farm, r *entity.Repo[grain], ids []string) ([]string, error) {
		list, err := f.part.GetMany(ctx, r, grainsAt(ids))
		return idsOfSome(list, func(g *grainID) string { return g.ID }), err
	}},
	"query.GetMany": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], ids []string) (found []string, err error) {
		var refs []query.ItemRef
		for _, id := range ids {
			refs = append(refs, query.Ref(r, grainAt(id)))
		}
		list, err := query.GetMany(ctx, refs...)
		return idsOfGrains(list), err
	}},
	"tx.Read": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], ids []string) ([]string, error) {
		list := make([]*grain, len(ids))
		var reads []tx.Item
		for i, id := range ids {
			reads = append(reads, tx.Get(r, grainAt(id), &list[i]))
		}
		err := tx.Read(ctx, reads...)
		return idsOfSome(list, func(g *grain) string { return g.ID }), err
	}},
	"Collect": {read: collectGrains(query.Of[grain])},
	"Page": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) (ids []string, err error) {
		for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
			page, err := query.Of(r, grainAt("")).Limit(2).Page(ctx, cursor)
			if err != nil {
				return nil, err
			}
			ids, cursor = append(ids, idsOfSome(page.Items, func(g grain) string { return g.ID })...), page.Next
		}
		return ids, nil
	}},
	"Collect of a projection": {read: func(ctx context.Context, f *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		list, err := query.As(query.Of(r, grainAt("")), f.part).Collect(ctx)
		return idsOfSome(list, func(g grainID) string { return g.ID }), err
	}},
	"Items": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		items, err := oneOf(query.Items(ctx, query.Of(r, grainAt("")).Collection()))
		return idsOfGrains(items), err
	}},
	"Load": {read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		var view struct {
			Grains []grain
			Husks  []husk
		}
		err := query.Load(ctx, query.Of(r, grainAt("")).Collection(), &view)
		if errors.Is(err, trestle.ErrNotFound) {
			err = nil
		}
		return idsOfSome(view.Grains, func(g grain) string { return g.ID }), err
	}},
	"index":        {index: true, read: collectGrains(onIndex("all"))},
	"merged index": {index: true, read: collectGrains(onIndex("shards"))},
	"items of entries": {index: true, read: collectGrains(func(s entity.Source[grain], at grain) query.Query[grain] {
		return query.On(s, "keys", at).Fetch()
	})},
	"items of the index": {index: true, read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		items, err := oneOf(query.Items(ctx, query.On(r, "all", grainAt("")).Collection()))
		return idsOfGrains(items), err
	}},
	"Scan": {scans: true, read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		list, err := oneOf(query.Scan(r).Segments(2).All(ctx))
		return idsOfSome(list, func(g grain) string { return g.ID }), err
	}},
	"Scan of the index": {scans: true, read: func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		list, err := oneOf(query.Scan(r).On("all").All(ctx))
		return idsOfSome(list, func(g grain) string { return g.ID }), err
	}},
	"ScanTable": {scans: true, read: func(ctx context.Context, f *farm, _ *entity.Repo[grain], _ []string) ([]string, error) {
		items, err := oneOf(query.ScanTable(f.table).All(ctx))
		return idsOfGrains(items), err
	}},
}

func grainAt(id string) grain { return grain{Farm: "a", Field: "1", ID: id} }

func grainsAt(ids []string) (list []grain) {
	for _, id := range ids {
		list = append(list, grainAt(id))
	}
	return list
}

func onIndex(access string) func(entity.Source[grain], grain) query.Query[grain] {
	return func(s entity.Source[grain], at grain) query.Query[grain] { return query.On(s, access, at) }
}

func collectGrains(q func(entity.Source[grain], grain) query.Query[grain]) func(context.Context, *farm, *entity.Repo[grain], []string) ([]string, error) {
	return func(ctx context.Context, _ *farm, r *entity.Repo[grain], _ []string) ([]string, error) {
		list, err := q(r, grainAt("")).Collect(ctx)
		return idsOfSome(list, func(g grain) string { return g.ID }), err
	}
}

func getGrains(ids []string, get func(id string) (string, error)) (found []string, err error) {
	for _, id := range ids {
		switch one, err := get(id); {
		case err == nil:
			found = append(found, one)
		case !errors.Is(err, trestle.ErrNotFound):
			return nil, err
		}
	}
	return found, nil
}

// idsOfSome returns the ids of the elements that are not nil.
func idsOfSome[T comparable](list []T, id func(T) string) (ids []string) {
	var none T
	for _, one := range list {
		if one != none {
			ids = append(ids, id(one))
		}
	}
	return ids
}

func idsOfGrains(items []any) (ids []string) {
	for _, item := range items {
		if g, ok := item.(grain); ok {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// farm is a table of grains, and a model of it: the kind of the item of each id.
type farm struct {
	client *dynamodb.Client
	table  *entity.Table
	typ    *entity.Type[grain]
	part   entity.Projection[grain, grainID]
	now    int64
	kinds  map[string]int
}

func newFarm(t *testing.T, client *dynamodb.Client) *farm {
	t.Helper()
	f := &farm{client: client, now: time.Now().Add(time.Hour).Unix(), kinds: map[string]int{}} // the engine deletes no item yet
	s := entity.NewSchema(entity.Config{
		Clock:   func() time.Time { return time.Unix(f.now, 0) },
		Indexes: []entity.IndexConfig{{Name: "All"}, {Name: "Keys", KeysOnly: true}, {Name: "Shards"}},
	})
	f.typ = entity.Define[grain](s)
	entity.Define[husk](s)
	f.part = entity.Project[grainID](f.typ)
	var err error
	f.table, err = s.Open(client, farmTable, entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, f.table.Create(t.Context()))
	return f
}

// store stores an item of a random kind in the place of a grain, and deletes what was there.
func (f *farm) store(ctx context.Context, rnd *rand.Rand, id string) error {
	if kind, ok := f.kinds[id]; ok {
		item, err := f.item(id, kind)
		if err == nil {
			_, err = f.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(farmTable), Key: attributes{"PK": item["PK"], "SK": item["SK"]}})
		}
		if err != nil {
			return err
		}
	}
	f.kinds[id] = rnd.IntN(len(kindsOfItems))
	item, err := f.item(id, f.kinds[id])
	if err != nil {
		return err
	}
	_, err = f.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(farmTable), Item: item})
	return err
}

func (f *farm) item(id string, kind int) (attributes, error) {
	g := grainAt(id)
	item, err := f.typ.Encode(&g)
	if err == nil {
		kindsOfItems[kind].change(item, f.now)
	}
	return item, err
}

// visible returns the ids that reads return.
func (f *farm) visible() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.kinds)), func(id string) bool { return !kindsOfItems[f.kinds[id]].visible })
}

// typed returns the ids of the items whose type attribute is that of grains.
func (f *farm) typed() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f.kinds)), func(id string) bool {
		item, err := f.item(id, f.kinds[id])
		name, ok := item["_type"].(*types.AttributeValueMemberS)
		return err != nil || !ok || name.Value != "grain"
	})
}

// check reads the field in every way, with the handle of the tenant and without. foreign is set if
// an entry of the indexes is an item of another tenant: without a handle, reads of indexes return
// it.
func (f *farm) check(ctx context.Context, foreign bool, options ...entity.CallOption) error {
	ids, want := slices.Sorted(maps.Keys(f.kinds)), f.visible()
	for name, own := range grainReads {
		for _, table := range []*entity.Table{f.table, f.table.Tenant("a")} {
			handle := table != f.table
			if own.scans && handle || foreign && !handle {
				continue
			}
			got, err := own.read(ctx, f, f.typ.In(table).With(options...), ids)
			switch slices.Sort(got); {
			case foreign && own.index && errors.Is(err, trestle.ErrTenant):
			case err != nil:
				return fmt.Errorf("%s, handle of the tenant %t: %w", name, handle, err)
			case foreign && own.index, !slices.Equal(got, want):
				return fmt.Errorf("%s, handle of the tenant %t, with %v: returned %v, not %v", name, handle, f.kinds, got, want)
			}
		}
	}
	n, err := query.On(f.typ.In(f.table.Tenant("a")).With(options...), "all", grainAt("")).Count(ctx)
	if foreign && errors.Is(err, trestle.ErrTenant) || !foreign && err == nil && n == len(want) {
		return nil
	}
	return fmt.Errorf("counted %d with error %w, not %d", n, err, len(want))
}

// Every read of a type returns the items of the type that have not expired, whatever else is in the
// same places: expired items, those of other types and of none, and the library's own. The handle
// of a tenant refuses an item of another one. Two negative controls must find other items: the same
// reads with expired items, and a read by the type attribute alone.
func TestEveryReadReturnsVisibleItems(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		rnd, f := rand.New(rand.NewPCG(seed, 2)), newFarm(t, e.Client(t))
		rounds := testsize.Sequential(10, 30, 60, 2_000)
		if e.Name == engines.DynamoDBLocal {
			rounds = testsize.Sequential(5, 10, 20, 500)
		}
		expired, typed := false, false
		for range rounds {
			for range 4 {
				require.NoError(t, f.store(t.Context(), rnd, strconv.Itoa(rnd.IntN(9))))
			}
			require.NoError(t, f.check(t.Context(), false))
			expired = expired || f.check(t.Context(), false, entity.ShowExpired()) != nil
			typed = typed || !slices.Equal(f.visible(), f.typed())
		}
		require.True(t, expired, "the control that returns expired items")
		require.True(t, typed, "the control by type attributes")

		foreign, err := f.item("5", 0)
		require.NoError(t, err)
		foreign["PK"], foreign["farm"] = stringAV("FARM#b#1"), stringAV("b")
		_, err = f.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(farmTable), Item: foreign})
		require.NoError(t, err)
		require.NoError(t, f.check(t.Context(), true))
	})
}

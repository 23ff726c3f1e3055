package query_test

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/replayed"
	"github.com/trestledb/trestle/query"
)

// invoice is a type whose sort key has changed. Its other keys are unchanged.
type invoice struct {
	Shop   string `dynamodbav:"shop"`
	ID     string `dynamodbav:"id"`
	Status string `dynamodbav:"status"`
}

func invoiceSpec(pk, sk string) entity.Spec {
	return entity.Spec{
		Type: "invoice", Key: entity.KeySpec{PK: pk, SK: sk},
		Indexes: []entity.IndexSpec{{Name: "by-status", On: "GSI1", PK: "STATUS#<status>", SK: "<id>"}},
	}
}

var invoiceConfig = entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}}

// lastEvent keeps the last event of an observer.
type lastEvent struct {
	mu    sync.Mutex
	event trestle.Event
}

func (l *lastEvent) observe(_ context.Context, e trestle.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.event = e
}

func (l *lastEvent) misplaced() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.event.Misplaced
}

// Every read that finds an item under the key of an older template counts it and returns it. An
// item under its own key is not counted.
func TestItemsOfAnOlderTemplateAreCounted(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		last := &lastEvent{}
		config := invoiceConfig
		config.Observer = trestle.ObserverFunc(last.observe)
		before, after := entity.NewSchema(invoiceConfig), entity.NewSchema(config)
		old := entity.DefineSpec[invoice](before, invoiceSpec("SHOP#<shop>", "INV#<id>"))
		now := entity.DefineSpec[invoice](after, invoiceSpec("SHOP#<shop>", "INV#<status>#<id>"))
		client := e.Client(t)
		oldTable, err := before.Open(client, "invoices")
		require.NoError(t, err)
		require.NoError(t, oldTable.Create(ctx))
		table, err := after.Open(client, "invoices", entity.PlainCursors())
		require.NoError(t, err)
		require.NoError(t, old.In(oldTable).Create(ctx, &invoice{Shop: "s", ID: "1", Status: "open"}))
		require.NoError(t, old.In(oldTable).Create(ctx, &invoice{Shop: "s", ID: "2", Status: "open"}))
		repo := now.In(table)
		require.NoError(t, repo.Create(ctx, &invoice{Shop: "s", ID: "3", Status: "open"}))
		byStatus := query.On(repo, "by-status", invoice{Status: "open"})

		all, err := byStatus.Collect(ctx)
		require.NoError(t, err)
		require.Len(t, all, 3)
		require.Equal(t, 2, last.misplaced())
		page, err := byStatus.Limit(2).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, 2, page.Misplaced)
		page, err = byStatus.Limit(2).Page(ctx, page.Next)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Zero(t, page.Misplaced)

		for _, err := range query.Items(ctx, query.Of(repo, invoice{Shop: "s"}).Collection()) {
			require.NoError(t, err)
		}
		require.Equal(t, 2, last.misplaced())
		for _, err := range query.ScanTable(table).All(ctx) {
			require.NoError(t, err)
		}
		require.Equal(t, 2, last.misplaced())
		misplaced := 0
		for _, err := range query.Scan(repo).Progress(func(p query.Progress) { misplaced = p.Misplaced }).All(ctx) {
			require.NoError(t, err)
		}
		require.Equal(t, 2, misplaced)
		n, err := byStatus.Count(ctx)
		require.NoError(t, err)
		require.Equal(t, 3, n)
		require.Zero(t, last.misplaced(), "a count reads no fields")
	})
}

// Items of types whose keys are not simply rendered from attributes are not counted: key-only
// fields, a random shard, an earlier number of shards, values in raw mode, numbers and folded
// texts.
func TestItemsUnderTheirKeysAreNotCounted(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, c := range map[string]struct {
			config entity.Config
			run    func(t *testing.T, s *entity.Schema, open func(*entity.Schema) *entity.Table)
		}{
			"key only":       {entity.Config{}, stored(&keyOnlyItem{A: "a#b", B: 7, C: "c"})},
			"random shard":   {entity.Config{}, stored(&randomShard{ID: "x"})},
			"raw mode":       {entity.Config{Raw: true}, stored(&rawItem{A: "a b", B: "c#d#e"})},
			"folded text":    {entity.Config{}, stored(&foldedItem{Name: "MiXed"})},
			"number as key":  {entity.Config{Partition: entity.N("n"), NoSort: true}, stored(&numberItem{N: 1200})},
			"bytes in a key": {entity.Config{}, stored(&bytesItem{ID: []byte{0, 255, '#'}})},
		} {
			t.Run(name, func(t *testing.T) {
				last := &lastEvent{}
				c.config.Observer = trestle.ObserverFunc(last.observe)
				c.run(t, entity.NewSchema(c.config), func(s *entity.Schema) *entity.Table {
					table, err := s.Open(e.Client(t), "things")
					require.NoError(t, err)
					require.NoError(t, table.Create(t.Context()))
					return table
				})
				require.Equal(t, 1, last.event.Items)
				require.Zero(t, last.misplaced())
			})
		}
	})
}

type (
	keyOnlyItem struct {
		_ entity.Key `type:"key-only" pk:"K#<a>" sk:"<b:06>#<c>"`
		A string     `dynamodbav:"a" entity:"key"`
		B int        `dynamodbav:"b" entity:"key"`
		C string     `dynamodbav:"c"`
	}
	randomShard struct {
		_     entity.Key `type:"random" pk:"R#<id>#<shard>" sk:"R" shards:"4"`
		ID    string     `dynamodbav:"id"`
		Shard *int       `dynamodbav:"shard" entity:"shard"`
	}
	rawItem struct {
		_ entity.Key `type:"raw" pk:"R#<a>" sk:"S#<b>"`
		A string     `dynamodbav:"a"`
		B string     `dynamodbav:"b"`
	}
	foldedItem struct {
		_    entity.Key `type:"folded" pk:"F#<name:lower>" sk:"F"`
		Name string     `dynamodbav:"name"`
	}
	numberItem struct {
		_ entity.Key `type:"number" pk:"<n>"`
		N int64      `dynamodbav:"n"`
	}
	bytesItem struct {
		_  entity.Key `type:"bytes" pk:"B#<id:hex>" sk:"B"`
		ID []byte     `dynamodbav:"id"`
	}
)

// stored returns a test that stores an item and scans the table.
func stored[T any](item *T) func(*testing.T, *entity.Schema, func(*entity.Schema) *entity.Table) {
	return func(t *testing.T, s *entity.Schema, open func(*entity.Schema) *entity.Table) {
		of := entity.Define[T](s)
		table := open(s)
		require.NoError(t, of.In(table).Create(t.Context(), item))
		for _, err := range query.Scan(of.In(table)).All(t.Context()) {
			require.NoError(t, err)
		}
	}
}

type measurement struct {
	Device string `dynamodbav:"device"`
	N      int    `dynamodbav:"n"`
}

func measurementSpec(shards ...int) entity.Spec {
	return entity.Spec{Type: "measurement", Key: entity.KeySpec{PK: "M#<device>#<shard:n>", SK: "<n:06>", Shards: shards}}
}

// An item in the shard of an earlier number of shards is found by every method, so it is not
// counted. An item in the shard of a number that the type does not have any more is counted.
func TestItemsOfEarlierShards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, client := t.Context(), e.Client(t)
		count := func(shards ...int) (misplaced int) {
			last := &lastEvent{}
			s := entity.NewSchema(entity.Config{Observer: trestle.ObserverFunc(last.observe)})
			of := entity.DefineSpec[measurement](s, measurementSpec(shards...))
			table, err := s.Open(client, "measurements")
			require.NoError(t, err)
			for _, err := range query.Scan(of.In(table)).All(ctx) {
				require.NoError(t, err)
			}
			require.Equal(t, 40, last.event.Items)
			return last.misplaced()
		}
		first := entity.NewSchema(entity.Config{})
		of := entity.DefineSpec[measurement](first, measurementSpec(3))
		table, err := first.Open(client, "measurements")
		require.NoError(t, err)
		require.NoError(t, table.Create(ctx))
		for i := range 40 {
			require.NoError(t, of.In(table).Put(ctx, &measurement{Device: "d", N: i}))
		}
		require.Zero(t, count(3))
		require.Zero(t, count(3, 7))
		require.NotZero(t, count(7))
	})
}

// BenchmarkPageOf1000 measures a page of 1,000 items without the time of DynamoDB. Its keys are
// compared; BenchmarkComparedKeys of package core measures the comparison alone.
func BenchmarkPageOf1000(b *testing.B) {
	db := ddbtest.Start(b)
	table, err := schema.Open(db.Client(), "people")
	require.NoError(b, err)
	require.NoError(b, table.Create(b.Context()))
	for i := range 1000 {
		require.NoError(b, employees.In(table).Put(b.Context(), &employee{CompanyID: "c1", ID: strconv.Itoa(1000 + i), HiredAt: day(1), Team: "t", Level: i}))
	}
	table, err = schema.Open(db.Client((&replayed.Transport{}).Install), "people")
	require.NoError(b, err)
	read := query.On(employees.In(table), "by-hire", employee{CompanyID: "c1"})
	b.ReportAllocs()
	for b.Loop() {
		all, err := read.Collect(b.Context())
		if err != nil || len(all) != 1000 {
			b.Fatal(len(all), err)
		}
	}
}

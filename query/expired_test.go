package query_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// memo expires. Its key in GSI2 is its time to live, so a filter cannot use it there.
type memo struct {
	_       entity.Key   `type:"memo" pk:"BOOK#<book>" sk:"NOTE#<id>"`
	_       entity.Index `name:"by-tag" on:"GSI1" pk:"TAG#<tag>" sk:"<id>"`
	_       entity.Index `name:"by-expiry" on:"GSI2" pk:"BOOK#<book>"`
	_       entity.Index `name:"without-time" on:"GSI3" pk:"TAG#<tag>" sk:"<id>"`
	_       entity.Index `name:"with-time" on:"GSI4" pk:"TAG#<tag>" sk:"<id>"`
	Book    string       `dynamodbav:"book"`
	ID      string       `dynamodbav:"id"`
	Tag     string       `dynamodbav:"tag"`
	Text    string       `dynamodbav:"text"`
	Expires int64        `dynamodbav:"expires" entity:"ttl"`
}

// loan expires, and is stored in shards.
type loan struct {
	_       entity.Key `type:"loan" pk:"VISITS#<book>#<shard:id>" sk:"<id>" shards:"3"`
	Book    string     `dynamodbav:"book"`
	ID      string     `dynamodbav:"id"`
	Expires int64      `dynamodbav:"expires" entity:"ttl"`
}

// cover does not expire.
type cover struct {
	_    entity.Key `type:"cover" pk:"BOOK#<id>" sk:"COVER"`
	ID   string     `dynamodbav:"id"`
	Ends int64      `dynamodbav:"ends"`
}

// memoID is a part of a note without the time to live.
type memoID struct {
	ID string `dynamodbav:"id"`
}

// expiring is a table of items that expire at its moment, later and never. Its clock is ahead of
// the engine's, which therefore deletes none of them.
type expiring struct {
	open   func(*testing.T, ...entity.TableOption) // sets the fields below
	table  *entity.Table
	notes  *entity.Repo[memo]
	visits *entity.Repo[loan]
	covers *entity.Repo[cover]
	ids    entity.Projection[memo, memoID]
	moment time.Time

	mu    sync.Mutex
	now   time.Time
	units float64

	requests int
}

func (x *expiring) clock() time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.now
}

// at sets the clock.
func (x *expiring) at(now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.now = now
}

func (x *expiring) Start(ctx context.Context, _ trestle.OperationInfo) context.Context { return ctx }

// End adds the cost of an operation.
func (x *expiring) End(_ context.Context, e trestle.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.units += e.Capacity.Read
	x.requests += e.Requests
}

func newExpiring(t *testing.T, client *dynamodb.Client) *expiring {
	t.Helper()
	x := &expiring{moment: time.Now().Add(time.Hour).Truncate(time.Second)}
	x.now = x.moment.Add(-time.Nanosecond)
	s := entity.NewSchema(entity.Config{
		Clock: x.clock, Observer: x,
		Indexes: []entity.IndexConfig{
			{Name: "GSI1"}, {Name: "GSI2", Partition: []entity.Attribute{entity.S("GSI2PK")}, Sort: []entity.Attribute{entity.N("expires")}},
			{Name: "GSI3", Include: []string{"_type", "id"}}, {Name: "GSI4", Include: []string{"_type", "id", "expires"}},
		},
	})
	notes, visits, covers := entity.Define[memo](s), entity.Define[loan](s), entity.Define[cover](s)
	x.ids = entity.Project[memoID](notes)
	x.open = func(t *testing.T, options ...entity.TableOption) {
		t.Helper()
		var err error
		x.table, err = s.Open(client, "library", append(options, entity.PlainCursors())...)
		require.NoError(t, err)
		x.notes, x.visits, x.covers = notes.In(x.table), visits.In(x.table), covers.In(x.table)
	}
	x.open(t)
	require.NoError(t, x.table.Create(t.Context()))
	later := x.moment.Add(time.Hour)
	for id, at := range map[string]time.Time{"a": x.moment, "b": later, "d": x.moment} {
		require.NoError(t, x.notes.Put(t.Context(), &memo{Book: "b", ID: id, Tag: "t", Expires: at.Unix()}))
		require.NoError(t, x.visits.Put(t.Context(), &loan{Book: "b", ID: id, Expires: at.Unix()}))
	}
	require.NoError(t, x.notes.Put(t.Context(), &memo{Book: "b", ID: "c", Tag: "t"}))
	require.NoError(t, x.visits.Put(t.Context(), &loan{Book: "b", ID: "c"}))
	require.NoError(t, x.covers.Put(t.Context(), &cover{ID: "b", Ends: 1}))
	return x
}

// readPath reads all items that expire. The result is their IDs, in any order.
type readPath struct {
	name string
	read func(ctx context.Context, x *expiring) ([]string, error)
	// absent are those of the items "a" to "d" that the path never returns.
	absent string
}

func memoIDs(list []memo, err error) ([]string, error) {
	ids := make([]string, len(list))
	for i, n := range list {
		ids[i] = n.ID
	}
	return ids, err
}

// each reads the items one by one. read returns false for no item.
func each(read func(id string) (bool, error)) (ids []string, err error) {
	for _, id := range []string{"a", "b", "c", "d"} {
		found, err := read(id)
		if err != nil && !errors.Is(err, trestle.ErrNotFound) {
			return nil, err
		}
		if found && err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// counted returns as many IDs as the items that were counted: those that never expire first.
func counted(n int, err error) ([]string, error) {
	return []string{"b", "c", "a", "d"}[:min(n, 4)], err
}

func streamed[R any](seq iter.Seq2[R, error], id func(R) string) (ids []string, err error) {
	for r, err := range seq {
		if err != nil {
			return nil, err
		}
		if id := id(r); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func anyID(v any) string {
	switch v := v.(type) {
	case memo:
		return v.ID
	case entity.Raw:
		if id, ok := v.Item["id"].(*types.AttributeValueMemberS); ok && v.Type == "memo" {
			return id.Value
		}
	}
	return ""
}

func (x *expiring) book() query.Query[memo] { return query.Of(x.notes, memo{Book: "b"}) }

var memoIDField = attr.Must(func(n *memo) *string { return &n.ID })

var readPaths = []readPath{
	{name: "Get", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return each(func(id string) (bool, error) { _, err := x.notes.Get(ctx, memo{Book: "b", ID: id}); return true, err })
	}},
	{name: "Strong Get", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return each(func(id string) (bool, error) {
			_, err := x.notes.Strong().Get(ctx, memo{Book: "b", ID: id})
			return true, err
		})
	}},
	{name: "Projection.Get", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return each(func(id string) (bool, error) {
			_, err := x.ids.Get(ctx, x.notes, memo{Book: "b", ID: id})
			return true, err
		})
	}},
	{name: "GetMany", read: func(ctx context.Context, x *expiring) ([]string, error) {
		found, err := x.notes.GetMany(ctx, x.keys())
		return listed(found, func(n *memo) string { return n.ID }), err
	}},
	{name: "Projection.GetMany", read: func(ctx context.Context, x *expiring) ([]string, error) {
		found, err := x.ids.GetMany(ctx, x.notes, x.keys())
		return listed(found, func(n *memoID) string { return n.ID }), err
	}},
	{name: "query.GetMany", read: func(ctx context.Context, x *expiring) (ids []string, err error) {
		var refs []query.ItemRef
		for _, k := range x.keys() {
			refs = append(refs, query.Ref(x.notes, k))
		}
		found, err := query.GetMany(ctx, refs...)
		for _, v := range found {
			if v != nil {
				ids = append(ids, anyID(v))
			}
		}
		return ids, err
	}},
	{name: "tx.Read", read: func(ctx context.Context, x *expiring) ([]string, error) {
		found, part := make([]*memo, 4), make([]*memoID, 4)
		var items []tx.Item
		for i, k := range x.keys() {
			if i%2 == 0 {
				items = append(items, tx.Get(x.notes, k, &found[i]))
			} else {
				items = append(items, tx.GetAs(x.ids, x.notes, k, &part[i]))
			}
		}
		err := tx.Read(ctx, items...)
		return append(listed(found, func(n *memo) string { return n.ID }), listed(part, func(n *memoID) string { return n.ID })...), err
	}},
	{name: "tx.Read of one", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return each(func(id string) (bool, error) {
			var found *memo
			err := tx.Read(ctx, tx.Get(x.notes, memo{Book: "b", ID: id}, &found))
			return found != nil, err
		})
	}},
	{name: "All", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(x.book().All(ctx), func(n memo) string { return n.ID })
	}},
	{name: "Collect", read: func(ctx context.Context, x *expiring) ([]string, error) { return memoIDs(x.book().Collect(ctx)) }},
	{name: "Collect of an index", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return memoIDs(query.On(x.notes, "by-tag", memo{Tag: "t"}).Collect(ctx))
	}},
	{name: "Collect by time to live", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return memoIDs(query.On(x.notes, "by-expiry", memo{Book: "b"}).Collect(ctx))
	}},
	{name: "Fetch without the time", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return memoIDs(query.On(x.notes, "without-time", memo{Tag: "t"}).Fetch().Collect(ctx))
	}},
	{name: "Fetch without the time, As", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.As(query.On(x.notes, "without-time", memo{Tag: "t"}).Fetch(), x.ids).All(ctx), func(n memoID) string { return n.ID })
	}},
	{name: "strong Fetch without the time", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return memoIDs(query.On(x.notes.Strong(), "without-time", memo{Tag: "t"}).Fetch().Limit(4).Collect(ctx))
	}},
	{name: "Fetch with the time", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return memoIDs(query.On(x.notes, "with-time", memo{Tag: "t"}).Fetch().Collect(ctx))
	}},
	{name: "Collect with a Limit", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return memoIDs(x.book().Limit(4).Collect(ctx))
	}},
	{name: "Collect of shards", read: func(ctx context.Context, x *expiring) (ids []string, err error) {
		return streamed(query.Of(x.visits, loan{Book: "b"}).PageSize(1).All(ctx), func(v loan) string { return v.ID })
	}},
	{name: "First", read: func(ctx context.Context, x *expiring) ([]string, error) {
		first, err := x.book().First(ctx)
		last, err2 := x.book().Desc().First(ctx)
		if first.ID == "a" && last.ID == "d" {
			return []string{"a", "b", "c", "d"}, errors.Join(err, err2)
		}
		return []string{first.ID, last.ID}, errors.Join(err, err2)
	}},
	{name: "One", absent: "bcd", read: func(ctx context.Context, x *expiring) ([]string, error) {
		n, err := x.book().Where(memoIDField.Eq("a")).One(ctx)
		if errors.Is(err, trestle.ErrNotFound) {
			return nil, nil
		}
		return []string{n.ID}, err
	}},
	{name: "Page", read: func(ctx context.Context, x *expiring) (ids []string, err error) {
		for cursor, more := "", true; more; more = cursor != "" {
			p, err := x.book().Limit(1).Page(ctx, cursor)
			if err != nil {
				return nil, err
			}
			page, _ := memoIDs(p.Items, nil)
			ids, cursor = append(ids, page...), p.Next
		}
		return ids, nil
	}},
	{name: "Count", read: func(ctx context.Context, x *expiring) ([]string, error) { return counted(x.book().Count(ctx)) }},
	{name: "Count of an index", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return counted(query.On(x.notes, "by-tag", memo{Tag: "t"}).Count(ctx))
	}},
	{name: "Count by time to live", read: func(ctx context.Context, x *expiring) ([]string, error) {
		n, err := query.On(x.notes, "by-expiry", memo{Book: "b"}).Count(ctx)
		return counted(n, err)
	}},
	{name: "Count with a Limit", read: func(ctx context.Context, x *expiring) ([]string, error) { return counted(x.book().Limit(4).Count(ctx)) }},
	{name: "Count of shards", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return counted(query.Of(x.visits, loan{Book: "b"}).Count(ctx))
	}},
	{name: "Count of a collection", read: func(ctx context.Context, x *expiring) ([]string, error) {
		n, err := x.book().Collection().Count(ctx)
		return counted(n-1, err) // without the cover
	}},
	{name: "As", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.As(x.book(), x.ids).All(ctx), func(n memoID) string { return n.ID })
	}},
	{name: "As by time to live", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.As(query.On(x.notes, "by-expiry", memo{Book: "b"}), x.ids).All(ctx), func(n memoID) string { return n.ID })
	}},
	{name: "Items", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.Items(ctx, x.book().Collection()), anyID)
	}},
	{name: "Load", read: func(ctx context.Context, x *expiring) ([]string, error) {
		var view struct {
			Cover cover
			Notes []memo
		}
		err := query.Load(ctx, x.book().Collection(), &view)
		return memoIDs(view.Notes, err)
	}},
	{name: "Scan", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.Scan(x.notes).Segments(2).All(ctx), func(n memo) string { return n.ID })
	}},
	{name: "Scan of an index", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.Scan(x.notes).On("by-expiry").All(ctx), func(n memo) string { return n.ID })
	}},
	{name: "ScanTable", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.ScanTable(x.table).All(ctx), anyID)
	}},
	{name: "ScanStored", read: func(ctx context.Context, x *expiring) ([]string, error) {
		return streamed(query.ScanStored(x.table).All(ctx), func(r entity.Raw) string { return anyID(r) })
	}},
}

// keys returns the keys of all notes.
func (x *expiring) keys() (keys []memo) {
	for _, id := range []string{"a", "b", "c", "d"} {
		keys = append(keys, memo{Book: "b", ID: id})
	}
	return keys
}

// listed returns the IDs of the items that exist.
func listed[P any](found []*P, id func(*P) string) (ids []string) {
	for _, p := range found {
		if p != nil {
			ids = append(ids, id(p))
		}
	}
	return ids
}

// read runs a path and returns the sorted IDs and the cost.
func (x *expiring) read(t *testing.T, p readPath) (string, float64) {
	t.Helper()
	x.units = 0
	ids, err := p.read(t.Context(), x)
	require.NoError(t, err, p.name)
	slices.Sort(ids)
	return fmt.Sprint(ids), x.units
}

// without returns the sorted IDs that a path returns, without the expired ones.
func (p readPath) without(expired string) string {
	var ids []string
	for _, id := range []string{"a", "b", "c", "d"} {
		if !slices.Contains([]byte(expired+p.absent), id[0]) {
			ids = append(ids, id)
		}
	}
	return fmt.Sprint(ids)
}

// An item is hidden from the second in its time to live on, on every read path. The read costs what
// it cost before, unless it reads on to find as many items. The negative control is the same read
// with ShowExpired.
func TestExpiredItemsAreHiddenOnEveryReadPath(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		x := newExpiring(t, e.Client(t))
		for _, p := range readPaths {
			x.at(x.moment.Add(-time.Nanosecond))
			before, cost := x.read(t, p)
			require.Equal(t, p.without(""), before, p.name)
			x.at(x.moment)
			after, same := x.read(t, p)
			require.Equal(t, p.without("ad"), after, p.name)
			if !slices.Contains([]string{"First", "Page", "Collect with a Limit", "Count with a Limit", "Fetch with the time", "strong Fetch without the time"}, p.name) {
				require.InDelta(t, cost, same, 0, p.name)
			}
			x.open(t, entity.ShowExpired())
			shown, _ := x.read(t, p)
			require.Equal(t, before, shown, p.name)
			x.open(t)
		}
	})
}

// A cursor continues a read at another time. It does not continue a read that returns expired
// items.
func TestCursorsDoNotDependOnTheTime(t *testing.T) {
	t.Parallel()
	x := newExpiring(t, ddbtest.Start(t).Client())
	first, err := x.book().Limit(1).Page(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, "a", first.Items[0].ID)
	x.at(x.moment.Add(time.Minute))
	second, err := x.book().Limit(3).Page(t.Context(), first.Next)
	require.NoError(t, err)
	ids, _ := memoIDs(second.Items, nil)
	require.Equal(t, []string{"b", "c"}, ids)
	x.open(t, entity.ShowExpired())
	_, err = x.book().Limit(3).Page(t.Context(), first.Next)
	require.ErrorIs(t, err, query.ErrCursor)
}

// A collection is deleted with its expired items.
func TestDeletingACollectionDeletesExpiredItems(t *testing.T) {
	t.Parallel()
	x := newExpiring(t, ddbtest.Start(t).Client())
	x.at(x.moment)
	deleted, err := x.book().Collection().Delete(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int{"memo": 4, "cover": 1}, deleted.ByType)
}

// A query has a filter for expired items, unless the time to live is a key attribute of its index.
func TestQueriesFilterExpiredItems(t *testing.T) {
	t.Parallel()
	x := newExpiring(t, ddbtest.Start(t).Client())
	explain := func(q query.Query[memo]) string {
		e, err := q.Explain()
		require.NoError(t, err)
		return e.Filter
	}
	require.Contains(t, explain(x.book()), "expires BETWEEN")
	require.Contains(t, explain(query.On(x.notes, "by-tag", memo{Tag: "t"})), "expires BETWEEN")
	require.NotContains(t, explain(query.On(x.notes, "by-expiry", memo{Book: "b"})), "BETWEEN")
	x.open(t, entity.ShowExpired())
	require.NotContains(t, explain(x.book()), "BETWEEN")
}

// A query of an index without the time to live reads the items if they have to be fetched.
func TestFetchReadsTheTimeToLive(t *testing.T) {
	t.Parallel()
	x := newExpiring(t, ddbtest.Start(t).Client())
	without := query.On(x.notes, "without-time", memo{Tag: "t"})
	_, err := query.As(without, x.ids).Explain()
	require.ErrorIs(t, err, trestle.ErrInvalid)
	e, err := query.As(without.Fetch(), x.ids).Explain()
	require.NoError(t, err)
	require.NotEmpty(t, e.Fetch)
	withTime, err := query.As(query.On(x.notes, "with-time", memo{Tag: "t"}).Fetch(), x.ids).Explain()
	require.NoError(t, err)
	require.Empty(t, withTime.Fetch)
	require.Contains(t, withTime.Filter, "expires BETWEEN")
}

// A page that drops many expired items needs few requests, with a filter and without: each reads
// more items than the one before.
func TestPagesGrowPastExpiredItems(t *testing.T) {
	t.Parallel()
	x := newExpiring(t, ddbtest.Start(t).Client())
	x.at(x.moment)
	for i := range 200 {
		require.NoError(t, x.notes.Put(t.Context(), &memo{Book: "many", ID: fmt.Sprintf("%03d", i), Tag: "many", Expires: x.moment.Unix() - 1}))
	}
	require.NoError(t, x.notes.Put(t.Context(), &memo{Book: "many", ID: "z", Tag: "many", Expires: x.moment.Unix() + 60}))
	for name, q := range map[string]query.Query[memo]{
		"filter": query.Of(x.notes, memo{Book: "many"}), "no filter": query.On(x.notes, "by-expiry", memo{Book: "many"}),
	} {
		x.requests = 0
		list, err := q.Limit(1).Collect(t.Context())
		require.NoError(t, err, name)
		require.Len(t, list, 1, name)
		require.LessOrEqual(t, x.requests, 10, name)
	}
}

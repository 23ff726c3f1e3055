package query_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// day27 is the day of the first event.
var day27 = eventStart.Truncate(24 * time.Hour)

// changingEvents are events of which those with an odd number come and go.
type changingEvents struct {
	repo  *entity.Repo[event]
	r     *rand.Rand
	owner string
	all   []event
}

func newChangingEvents(t *testing.T, repo *entity.Repo[event], r *rand.Rand) *changingEvents {
	t.Helper()
	c := &changingEvents{repo: repo, r: r, owner: fmt.Sprint(r.Uint64()), all: randomEvents(r, 4+r.IntN(40))}
	for i := range c.all {
		c.all[i].Owner = c.owner
		c.all[i].At = eventStart.Add(c.all[i].At.Sub(eventStart) / 16) // within six hours
		c.all[i].Even = r.IntN(3) > 0
		if i%2 == 0 || r.IntN(2) == 0 {
			require.NoError(t, repo.Put(t.Context(), &c.all[i]))
		}
	}
	return c
}

// change adds and deletes some events with odd numbers.
func (c *changingEvents) change(t *testing.T) {
	t.Helper()
	for range c.r.IntN(6) {
		one := c.all[c.r.IntN(len(c.all)/2)*2+1]
		if c.r.IntN(2) == 0 {
			require.NoError(t, c.repo.Put(t.Context(), &one))
		} else {
			require.NoError(t, c.repo.Delete(t.Context(), one))
		}
	}
}

// wrong reports an event with an even number that was not returned once, and an event that was
// returned twice or out of order.
func (c *changingEvents) wrong(got []event, filtered bool, order func(a, b event) int) string {
	seen := map[string]int{}
	for i, e := range got {
		if seen[e.ID]++; seen[e.ID] > 1 {
			return e.ID + " came twice"
		}
		if i > 0 && order(got[i-1], e) > 0 {
			return e.ID + " is out of order"
		}
	}
	for i, e := range c.all {
		if i%2 == 0 && seen[e.ID] == 0 && (e.Even || !filtered) {
			return e.ID + " did not come"
		}
	}
	return ""
}

// Pages of a query over shards and periods have each event that exists all the time once, and in
// order, while others are added and deleted between the pages.
func TestShardedPagesHaveEveryItem(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := testrand.New(t)
		for form := 1; form < len(eventPartitions); form++ {
			repo := eventsOn(t, e.Client(t), form, "<at:s>#<id>", entity.PlainCursors())
			cases := testsize.Sequential(20, 40, 200, 6_000)
			if e.Name != engines.InProcess {
				cases = testsize.Pick(3, 12, 100)
			}
			for range cases {
				events := newChangingEvents(t, repo, r)
				q := query.Of(repo, event{Owner: events.owner})
				order := func(a, b event) int { return a.At.Compare(b.At) }
				onScore := r.IntN(3) == 0
				if onScore {
					q = query.On(repo, "by-score", event{Owner: events.owner})
					order = func(a, b event) int { return a.Score - b.Score }
				}
				f := eventPartitions[form]
				switch {
				case f.hours:
					q = q.Where(eventAt.Between(eventStart, eventStart.Add(6*time.Hour)))
				case f.period:
					q = q.Where(attr.During(eventAt, attr.Period{Start: day27, End: day27.AddDate(0, 0, 2)}))
				}
				if f.period && onScore {
					order = func(event, event) int { return 0 }
				}
				if r.IntN(2) == 0 {
					q, order = q.Desc(), reversed(order)
				}
				filtered := r.IntN(2) == 0
				if filtered {
					q = q.Filter(eventEven.Eq(true))
				}
				q = bounded(q, r)
				got := events.pages(t, q, func(ctx context.Context, q query.Query[event], _ int, cursor string) (query.Page[event], error) {
					return q.Page(ctx, cursor)
				})
				require.Empty(t, events.wrong(got, filtered, order), "%s", f.name)
			}
		}
	})
}

// The test above finds the errors of a naive query of shards.
func TestShardedPagesControl(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	db, repo := openEvents(t, 1, "<at:s>#<id>")
	caught := 0
	for range 20 {
		events := newChangingEvents(t, repo, r)
		got := events.pages(t, query.Of(repo, event{Owner: events.owner}), naiveEvents(db.Client(), repo, events.owner, false))
		if events.wrong(got, false, func(a, b event) int { return a.At.Compare(b.At) }) != "" {
			caught++
		}
	}
	require.Greater(t, caught, 10)
}

// pages reads all pages of a query, and changes events between them.
func (c *changingEvents) pages(t *testing.T, q query.Query[event], next eventPager) (got []event) {
	t.Helper()
	for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
		require.Less(t, n, 2000, "the pages do not end")
		page, err := next(t.Context(), q, 3, cursor)
		require.NoError(t, err)
		got, cursor = append(got, page.Items...), page.Next
		c.change(t)
	}
	return got
}

func reversed(order func(a, b event) int) func(a, b event) int {
	return func(a, b event) int { return order(b, a) }
}

// bounded adds random bounds and budgets.
func bounded(q query.Query[event], r *rand.Rand) query.Query[event] {
	q = q.Periods(200, 1+r.IntN(3)).PageSize(1 + r.IntN(4))
	if r.IntN(2) == 0 {
		q = q.Limit(1 + r.IntN(5))
	}
	switch r.IntN(4) {
	case 0:
		q = q.MaxRequests(7 + r.IntN(3))
	case 1:
		q = q.MaxUnits(0.5 + float64(r.IntN(4)))
	}
	return q
}

// eventsOn creates a table of events with a form.
func eventsOn(t *testing.T, client trestle.Client, form int, sort string, options ...entity.TableOption) *entity.Repo[event] {
	t.Helper()
	s, events := eventSchema(eventPartitions[form].table, eventPartitions[form].index, sort, eventPartitions[form].shards)
	table, err := s.Open(client, fmt.Sprintf("events-%d", form), options...)
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return events.In(table)
}

// hundredShards opens a table of events in a number of shards, on a client that counts requests.
func hundredShards(t *testing.T, shards int, option entity.TableOption) (*counting, *entity.Repo[event]) {
	t.Helper()
	s, events := eventSchema("E#<owner>#<shard:id>", "S#<owner>", "<at:s>#<id>", []int{shards})
	client := ddbtest.Start(t).Client()
	table, err := s.Open(client, "events")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for i := range 150 {
		require.NoError(t, events.In(table).Put(t.Context(), &event{Owner: "o", At: eventStart.Add(time.Duration(i) * time.Minute), ID: fmt.Sprintf("%03d", i), Even: i%5 == 0}))
	}
	counted := &counting{Client: client}
	table, err = s.Open(counted, "events", option)
	require.NoError(t, err)
	return counted, events.In(table)
}

// The cursor of a query over 100 shards is at most twice as long as that of one shard, and all its
// alterations are refused without a request.
func TestCursorsOfManyShards(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for name, option := range map[string]entity.TableOption{"sealed": entity.Cursors(ring), "plain": entity.PlainCursors()} {
		longest := map[int]int{}
		for _, shards := range []int{1, 100} {
			counted, repo := hundredShards(t, shards, option)
			for _, q := range []query.Query[event]{
				query.Of(repo, event{Owner: "o"}), query.Of(repo, event{Owner: "o"}).Limit(7), query.Of(repo, event{Owner: "o"}).Limit(20).Desc(),
				query.Of(repo, event{Owner: "o"}).Limit(7).Filter(eventEven.Eq(true)),
			} {
				for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
					page, err := q.Page(t.Context(), cursor)
					require.NoError(t, err)
					cursor = page.Next
					longest[shards] = max(longest[shards], len(cursor))
				}
			}
			page, err := query.Of(repo, event{Owner: "o"}).Limit(7).Page(t.Context(), "")
			require.NoError(t, err)
			before := counted.sent.Load()
			for kind, texts := range alterations(page.Next, r) {
				for _, text := range texts {
					_, err := query.Of(repo, event{Owner: "o"}).Limit(7).Page(t.Context(), text)
					require.ErrorIs(t, err, query.ErrCursor, "%s: %s", name, kind)
				}
			}
			require.Equal(t, before, counted.sent.Load(), "requests for refused cursors")
		}
		t.Log(name, longest)
		require.Positive(t, longest[1])
		require.LessOrEqual(t, longest[100], 2*longest[1], name)
	}
}

// Positions that no read of the shards can have are refused without a request. Those that one can
// have are accepted, because anybody can make a plain cursor.
func TestForgedPositionsOfShards(t *testing.T) {
	t.Parallel()
	client := ddbtest.Start(t).Client()
	counted := &counting{Client: client}
	eventsOn(t, client, 5, "<at:s>#<id>") // hours with 3 shards
	s, events := eventSchema(eventPartitions[5].table, eventPartitions[5].index, "<at:s>#<id>", eventPartitions[5].shards)
	table, err := s.Open(counted, "events-5", entity.PlainCursors())
	require.NoError(t, err)
	repo := events.In(table)
	q := query.Of(repo, event{Owner: "o"}).Where(eventAt.Between(eventStart, eventStart.Add(3*time.Hour)))
	at := func(hour, shard, minute int) op.Item {
		text := eventStart.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute).Format(time.RFC3339)
		return op.Item{
			"PK": core.KeyValue("S", fmt.Sprintf("E#o#%s#%03d", text[:13], shard)), "SK": core.KeyValue("S", text+"#a"),
		}
	}
	own := func(stream int, after op.Item) cursor.Position { return cursor.Position{Stream: stream, After: after} }
	base := func(stream int, after op.Item, ended ...int) cursor.Position {
		return cursor.Position{Stream: stream, After: after, Merged: true, Ended: ended}
	}
	for name, c := range map[string]struct {
		at []cursor.Position
		ok bool
	}{
		"the beginning":         {[]cursor.Position{base(0, nil)}, true},
		"a group":               {[]cursor.Position{base(3, nil, 1)}, true},
		"an item":               {[]cursor.Position{base(4, at(1, 1, 5), 0, 2)}, true},
		"own position":          {[]cursor.Position{base(4, at(1, 1, 5)), own(3, at(1, 0, 7)), own(5, at(1, 2, 5))}, true},
		"another shard":         {[]cursor.Position{base(4, at(1, 2, 5))}, false},
		"another period":        {[]cursor.Position{base(4, at(2, 1, 5))}, false},
		"outside of the period": {[]cursor.Position{base(4, at(1, 1, 65))}, false},
		"outside of the range":  {[]cursor.Position{base(10, at(3, 1, 5))}, false},
		"beyond the streams":    {[]cursor.Position{base(12, nil)}, false},
		"ended beyond":          {[]cursor.Position{base(0, nil, 3)}, false},
		"all ended":             {[]cursor.Position{base(0, nil, 0, 1, 2)}, false},
		"not merged":            {[]cursor.Position{own(4, at(1, 1, 5))}, false},
		"none":                  {nil, false},
		"two bases":             {[]cursor.Position{base(0, nil), base(3, nil)}, false},
		"twice":                 {[]cursor.Position{base(3, nil), own(3, at(1, 0, 7)), own(3, at(1, 0, 7))}, false},
		"another order":         {[]cursor.Position{base(3, nil), own(4, at(1, 1, 7)), own(3, at(1, 0, 7))}, false},
		"another group":         {[]cursor.Position{base(3, nil), own(6, at(2, 0, 7))}, false},
		"before the base":       {[]cursor.Position{base(4, at(1, 1, 5)), own(3, at(1, 0, 4))}, false},
		"of an ended shard":     {[]cursor.Position{base(3, nil, 1), own(4, at(1, 1, 7))}, false},
		"own, another shard":    {[]cursor.Position{base(3, nil), own(4, at(1, 2, 7))}, false},
		"the middle of a group": {[]cursor.Position{base(4, nil)}, false},
	} {
		token, err := q.Forge(func(a []core.Attribute) []core.Attribute { return a }, c.at, time.Now())
		require.NoError(t, err, name)
		before := counted.sent.Load()
		page, err := q.Page(t.Context(), token)
		if c.ok {
			require.NoError(t, err, name)
			require.Empty(t, page.Items)
			require.Less(t, before, counted.sent.Load(), name)
			continue
		}
		require.ErrorIs(t, err, query.ErrCursor, name)
		require.Equal(t, before, counted.sent.Load(), name)
	}
}

// native is an entity whose sort key is a number or bytes without text around it.
type native struct {
	Owner string `dynamodbav:"owner"`
	N     int64  `dynamodbav:"n"`
	B     []byte `dynamodbav:"b"`
}

// Shards are merged by native numbers and bytes.
func TestShardsWithNativeSortKeys(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for sort, attribute := range map[string]entity.Attribute{"<n>": entity.N("SK"), "<b>": entity.B("SK")} {
			s := entity.NewSchema(entity.Config{Sort: attribute})
			all := entity.DefineSpec[native](s, entity.Spec{Type: "native", Key: entity.KeySpec{PK: "N#<owner>#<shard:" + sort[1:], SK: sort, Shards: []int{3}}})
			table, err := s.Open(e.Client(t), "native-"+sort[1:2], entity.PlainCursors())
			require.NoError(t, err)
			require.NoError(t, table.Create(t.Context()))
			repo := all.In(table)
			for i := range hardNumbers {
				require.NoError(t, repo.Put(t.Context(), &native{Owner: "o", N: hardNumbers[i], B: hardBytes[i]}))
			}
			for _, desc := range []bool{false, true} {
				numbers, texts := slices.Clone(hardNumbers), slices.Clone(hardBytes)
				slices.SortFunc(texts, bytes.Compare)
				q := query.Of(repo, native{Owner: "o"})
				if desc {
					slices.Reverse(numbers)
					slices.Reverse(texts)
					q = q.Desc()
				}
				for _, limit := range []int{1, 2, 5, 100} {
					var got []native
					for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
						page, err := q.Limit(limit).Page(t.Context(), cursor)
						require.NoError(t, err)
						got, cursor = append(got, page.Items...), page.Next
					}
					require.Len(t, got, len(numbers))
					for i, one := range got {
						require.True(t, sort == "<n>" && one.N == numbers[i] || sort == "<b>" && string(one.B) == string(texts[i]), "%s %d", sort, i)
					}
				}
			}
		}
	})
}

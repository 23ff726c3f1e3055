package query_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// manyShards opens a table of events in a number of shards, on a client that counts requests.
func manyShards(t *testing.T, shards int, option entity.TableOption) (*counting, *entity.Repo[event]) {
	t.Helper()
	s, events := eventSchema("E#<owner>#<shard:id>", "S#<owner>", "<at:s>#<id>", []int{shards})
	client := ddbtest.Start(t).Client()
	counted := &counting{Client: client}
	table, err := s.Open(client, "events")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	table, err = s.Open(counted, "events", option)
	require.NoError(t, err)
	for i := range 40 {
		require.NoError(t, events.In(table).Put(t.Context(), &event{Owner: "o", At: eventStart.Add(time.Duration(i) * time.Minute), ID: fmt.Sprint(i), Even: i > 20}))
	}
	return counted, events.In(table)
}

// All alterations of cursors of shards are refused without a request: of those with a base only,
// and of those with own positions.
func TestAlteredCursorsOfShards(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	r := testrand.New(t)
	for name, option := range map[string]entity.TableOption{"sealed": entity.Cursors(ring), "plain": entity.PlainCursors()} {
		for shards, of := range map[int]func(query.Query[event]) query.Query[event]{
			20: func(q query.Query[event]) query.Query[event] { return q.Limit(7) },
			3: func(q query.Query[event]) query.Query[event] {
				return q.Filter(eventEven.Eq(true)).PageSize(2).MaxRequests(4)
			},
		} {
			counted, repo := manyShards(t, shards, option)
			q := of(query.Of(repo, event{Owner: "o"}))
			page, err := q.Page(t.Context(), "")
			require.NoError(t, err)
			require.NotEmpty(t, page.Next)
			before := counted.sent.Load()
			for kind, texts := range alterations(page.Next, r) {
				for _, text := range texts {
					_, err := q.Page(t.Context(), text)
					require.ErrorIs(t, err, query.ErrCursor, "%s, %d shards: %s", name, shards, kind)
				}
			}
			require.Equal(t, before, counted.sent.Load(), "requests for refused cursors")
			_, err = q.Page(t.Context(), page.Next)
			require.NoError(t, err)
		}
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

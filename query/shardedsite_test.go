package query_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// The partitions of a site have hits, which share their key with misses, and notes. The index has
// partitions of a day in shards.
type (
	hit struct {
		_    entity.Key   `type:"hit" pk:"SITE#<site>#<shard:id>" sk:"AT#<at:s>#<id>" shards:"4" shared:"yes"`
		_    entity.Index `name:"by-day" on:"GSI1" pk:"SITE#<site>#<at:day>#<shard>" sk:"<at:s>" shards:"2,3"`
		_    entity.Index `name:"by-size" on:"GSI2" pk:"SITE#<site>#<at:month>" sk:"<size:06>"`
		Site string       `dynamodbav:"site"`
		ID   string       `dynamodbav:"id"`
		At   time.Time    `dynamodbav:"at"`
		Size int          `dynamodbav:"size"`
	}
	miss struct {
		_    entity.Key `type:"miss" pk:"SITE#<site>#<shard:id>" sk:"AT#<at:s>#<id>" shards:"4" shared:"yes"`
		Site string     `dynamodbav:"site"`
		ID   string     `dynamodbav:"id"`
		At   time.Time  `dynamodbav:"at"`
	}
	note struct {
		_    entity.Key `type:"note" pk:"SITE#<site>#<shard:id>" sk:"NOTE#<id>" shards:"4"`
		Site string     `dynamodbav:"site"`
		ID   string     `dynamodbav:"id"`
	}
)

var (
	siteSchema = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}, {Name: "GSI2"}}})
	hits       = entity.Define[hit](siteSchema)
	misses     = entity.Define[miss](siteSchema)
	notes      = entity.Define[note](siteSchema)
	hitAt      = attr.Must(func(h *hit) *time.Time { return &h.At })
	hitSize    = attr.Must(func(h *hit) *int { return &h.Size })
	hitID      = attr.Must(func(h *hit) *string { return &h.ID })
	hitViews   = entity.Project[hitView](hits)
)

type hitView struct {
	ID string `dynamodbav:"id"`
}

const (
	siteHits  = 60 // two every second hour
	siteNotes = 7
)

// openSite stores 60 hits of a site, every second hour two at the same time, and between them 60
// misses, and notes.
func openSite(t *testing.T, client trestle.Client) *entity.Table {
	t.Helper()
	table, err := siteSchema.Open(client, "site", entity.Cursors(ring))
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	h, m, n := make([]hit, siteHits), make([]miss, siteHits), make([]note, siteNotes)
	for i := range h {
		at := day(1).Add(time.Duration(i/2) * 2 * time.Hour)
		h[i] = hit{Site: "s", ID: fmt.Sprintf("h%02d", i), At: at, Size: i % 7}
		m[i] = miss{Site: "s", ID: fmt.Sprintf("m%02d", i), At: at}
	}
	for i := range n {
		n[i] = note{Site: "s", ID: fmt.Sprint(i)}
	}
	require.NoError(t, hits.In(table).PutMany(t.Context(), pointersTo(h)))
	require.NoError(t, misses.In(table).PutMany(t.Context(), pointersTo(m)))
	require.NoError(t, notes.In(table).PutMany(t.Context(), pointersTo(n)))
	return table
}

// hitIDs returns the ids of hits from the one with a number on.
func hitIDs(first, last int) (ids []string) {
	for i := first; i <= last; i++ {
		ids = append(ids, fmt.Sprintf("h%02d", i))
	}
	return ids
}

func idsOfHits(list []hit) (ids []string) {
	for _, h := range list {
		ids = append(ids, h.ID)
	}
	return ids
}

// Every method reads all shards and periods of a query: those of the table, and of an index.
func TestShardedQueries(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		r := hits.In(openSite(t, e.Client(t)))
		table := query.Of(r, hit{Site: "s"})
		days := query.On(r, "by-day", hit{Site: "s"}).Where(hitAt.Between(day(2), day(3).Add(2*time.Hour)))
		month := query.On(r, "by-size", hit{Site: "s"}).Where(attr.During(hitAt, attr.Month(2026, 8)))
		for name, c := range map[string]struct {
			q     query.Query[hit]
			want  []string
			after func([]string) // sorts ids at equal times
		}{
			"table":             {table, hitIDs(0, 59), nil},
			"condition":         {table.Where(hitAt.Ge(day(2))), hitIDs(24, 59), nil},
			"strong":            {query.Of(r.Strong(), hit{Site: "s"}).Where(hitAt.Lt(day(2))), hitIDs(0, 23), nil},
			"second and prefix": {table.Where(hitAt.Eq(day(2)), attr.BeginsWith(hitID, "h2")), hitIDs(24, 25), nil},
			"prefetch":          {table.PageSize(3).Prefetch(), hitIDs(0, 59), nil},
			"days":              {days, hitIDs(24, 51), slices.Sort[[]string]},
			"days at once":      {days.Periods(2, 5).PageSize(2), hitIDs(24, 51), slices.Sort[[]string]},
			"day by the example": {
				query.On(r, "by-day", hit{Site: "s", At: day(2).Add(time.Hour)}).Where(hitAt.Gt(day(2))), hitIDs(26, 47), slices.Sort[[]string],
			},
			"an hour": {query.On(r, "by-day", hit{Site: "s"}).Where(attr.During(hitAt, attr.Hour(2026, 8, 2, 4))), hitIDs(28, 29), slices.Sort[[]string]},
			"month":   {month, hitIDs(0, 59), slices.Sort[[]string]},
		} {
			checkHits(t, name, c.q, c.want, c.after)
			if c.after == nil {
				slices.Reverse(c.want)
				checkHits(t, name+", descending", c.q.Desc(), c.want, nil)
			}
		}
		view, err := query.As(table.Limit(5), hitViews).Collect(t.Context())
		require.NoError(t, err)
		require.Len(t, view, 5)
		require.Equal(t, "h04", view[4].ID)
	})
}

// checkHits reads a query in every way.
func checkHits(t *testing.T, name string, q query.Query[hit], want []string, after func([]string)) {
	t.Helper()
	require.Equal(t, want, sortedHits(t, after, func() ([]hit, error) { return q.Collect(t.Context()) }), name)
	require.Equal(t, want, sortedHits(t, after, func() (all []hit, err error) {
		for h, err := range q.All(t.Context()) {
			if err != nil {
				return nil, err
			}
			all = append(all, h)
		}
		return all, nil
	}), name)
	for _, limited := range []query.Query[hit]{q.Limit(7), q.Filter(hitSize.Ge(0)).Limit(9).PageSize(4).MaxUnits(2)} {
		got := sortedHits(t, after, func() (all []hit, err error) {
			for cursor, n := "", 0; n == 0 || cursor != ""; n++ {
				require.Less(t, n, 300, "the pages do not end")
				p, err := limited.Page(t.Context(), cursor)
				if err != nil {
					return nil, err
				}
				all, cursor = append(all, p.Items...), p.Next
			}
			return all, nil
		})
		require.Equal(t, want, got, name)
	}
	n, err := q.Count(t.Context())
	require.NoError(t, err, name)
	require.Len(t, want, n, name)
	first, err := q.First(t.Context())
	require.NoError(t, err, name)
	require.True(t, after != nil || first.ID == want[0], name)
	_, err = q.One(t.Context())
	require.ErrorIs(t, err, query.ErrSeveral, name)
}

func sortedHits(t *testing.T, after func([]string), read func() ([]hit, error)) []string {
	t.Helper()
	list, err := read()
	require.NoError(t, err)
	ids := idsOfHits(list)
	if after != nil {
		after(ids)
	}
	return ids
}

// A collection of shards has the items of every type, in the order of their sort keys.
func TestCollectionsOfShards(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		table := openSite(t, e.Client(t))
		c := query.Of(hits.In(table), hit{Site: "s"}).Collection()
		var view struct {
			Hits   []hit
			Misses []miss
			Notes  []*note
		}
		require.NoError(t, query.Load(t.Context(), c, &view))
		require.Equal(t, hitIDs(0, 59), idsOfHits(view.Hits))
		require.Len(t, view.Misses, siteHits)
		require.Len(t, view.Notes, siteNotes)
		for name, part := range map[string]struct {
			c    query.Collection
			want int
		}{
			"all": {c, 2*siteHits + siteNotes}, "prefix": {c.Prefix("NOTE#"), siteNotes}, "hits": {c.Prefix("AT#"), 2 * siteHits},
			"between": {c.Between("AT#2026-08-02", "AT#2026-08-03"), 48}, "from": {c.Between("NOTE#3", ""), siteNotes - 3},
			"type":  {c.Types(misses), siteHits},
			"types": {c.Types(hits, notes).Between("AT#2026-08-02", ""), siteHits - 24 + siteNotes},
			"where": {query.Of(hits.In(table), hit{Site: "s"}).Where(hitAt.Lt(day(2))).Collection(), 48},
			"desc":  {query.Of(hits.In(table), hit{Site: "s"}).Desc().Collection(), 2*siteHits + siteNotes},
		} {
			n, err := part.c.Count(t.Context())
			require.NoError(t, err, name)
			require.Equal(t, part.want, n, name)
			require.Len(t, collect(t, query.Items(t.Context(), part.c)), part.want, name)
			found := 0
			for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
				page, err := part.c.Page(t.Context(), cursor)
				require.NoError(t, err, name)
				found, cursor = found+len(page.Items), page.Next
			}
			require.Equal(t, part.want, found, name)
		}
		deleted, err := c.Between("AT#2026-08-02", "").Delete(t.Context())
		require.NoError(t, err)
		require.Equal(t, map[string]int{"hit": 36, "miss": 36, "note": siteNotes}, deleted.ByType)
	})
}

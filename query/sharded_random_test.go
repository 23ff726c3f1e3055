package query_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// event is an entity whose keys are declared by specs, so that schemas differ in them only.
type event struct {
	Owner string    `dynamodbav:"owner"`
	At    time.Time `dynamodbav:"at"`
	ID    string    `dynamodbav:"id"`
	Score int       `dynamodbav:"score"`
	Even  bool      `dynamodbav:"even"`
}

var (
	eventAt    = attr.Must(func(e *event) *time.Time { return &e.At })
	eventID    = attr.Must(func(e *event) *string { return &e.ID })
	eventScore = attr.Must(func(e *event) *int { return &e.Score })
	eventEven  = attr.Must(func(e *event) *bool { return &e.Even })
)

// eventPartitions are forms of the partition keys of events, on the table and on an index. The
// first one has one partition for each owner.
var eventPartitions = []struct {
	name, table, index string
	shards             []int
	period             bool
}{
	{name: "one partition", table: "E#<owner>", index: "S#<owner>"},
	{name: "computed shard", table: "E#<owner>#<shard:id>", index: "S#<owner>#<shard:id>", shards: []int{5}},
	{name: "several fields", table: "E#<shard:owner,at,id>#<owner>", index: "S#<shard:at,owner>#<owner>", shards: []int{3}},
	{name: "shard of the whole key", table: "E#<owner>", index: "S#<owner>#<shard>", shards: []int{2, 7}},
	{name: "days", table: "E#<owner>#<at:day>", index: "S#<owner>#<at:day>", period: true},
	{name: "hours with shards", table: "E#<owner>#<at:hour>#<shard:id>", index: "S#<owner>#<at:hour>#<shard>", shards: []int{3}, period: true},
}

// openEvents opens a table of events with one of the forms.
func openEvents(t *testing.T, form int, sort string) (*ddbtest.DB, *entity.Repo[event]) {
	t.Helper()
	f := eventPartitions[form]
	spec := entity.Spec{
		Type: "event", Key: entity.KeySpec{PK: f.table, SK: sort},
		Indexes: []entity.IndexSpec{{Name: "by-score", On: "GSI1", PK: f.index, SK: "<score:04>", Shards: f.shards}},
	}
	if len(f.shards) == 1 {
		spec.Key.Shards = f.shards
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	events := entity.DefineSpec[event](s, spec)
	db := ddbtest.Start(t)
	table, err := s.Open(db.Client(), "events", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	return db, events.In(table)
}

// eventStart is the first time of events.
var eventStart = time.Date(2026, 2, 27, 20, 0, 0, 0, time.UTC)

// randomEvents returns events of one owner within four days, several of them at the same time.
func randomEvents(r *rand.Rand, n int) []event {
	list := make([]event, n)
	for i := range list {
		at := eventStart.Add(time.Duration(r.IntN(96*60)) * time.Minute)
		if i > 0 && r.IntN(4) == 0 {
			at = list[i-1].At
		}
		list[i] = event{Owner: "o", At: at, ID: fmt.Sprintf("%c%d", 'a'+rune(r.IntN(3)), i), Score: r.IntN(12), Even: r.IntN(2) == 0}
	}
	return list
}

// eventQuery is a random query, built for any form.
type eventQuery struct {
	bound  attr.KeyCond[event] // on the time; nil: none
	where  []attr.KeyCond[event]
	filter []attr.Cond[event]
	index  bool
	desc   bool
	limit  int
	page   int
}

func (q eventQuery) on(r *entity.Repo[event]) query.Query[event] {
	made := query.Of(r, event{Owner: "o"})
	if q.index {
		made = query.On(r, "by-score", event{Owner: "o"})
	}
	made = made.Where(q.where...).Filter(q.filter...).Periods(1000, 1+q.limit%3)
	if q.bound != nil {
		made = made.Where(q.bound)
	}
	if q.desc {
		made = made.Desc()
	}
	if q.page > 0 {
		made = made.PageSize(q.page)
	}
	return made
}

// onOne returns the same query of one partition, whose index does not have the time in its key.
func (q eventQuery) onOne(r *entity.Repo[event]) query.Query[event] {
	if q.bound != nil && q.index {
		q.filter = append(slices.Clone(q.filter), q.bound)
		q.bound = nil
	}
	q.page = 0
	return q.on(r)
}

// randomEventQuery returns a query on the sort key <at:s>#<id>, or on the index by the score.
func randomEventQuery(r *rand.Rand, list []event, period bool) eventQuery {
	q := eventQuery{index: r.IntN(3) == 0, desc: r.IntN(2) == 0, limit: 1 + r.IntN(12)}
	some := list[r.IntN(len(list))].At.Add(time.Duration(r.IntN(3)-1) * time.Second)
	other := list[r.IntN(len(list))].At
	if other.Before(some) {
		some, other = other, some
	}
	if period { // few partitions, to test many queries
		some = other.Add(-other.Sub(some) / 8).Truncate(time.Second)
	}
	bounded := []attr.KeyCond[event]{
		attr.During(eventAt, attr.Hour(2026, 2, 28, 7)), attr.During(eventAt, attr.Day(2026, 2, 28)), attr.During(eventAt, attr.Period{Start: some, End: other}),
		eventAt.Between(some, other), eventAt.Between(eventStart.Add(-5*time.Hour), eventStart.Add(time.Hour)), eventAt.Eq(other),
	}
	switch {
	case period && q.index:
		q.bound = bounded[1]
	case period:
		q.bound = bounded[r.IntN(len(bounded))]
	case !q.index:
		open := []attr.KeyCond[event]{nil, eventAt.Lt(some), eventAt.Le(some), eventAt.Gt(some), eventAt.Ge(some)}
		q.bound = append(bounded, open...)[r.IntN(len(bounded)+len(open))]
	}
	if q.bound == bounded[5] && !q.index && r.IntN(2) == 0 {
		q.where = append(q.where, attr.BeginsWith(eventID, "a"))
	}
	if q.index && r.IntN(2) == 0 {
		low := r.IntN(12)
		q.where = append(q.where, []attr.KeyCond[event]{
			eventScore.Eq(low), eventScore.Gt(low), eventScore.Lt(low), eventScore.Between(low, low+3),
		}[r.IntN(4)])
	}
	if r.IntN(4) == 0 {
		q.filter = append(q.filter, eventEven.Eq(true))
	}
	if r.IntN(3) == 0 {
		q.page = 1 + r.IntN(6)
	}
	return q
}

// pointersTo yields pointers to the elements of a slice.
func pointersTo[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

func eventIDs(list []event) (ids []string) {
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}

// pagesOfEvents reads all pages of a query.
func pagesOfEvents(ctx context.Context, q query.Query[event], limit int) (all []event, err error) {
	cursor := ""
	for n := 0; ; n++ {
		p, err := q.Limit(limit).Page(ctx, cursor)
		if err != nil {
			return nil, err
		}
		if len(p.Items) > limit {
			return nil, errors.New("a page exceeds its limit")
		}
		all = append(all, p.Items...)
		if cursor = p.Next; cursor == "" {
			return all, nil
		}
		if n > 500 {
			return nil, errors.New("the pages do not end")
		}
	}
}

// A query over shards and periods returns what the same query returns from one partition: all of
// it, in the same order, in pages of every size.
func TestRandomShardedQueries(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for form := 1; form < len(eventPartitions); form++ {
		t.Run(eventPartitions[form].name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, uint64(form)))
			cases := testsize.Pick(60, 2_000, 20_000)
			_, one := openEvents(t, 0, "<at:s>#<id>")
			_, many := openEvents(t, form, "<at:s>#<id>")
			list := randomEvents(r, 90)
			for _, repo := range []*entity.Repo[event]{one, many} {
				require.NoError(t, repo.PutMany(t.Context(), pointersTo(list)))
			}
			for range cases {
				q := randomEventQuery(r, list, eventPartitions[form].period)
				compareEvents(t, q, one, many, eventPartitions[form].period)
			}
		})
	}
}

// compareEvents runs a query on one partition and on many.
func compareEvents(t *testing.T, q eventQuery, one, many *entity.Repo[event], period bool) {
	t.Helper()
	want, err := q.onOne(one).Collect(t.Context())
	require.NoError(t, err)
	got, err := q.on(many).Collect(t.Context())
	require.NoError(t, err)
	paged, err := pagesOfEvents(t.Context(), q.on(many), q.limit)
	require.NoError(t, err)
	n, err := q.on(many).Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(want), n)
	for _, list := range [][]event{got, paged} {
		if !q.index {
			require.Equal(t, eventIDs(want), eventIDs(list), "%+v", q)
			continue
		}
		require.ElementsMatch(t, eventIDs(want), eventIDs(list), "%+v", q.limit, q.page, q.desc, len(q.filter), len(q.where))
		byScore := func(a, b event) int { return a.Score - b.Score }
		if q.desc {
			byScore = func(a, b event) int { return b.Score - a.Score }
		}
		require.True(t, period || slices.IsSortedFunc(list, byScore), "%+v", q)
	}
}

package query_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
	hours              bool // the period is an hour, so that queries are of fewer hours
}{
	{name: "one partition", table: "E#<owner>", index: "S#<owner>"},
	{name: "computed shard", table: "E#<owner>#<shard:id>", index: "S#<owner>#<shard:id>", shards: []int{5}},
	{name: "several fields", table: "E#<shard:owner,at,id>#<owner>", index: "S#<shard:at,owner>#<owner>", shards: []int{3}},
	{name: "shard of the whole key", table: "E#<owner>", index: "S#<owner>#<shard>", shards: []int{2, 7}},
	{name: "days", table: "E#<owner>#<at:day>", index: "S#<owner>#<at:day>", period: true},
	{name: "hours with shards", table: "E#<owner>#<at:hour>#<shard:id>", index: "S#<owner>#<at:hour>#<shard>", shards: []int{3}, period: true, hours: true},
}

// eventSchema returns a schema of events. One number of shards applies to the table, too.
func eventSchema(partition, index, sort string, shards []int) (*entity.Schema, *entity.Type[event]) {
	spec := entity.Spec{
		Type: "event", Key: entity.KeySpec{PK: partition, SK: sort},
		Indexes: []entity.IndexSpec{{Name: "by-score", On: "GSI1", PK: index, SK: "<score:04>"}},
	}
	if strings.Contains(partition, "<shard") {
		spec.Key.Shards = shards[:1]
	}
	if strings.Contains(index, "<shard") {
		spec.Indexes[0].Shards = shards
	}
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	return s, entity.DefineSpec[event](s, spec)
}

// openEvents opens a table of events with one of the forms.
func openEvents(t *testing.T, form int, sort string) (*ddbtest.DB, *entity.Repo[event]) {
	t.Helper()
	db := ddbtest.Start(t)
	return db, eventsOn(t, db.Client(), form, sort, entity.PlainCursors())
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
	// Budgets; 0: none.
	requests int
	units    float64
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
	if q.requests > 0 {
		made = made.MaxRequests(q.requests)
	}
	if q.units > 0 {
		made = made.MaxUnits(q.units)
	}
	return made
}

// onOne returns the same query of one partition, whose index does not have the time in its key.
func (q eventQuery) onOne(r *entity.Repo[event]) query.Query[event] {
	if q.bound != nil && q.index {
		q.filter = append(slices.Clone(q.filter), q.bound)
		q.bound = nil
	}
	q.page, q.requests, q.units = 0, 0, 0
	return q.on(r)
}

// randomEventQuery returns a query on the sort key <at:s>#<id>, or on the index by the score.
func randomEventQuery(r *rand.Rand, list []event, period, hours bool) eventQuery {
	q := eventQuery{index: r.IntN(3) == 0, desc: r.IntN(2) == 0, limit: 1 + r.IntN(12)}
	some := list[r.IntN(len(list))].At.Add(time.Duration(r.IntN(3)-1) * time.Second)
	other := list[r.IntN(len(list))].At
	if other.Before(some) {
		some, other = other, some
	}
	day, early := attr.Day(2026, 2, 28), eventStart.Add(-5*time.Hour)
	switch { // few partitions, to test many queries
	case hours:
		some = other.Add(-other.Sub(some) / 30).Truncate(time.Second)
		day = attr.Period{Start: day.Start.Add(6 * time.Hour), End: day.Start.Add(10 * time.Hour)}
		early = eventStart.Add(-time.Hour)
	case period:
		some = other.Add(-other.Sub(some) / 8).Truncate(time.Second)
	}
	bounded := []attr.KeyCond[event]{
		attr.During(eventAt, attr.Hour(2026, 2, 28, 7)), attr.During(eventAt, day), attr.During(eventAt, attr.Period{Start: some, End: other}),
		eventAt.Between(some, other), eventAt.Between(early, eventStart.Add(time.Hour)), eventAt.Eq(other),
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

func eventIDs(list []event) (ids []string) {
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}

// eventPager reads one page of a query.
type eventPager func(ctx context.Context, q query.Query[event], limit int, cursor string) (query.Page[event], error)

func ourEvents(ctx context.Context, q query.Query[event], limit int, cursor string) (query.Page[event], error) {
	return q.Limit(limit).Page(ctx, cursor)
}

// pagesOfEvents reads all pages of a query.
func pagesOfEvents(ctx context.Context, q query.Query[event], limit int, next eventPager) (all []event, wrong string) {
	cursor := ""
	for n := 0; ; n++ {
		p, err := next(ctx, q, limit, cursor)
		switch {
		case err != nil:
			return nil, err.Error()
		case len(p.Items) > limit:
			return nil, "a page exceeds its limit"
		case n > 2000:
			return nil, "the pages do not end"
		}
		all = append(all, p.Items...)
		if cursor = p.Next; cursor == "" {
			return all, ""
		}
	}
}

// eventTables returns a table of events with one partition, and a table with a form, which have the
// same events.
func eventTables(t *testing.T, r *rand.Rand, form int) (one, many *entity.Repo[event], db *ddbtest.DB, list []event) {
	t.Helper()
	_, one = openEvents(t, 0, "<at:s>#<id>")
	db, many = openEvents(t, form, "<at:s>#<id>")
	list = randomEvents(r, 38)
	for _, repo := range []*entity.Repo[event]{one, many} {
		require.NoError(t, repo.PutMany(t.Context(), func(yield func(*event) bool) {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}))
	}
	return one, many, db, list
}

// A query over shards and periods returns what the same query returns from one partition: all of
// it, in the same order, in pages of every size, with any budget.
func TestRandomShardedQueries(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for form := 1; form < len(eventPartitions); form++ {
		t.Run(eventPartitions[form].name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, uint64(form)))
			one, many, _, list := eventTables(t, r, form)
			period, hours := eventPartitions[form].period, eventPartitions[form].hours
			for range testsize.Sequential(60, 120, 2_000, 20_000) {
				q := randomEventQuery(r, list, period, hours)
				q.budget(r)
				want, err := q.onOne(one).Collect(t.Context())
				require.NoError(t, err)
				require.Empty(t, q.compare(t, want, many, period, ourEvents), "%+v", q)
			}
		})
	}
}

// The test above finds the errors of a naive query of shards: it reads a page of each shard, sorts
// them, cuts the result, and continues after LastEvaluatedKey of each shard.
func TestRandomShardedQueriesControl(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	one, many, db, list := eventTables(t, r, 1)
	caught, tried := 0, 0
	for range 60 {
		q := randomEventQuery(r, list, false, false)
		q.page = 0
		want, err := q.onOne(one).Collect(t.Context())
		require.NoError(t, err)
		if in, err := q.on(many).Input(); err != nil || q.index || len(want) <= q.limit || in == nil {
			continue
		}
		tried++
		if q.compare(t, want, many, false, naiveEvents(db.Client(), many, "o", q.desc)) != "" {
			caught++
		}
	}
	require.Positive(t, tried)
	require.Greater(t, 10*caught, 8*tried, "the control: %d of %d", caught, tried)
}

// naiveEvents reads pages of a query over five shards, like a loop over the shards.
func naiveEvents(client *dynamodb.Client, r *entity.Repo[event], owner string, desc bool) eventPager {
	ended, starts := map[int]bool{}, map[int]map[string]types.AttributeValue{}
	return func(ctx context.Context, q query.Query[event], limit int, _ string) (query.Page[event], error) {
		var page query.Page[event]
		in, err := q.Input()
		if err != nil {
			return page, err
		}
		for shard := range 5 {
			if ended[shard] {
				continue
			}
			in.ExpressionAttributeValues[":v0"] = &types.AttributeValueMemberS{Value: fmt.Sprintf("E#%s#%03d", owner, shard)}
			in.Limit, in.ExclusiveStartKey = aws.Int32(int32(limit)), starts[shard] //nolint:gosec // small
			out, err := client.Query(ctx, in)
			if err != nil {
				return page, err
			}
			for _, item := range out.Items {
				e, err := r.Type().Decode(item)
				if err != nil {
					return page, err
				}
				page.Items = append(page.Items, e)
			}
			starts[shard], ended[shard] = out.LastEvaluatedKey, out.LastEvaluatedKey == nil
		}
		slices.SortFunc(page.Items, func(a, b event) int {
			order := cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
			if desc {
				order = -order
			}
			return order
		})
		page.Items = page.Items[:min(limit, len(page.Items))]
		for shard := range 5 {
			if !ended[shard] {
				page.Next = "more"
			}
		}
		return page, nil
	}
}

// compare runs a query on many partitions. It returns a difference from the events that the query
// returns from one partition.
func (q eventQuery) compare(t *testing.T, want []event, many *entity.Repo[event], period bool, next eventPager) string {
	t.Helper()
	whole := q
	whole.requests, whole.units = 0, 0
	got, err := whole.on(many).Collect(t.Context())
	require.NoError(t, err)
	n, err := whole.on(many).Count(t.Context())
	require.NoError(t, err)
	if n != len(want) {
		return "the count"
	}
	limit := max(q.limit, len(want)/8) // few pages, to test many queries
	if q.limit == 1 && len(want) < 12 {
		limit = 1
	}
	paged, wrong := pagesOfEvents(t.Context(), q.on(many), limit, next)
	if wrong != "" {
		return wrong
	}
	for _, list := range [][]event{got, paged} {
		switch {
		case !q.index && !slices.Equal(eventIDs(want), eventIDs(list)):
			return fmt.Sprintf("%v instead of %v", eventIDs(list), eventIDs(want))
		case q.index && !slices.Equal(slices.Sorted(slices.Values(eventIDs(want))), slices.Sorted(slices.Values(eventIDs(list)))):
			return fmt.Sprintf("%v instead of %v in any order", eventIDs(list), eventIDs(want))
		case q.index && !period && !slices.IsSortedFunc(list, q.byScore):
			return "the order of the scores"
		}
	}
	return ""
}

func (q eventQuery) byScore(a, b event) int {
	if q.desc {
		a, b = b, a
	}
	return a.Score - b.Score
}

// budget adds a budget to a query in some cases.
func (q *eventQuery) budget(r *rand.Rand) {
	switch r.IntN(6) {
	case 0:
		q.requests = 7 + r.IntN(4)
	case 1:
		q.units = 0.5 + float64(r.IntN(4))
	}
}

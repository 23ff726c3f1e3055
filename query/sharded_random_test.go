package query_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

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
		require.NoError(t, repo.PutMany(t.Context(), pointersTo(list)))
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
			for n := range testsize.Sequential(30, 120, 1_000, 20_000) {
				q := randomEventQuery(r, list, eventPartitions[form].period)
				q.budget(r)
				want, err := q.onOne(one).Collect(t.Context())
				require.NoError(t, err)
				require.Empty(t, q.wrongPages(t, want, many, ourEvents), "%+v", q)
				if n%4 == 0 {
					require.Empty(t, q.wrongWhole(t, want, many), "%+v", q)
				}
			}
		})
	}
}

// wrongPages reads all pages of a query on many partitions. It returns a difference from the events
// that the query returns from one partition.
func (q eventQuery) wrongPages(t *testing.T, want []event, many *entity.Repo[event], next eventPager) string {
	t.Helper()
	limit := q.limit
	if len(want) > 12 {
		limit = max(limit, len(want)/6) // few pages, to test many queries
	}
	got, wrong := pagesOfEvents(t.Context(), q.on(many), limit, next)
	if wrong != "" {
		return wrong
	}
	return q.differ(want, got)
}

// wrongWhole reads and counts all of a query, without budgets.
func (q eventQuery) wrongWhole(t *testing.T, want []event, many *entity.Repo[event]) string {
	t.Helper()
	q.requests, q.units = 0, 0
	got, err := q.on(many).Collect(t.Context())
	require.NoError(t, err)
	n, err := q.on(many).Count(t.Context())
	require.NoError(t, err)
	if n != len(want) {
		return fmt.Sprintf("counts %d instead of %d", n, len(want))
	}
	return q.differ(want, got)
}

// differ returns a difference between the events of a query and those of one partition. The order
// of equal scores differs.
func (q eventQuery) differ(want, got []event) string {
	wantIDs, gotIDs := eventIDs(want), eventIDs(got)
	if q.index {
		slices.Sort(wantIDs)
		slices.Sort(gotIDs)
	}
	switch {
	case !slices.Equal(wantIDs, gotIDs):
		return fmt.Sprintf("%v instead of %v", gotIDs, wantIDs)
	case q.index && !slices.IsSortedFunc(got, q.byScore):
		return "the order of the scores"
	}
	return ""
}

// byScore compares two events of the index, whose partitions are of periods.
func (q eventQuery) byScore(a, b event) int {
	if q.desc {
		a, b = b, a
	}
	if q.period > 0 && !a.At.Truncate(q.period).Equal(b.At.Truncate(q.period)) {
		return a.At.Compare(b.At)
	}
	return a.Score - b.Score
}

// The test above finds the errors of a naive query of shards: it reads a page of each shard, sorts
// them, cuts the result, and continues after LastEvaluatedKey of each shard.
func TestRandomShardedQueriesControl(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	one, many, db, list := eventTables(t, r, 1)
	caught, tried := 0, 0
	for range 60 {
		q := randomEventQuery(r, list, 0)
		q.page = 0
		want, err := q.onOne(one).Collect(t.Context())
		require.NoError(t, err)
		if in, err := q.on(many).Input(); err != nil || q.index || len(want) <= q.limit || in == nil {
			continue
		}
		tried++
		if q.wrongPages(t, want, many, naiveEvents(db.Client(), many, "o", q.desc)) != "" {
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

package fetch_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// distributions assign items, in their order, to shards.
var distributions = map[string]func(r *rand.Rand, i, shards int) int{
	"uniform":     func(r *rand.Rand, _, shards int) int { return r.IntN(shards) },
	"one shard":   func(*rand.Rand, int, int) int { return 0 },
	"alternating": func(_ *rand.Rand, i, shards int) int { return i % min(2, shards) },
	"blocks":      func(_ *rand.Rand, i, shards int) int { return i / 9 % shards },
	"growing":     func(r *rand.Rand, _, shards int) int { return r.IntN(1 + r.IntN(shards)) },
	"rare":        func(r *rand.Rand, _, shards int) int { return max(0, r.IntN(20*shards)-19*shards) },
}

// A run that merges S streams and wants L items reads at most 2L + S*SmallestPage items, however
// the items are distributed. The control reads pages of L items.
func TestMergedRunsReadFewItems(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	schema := entity.NewSchema(entity.Config{Sort: entity.N("SK")})
	all := entity.Define[reading](schema)
	table, err := schema.Open(ddbtest.Start(t).Client(), "readings")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	repo, first, caught := all.In(table), 0, 0
	for range testsize.Pick(2, 12, 300) {
		for name, distribution := range distributions {
			shards, n := 2+r.IntN(30), 50+r.IntN(300)
			list := make([]reading, n)
			for i := range list {
				list[i] = reading{Part: first + distribution(r, i, shards), At: i}
			}
			require.NoError(t, repo.PutMany(t.Context(), func(yield func(*reading) bool) {
				for i := range list {
					if !yield(&list[i]) {
						return
					}
				}
			}))
			plan := planOf(t, hooks.SourceOf(repo), first, false)
			for i := 1; i < shards; i++ {
				plan.Add(planOf(t, hooks.SourceOf(repo), first+i, false))
			}
			for range 10 {
				b := fetch.Bounds{Items: 1 + r.IntN(n), Ahead: r.IntN(3) == 0}
				if r.IntN(3) == 0 {
					b.PageSize = 1 + r.IntN(20)
				}
				most := 2*b.Items + shards*read.SmallestPage
				found, scanned := readOnce(t, hooks.SourceOf(repo), plan, b)
				require.True(t, slices.IsSorted(found))
				require.Len(t, found, b.Items)
				require.LessOrEqual(t, scanned, most, "%s: %d shards, %+v", name, shards, b)
				naive := *plan
				naive.Filtered = true // each request then reads PageSize items
				if _, scanned = readOnce(t, hooks.SourceOf(repo), &naive, fetch.Bounds{Items: b.Items, PageSize: b.Items}); scanned > most {
					caught++
				}
			}
			first += shards
		}
	}
	require.Greater(t, caught, 5, "the control")
}

// Few requests read one shard that holds all items: each one reads as many as those before.
func TestOneFullShardNeedsFewRequests(t *testing.T) {
	t.Parallel()
	schema := entity.NewSchema(entity.Config{Sort: entity.N("SK")})
	all := entity.Define[reading](schema)
	table, err := schema.Open(ddbtest.Start(t).Client(), "readings")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	for i := range 1000 {
		require.NoError(t, all.In(table).Put(t.Context(), &reading{At: i}))
	}
	source := hooks.SourceOf(all.In(table))
	const shards = 50
	plan := planOf(t, source, 0, false)
	for i := 1; i < shards; i++ {
		plan.Add(planOf(t, source, i, false))
	}
	run := fetch.New(source.Config, plan, &readings{}, fetch.Bounds{Items: 1000}, fetch.Merged, nil)
	ctx := run.Start(t.Context())
	for run.Next(ctx) {
	}
	run.Close(ctx)
	require.NoError(t, run.Err())
	require.Equal(t, 1000, run.Event().Items)
	require.LessOrEqual(t, run.Event().Requests, shards+8, fmt.Sprint(run.Event().Scanned))
}

// readOnce returns what a run found, and the number of items that it read.
func readOnce(t *testing.T, s hooks.Source, p *read.Plan, b fetch.Bounds) (found []int, scanned int) {
	t.Helper()
	var sink readings
	run := fetch.New(s.Config, p, &sink, b, fetch.Merged, nil)
	ctx := run.Start(t.Context())
	for run.Next(ctx) {
	}
	run.Close(ctx)
	require.NoError(t, run.Err())
	return sink.list, run.Event().Scanned
}

package query_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// tick is an item of a partition with any number of shards.
type tick struct {
	Log   string    `dynamodbav:"log"`
	At    time.Time `dynamodbav:"at"`
	Place int       `dynamodbav:"place"`
}

// openTicks opens a table whose shard is computed from the place, so that a test can choose it.
func openTicks(t *testing.T, shards int) (*ddbtest.DB, *entity.Repo[tick], []int) {
	t.Helper()
	s := entity.NewSchema(entity.Config{})
	ticks := entity.DefineSpec[tick](s, entity.Spec{
		Type: "tick", Key: entity.KeySpec{PK: "T#<log>#<shard:place>", SK: "<at:ms>#<place:06>", Shards: []int{shards}},
	})
	db := ddbtest.Start(t)
	table, err := s.Open(db.Client(), "ticks", entity.PlainCursors())
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	places := make([]int, shards) // a place in each shard
	found := map[string]int{}
	for n := 0; len(found) < shards; n++ {
		key, err := ticks.KeyOf(tick{Log: "a", At: time.Unix(1, 0), Place: n})
		require.NoError(t, err)
		name := fmt.Sprint(key["PK"])
		if _, ok := found[name]; !ok {
			places[len(found)] = n
			found[name] = n
		}
	}
	return db, ticks.In(table), places
}

// distributions are ways in which consecutive items are in shards.
var distributions = map[string]func(r *rand.Rand, n, shards int) int{
	"one shard":           func(*rand.Rand, int, int) int { return 0 },
	"two shards in turn":  func(_ *rand.Rand, n, _ int) int { return n % 2 },
	"all shards in turn":  func(_ *rand.Rand, n, shards int) int { return n % shards },
	"runs of one shard":   func(_ *rand.Rand, n, shards int) int { return n / 7 % shards },
	"random":              func(r *rand.Rand, _, shards int) int { return r.IntN(shards) },
	"one shard, then all": func(r *rand.Rand, n, shards int) int { return min(n/30, 1) * r.IntN(shards) },
}

// For a Limit L, a query of S shards reads at most 2L + S*SmallestPage items.
func TestMergedPagesReadLittle(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	for name, in := range distributions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, uint64(len(name))))
			const items = 200
			naive := 0 // pages for which reading a whole page of each shard would read more
			for round := range testsize.Sequential(1, 2, 5, 40) {
				shards := 7 // for which a naive query is found with certainty
				if round > 0 {
					shards = 2 + r.IntN(20)
				}
				_, repo, places := openTicks(t, shards)
				held := make([]int, shards)
				list := make([]tick, items)
				for n := range list {
					i := min(in(r, n, shards), shards-1)
					held[i]++
					list[n] = tick{Log: "a", At: time.Unix(int64(n), 0), Place: places[i]}
				}
				require.NoError(t, repo.PutMany(t.Context(), pointersTo(list)))
				for n := range 6 {
					limit, cursor := 30, ""
					if n > 0 {
						limit = 1 + r.IntN(30)
					}
					most := 2*limit + shards*read.SmallestPage
					if whole(held, limit) > most {
						naive++
					}
					q := query.Of(repo, tick{Log: "a"}).Limit(limit)
					if r.IntN(2) == 0 {
						q = q.Desc()
					}
					if r.IntN(3) == 0 {
						q = q.PageSize(2 + r.IntN(20))
					}
					if r.IntN(3) == 0 {
						q = q.Prefetch()
					}
					for page := 0; page == 0 || page < 8 && cursor != ""; page++ {
						p, err := q.Page(t.Context(), cursor)
						require.NoError(t, err)
						require.LessOrEqual(t, p.Scanned, most, "limit %d, %d shards", limit, shards)
						cursor = p.Next
					}
				}
			}
			if name == "all shards in turn" || name == "random" {
				require.Positive(t, naive, "a query that reads a whole page of each shard would pass")
			}
		})
	}
}

// whole returns how many items a page of the limit from each shard has.
func whole(held []int, limit int) (n int) {
	for _, items := range held {
		n += min(items, limit)
	}
	return n
}

// The first item of a query of all shards costs one item of each, and One reads two of each.
func TestFirstReadsOneItemOfEachShard(t *testing.T) {
	t.Parallel()
	db, repo, places := openTicks(t, 16)
	for n := range 64 {
		require.NoError(t, repo.Put(t.Context(), &tick{Log: "a", At: time.Unix(int64(n), 0), Place: places[n%16]}))
	}
	cost := db.Measure(func() {
		got, err := query.Of(repo, tick{Log: "a"}).Desc().First(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(63), got.At.Unix())
	})
	require.Equal(t, 16, cost.Total("Query"))
	require.InDelta(t, 8, cost.ReadUnits, 0)
	require.Equal(t, 16, cost.Evaluated)
	cost = db.Measure(func() {
		_, err := query.Of(repo, tick{Log: "a"}).One(t.Context())
		require.ErrorIs(t, err, query.ErrSeveral)
	})
	require.LessOrEqual(t, cost.Evaluated, 32)
}

// A cursor of 100 shards is at most twice as long as one of a single shard.
func TestMergedCursorsAreShort(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	lengths := map[int]int{}
	for _, shards := range []int{1, 100} {
		_, repo, places := openTicks(t, shards)
		for n := range 300 {
			require.NoError(t, repo.Put(t.Context(), &tick{Log: "a", At: time.Unix(int64(n), 0), Place: places[n*37%shards]}))
		}
		cursor := ""
		for {
			p, err := query.Of(repo, tick{Log: "a"}).Limit(17).Page(t.Context(), cursor)
			require.NoError(t, err)
			if cursor = p.Next; cursor == "" {
				break
			}
			lengths[shards] = max(lengths[shards], len(cursor))
		}
	}
	require.LessOrEqual(t, lengths[100], 2*lengths[1], "the longest cursors have %v characters", lengths)
	t.Logf("the longest cursors have %v characters", lengths)
}

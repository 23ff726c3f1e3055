package shard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// A program that resizes or drains crashes at each of its requests. The total is exact afterwards,
// increments go on, and a repetition completes the operation, also if the lost request arrives
// after it.
func TestCrash(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for name, c := range map[string]struct {
		before []int // resizes before the operation
		run    func(context.Context, *shard.Counters, string) error
		after  int // shards afterwards
	}{
		"grow":         {[]int{3}, func(ctx context.Context, c *shard.Counters, name string) error { return c.Resize(ctx, name, 6) }, 6},
		"grow again":   {[]int{6, 2}, func(ctx context.Context, c *shard.Counters, name string) error { return c.Resize(ctx, name, 5) }, 5},
		"shrink":       {[]int{6}, func(ctx context.Context, c *shard.Counters, name string) error { return c.Resize(ctx, name, 2) }, 2},
		"shrink again": {[]int{6, 2, 5}, func(ctx context.Context, c *shard.Counters, name string) error { return c.Resize(ctx, name, 1) }, 1},
		"drain": {[]int{4}, func(ctx context.Context, c *shard.Counters, name string) error {
			_, err := c.Drain(ctx, name)
			return err
		}, 4},
		"create": {nil, func(ctx context.Context, c *shard.Counters, name string) error { return c.Resize(ctx, name, 3) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newBox(t, e.Client(t), entity.Config{})
				config := shard.Config{Mode: shard.Approximate, Shards: 2}
				crashes, increments := 0, 10
				if e.Name == engines.DynamoDBLocal {
					increments = testsize.Pick(3, 3, 10)
				}
				for k, crashed := 1, true; crashed; k++ {
					crashed = false
					for i, f := range []testfaults.Fate{testfaults.Drop, testfaults.Lose, testfaults.Delay} {
						if i != k%3 && e.Name == engines.DynamoDBLocal && testsize.Pick(0, 0, 1) == 0 {
							continue // one fault of each request, because DynamoDB Local is slow
						}
						name := fmt.Sprint(k, f)
						votes := b.counters(config)
						want := int64(0)
						add := func(c *shard.Counters) {
							for range increments {
								require.NoError(t, c.Add(t.Context(), name, 1))
								want++
							}
							requireTotal(t, c, name, want)
						}
						for _, n := range c.before {
							require.NoError(t, votes.Resize(t.Context(), name, n))
							add(votes)
						}
						w := &testfaults.Wire{Decide: testfaults.CrashAt(k, f)}
						err := c.run(t.Context(), b.process(t, w).counters(config), name)
						if err != nil {
							crashed = true
							crashes++
						}
						requireTotal(t, b.counters(config), name, want)
						add(votes)
						add(b.counters(config))
						require.NoError(t, c.run(t.Context(), b.counters(config), name))
						requireShards(t, votes, name, c.after)
						require.NoError(t, w.Deliver())
						requireTotal(t, b.counters(config), name, want)
						add(votes)
						add(b.counters(config))
						requireShards(t, b.counters(config), name, c.after)
						require.NoError(t, votes.Resize(t.Context(), name, 7))
						add(b.counters(config))
					}
				}
				t.Logf("%d crashes", crashes)
				require.Greater(t, crashes, 2)
			})
		})
	}
}

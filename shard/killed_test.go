package shard_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testkill"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// A process that counts is killed at random requests. The next one repeats the increment that was
// under way, and the total is exact. In the control, an increment that had been applied counts
// twice.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Events, shard.Approximate} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			config := shard.Config{Mode: mode, Shards: 3}
			add := func(c *shard.Counters, number int) {
				require.NoError(t, c.Add(t.Context(), "a", 1, keyFor(mode, number)...))
			}
			if client, start := testkill.InProcess(); client != nil {
				number, err := strconv.Atoi(start)
				require.NoError(t, err)
				for votes := openBox(t, client, entity.Config{}).counters(config); ; number++ {
					add(votes, number)
					fmt.Fprintln(os.Stdout, number)
				}
			}
			db := ddbtest.Start(t)
			votes := newBox(t, db.Client(), entity.Config{}).counters(config)
			k := testkill.New(t, db, testrand.New(t))
			done, processes := 0, testsize.Pick(5, 10, 500)
			if mode == shard.Approximate {
				processes = 40 // one of them is surely killed after an increment was applied
			}
			for range processes {
				for _, line := range k.Run(t, "^TestKilled$/^"+mode.String()+"$", fmt.Sprint(done+1)) {
					var err error
					done, err = strconv.Atoi(line)
					require.NoError(t, err)
				}
			}
			add(votes, done+1)
			total, err := votes.Total(t.Context(), "a")
			require.NoError(t, err)
			t.Logf("%d increments, %s: %d", done+1, k, total)
			if mode == shard.Approximate {
				require.Greater(t, total, int64(done+1))
				return
			}
			require.EqualValues(t, done+1, total)
		})
	}
}

// A Writer that is killed loses at most what it has not flushed, and Durable is never too high.
func TestKilled_writer(t *testing.T) {
	t.Parallel()
	config := shard.Config{Mode: shard.WriterOwned}
	if client, _ := testkill.InProcess(); client != nil {
		w := openBox(t, client, entity.Config{}).counters(config).Writer()
		for {
			for range 3 {
				require.NoError(t, w.Add("a", 1))
			}
			fmt.Fprintln(os.Stdout, w.Durable("a"))
			require.NoError(t, w.Flush(t.Context()))
		}
	}
	db := ddbtest.Start(t)
	views := newBox(t, db.Client(), entity.Config{}).counters(config)
	k := testkill.New(t, db, testrand.New(t))
	var durable, added int64 // by all processes
	for range testsize.Pick(5, 15, 500) {
		var last int64
		lines := k.Run(t, "^TestKilled_writer$", "")
		for _, line := range lines {
			var err error
			last, err = strconv.ParseInt(line, 10, 64)
			require.NoError(t, err)
		}
		durable, added = durable+last, added+int64(3*len(lines))
	}
	total, err := views.Total(t.Context(), "a")
	require.NoError(t, err)
	t.Logf("%s: %d are durable, of %d: %d", k, durable, added, total)
	require.GreaterOrEqual(t, total, durable)
	require.LessOrEqual(t, total, added)
	require.Less(t, durable, added)
}

package shard_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/shard"
)

// Each increment counts exactly once, with random faults, resizes, drains, roll-ups and restarts at
// the same time.
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	for _, mode := range []shard.Mode{shard.ExactForever, shard.ExactWindow, shard.Events} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			seed := testrand.Seed(t)
			synctest.Test(t, func(t *testing.T) {
				size := testsize.Pick(1000, 10_000, 1_000_000)
				if mode == shard.Events { // each roll-up reads all of them
					size = testsize.Pick(1000, 3000, 30_000)
				}
				s := newStorm(t, seed, size)
				s.mode = mode
				s.run(t)
				requireTotal(t, s.box.counters(shard.Config{Mode: mode}), "a", s.want)
				s.requireFaults(t)
			})
		})
	}
}

// A plain ADD that the SDK sends again counts twice if a reply is lost.
func TestExactlyOnce_control(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	synctest.Test(t, func(t *testing.T) {
		s := newStorm(t, seed, 1000)
		twice := s.plainAdds(t)
		require.Positive(t, twice)
		require.Equal(t, s.want+int64(twice), int64(numberOf(t, s.box.items(t)["plain"]["n"])))
	})
}

// storm is increments with faults.
type storm struct {
	box   *box
	db    *ddbtest.DB
	mode  shard.Mode
	seed  uint64
	size  int
	rules map[string]*ddbtest.Rule
	want  int64 // the sum of all increments

	mu   sync.Mutex
	sent map[string]int // what else happened, by kind
}

func newStorm(t *testing.T, seed uint64, size int) *storm {
	t.Helper()
	db := ddbtest.Start(t, ddbtest.Options{Seed: seed | 1, KeepRequests: 1})
	s := &storm{db: db, seed: seed, size: size, rules: map[string]*ddbtest.Rule{}, sent: map[string]int{}}
	s.box = newBox(t, db.Client(), entity.Config{Clock: db.Now})
	return s
}

// writes are the requests that the faults hit.
var writes = ddbtest.Op("UpdateItem", "PutItem", "TransactWriteItems")

// fail adds the faults. Each hits some of the requests.
func (s *storm) fail() {
	for _, f := range []struct {
		name   string
		rate   float64
		effect ddbtest.Effect
	}{
		{"reset after commit", 0.04, ddbtest.AfterCommit(ddbtest.Reset)},
		{"500 after commit", 0.04, ddbtest.AfterCommit(ddbtest.InternalError)},
		{"500 before", 0.01, ddbtest.InternalError},
		{"reset before", 0.01, ddbtest.Reset},
		{"late duplicate", 0.01, ddbtest.LateDuplicate},
		{"late duplicate after another write", 0.01, ddbtest.LateDuplicateAfterWrite},
		{"throttled", 0.01, ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded")},
		{"conflict", 0.01, ddbtest.Conflict},
	} {
		s.rules[f.name] = s.db.Fail(writes, ddbtest.Rate(f.rate), f.effect)
	}
}

// run adds from several clients at the same time, while another one resizes, drains and rolls up.
func (s *storm) run(t *testing.T) {
	t.Helper()
	s.fail()
	const clients = 4
	done := make(chan struct{})
	var others, workers sync.WaitGroup
	others.Go(func() { s.disturb(t, done) })
	for i := range clients {
		r := rand.New(rand.NewPCG(s.seed, uint64(i)))
		workers.Go(func() {
			want := s.client(t, r, i, s.size/clients)
			s.mu.Lock()
			s.want += want
			s.mu.Unlock()
		})
	}
	workers.Wait()
	close(done)
	others.Wait()
	s.db.ClearFaults()
	s.db.DeliverLate()
}

// client sends increments, each until it succeeds. Sometimes it restarts, and repeats an earlier
// one.
func (s *storm) client(t *testing.T, r *rand.Rand, client, n int) (want int64) {
	counters := s.counters()
	for i := range n {
		if r.IntN(50) == 0 {
			counters = s.counters()
			s.note("restart")
		}
		time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond) //nolint:forbidigo // it is the time of a bubble
		s.until(t, counters, client, i, amount(i))
		want += amount(i)
		if r.IntN(10) == 0 {
			again := max(0, i-r.IntN(20))
			s.until(t, counters, client, again, amount(again))
			s.note("repetition")
		}
	}
	return want
}

func amount(i int) int64 { return int64(i%7 - 1) }

// until sends an increment until it succeeds.
func (s *storm) until(t *testing.T, c *shard.Counters, client, i int, n int64) {
	key := shard.OnceSince(fmt.Sprint(client, "-", i), s.db.Now())
	for try := range 200 {
		err := c.Add(t.Context(), "a", n, key)
		switch trestle.OutcomeOf(err) {
		case trestle.Applied:
			return
		case trestle.Unknown:
			s.note("unknown")
		default:
			s.note("not applied")
		}
		if try == 199 {
			t.Errorf("%d tries: %v", try, err)
		}
	}
}

func (s *storm) counters() *shard.Counters {
	c := shard.Config{Mode: s.mode, Shards: 4, Refresh: 5 * time.Second}
	if s.mode != shard.Events {
		c.MaxShards = 16
	}
	return s.box.counters(c)
}

// disturb resizes, drains and rolls up until the clients have ended.
func (s *storm) disturb(t *testing.T, done <-chan struct{}) {
	r := rand.New(rand.NewPCG(s.seed, 99))
	last := time.Time{}
	for reading(done) {
		c := s.counters()
		var err error
		var what string
		switch n := r.IntN(4); {
		case n == 0 || s.mode == shard.Events:
			what = "roll-up"
			var rolled shard.RolledUp
			if rolled, err = c.RollUp(t.Context(), "a"); err == nil && rolled.AsOf.Before(last) {
				t.Errorf("a roll-up of %s after one of %s", rolled.AsOf, last)
			} else if err == nil {
				last = rolled.AsOf
			}
		case n == 1:
			what = "drain"
			_, err = c.Drain(t.Context(), "a")
		default:
			what = "resize"
			err = c.Resize(t.Context(), "a", 1+r.IntN(12))
		}
		if err != nil {
			what += " failed"
		}
		s.note(what)
		time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond) //nolint:forbidigo // it is the time of a bubble
	}
}

func (s *storm) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[what]++
}

// leastFaults is the number of increments from which on the storm has each of its faults, and
// enough of them, in all but one of a million runs.
const leastFaults = 3000

// requireFaults logs and requires what happened: of the faults, a third after the commit, and a
// twentieth late duplicates.
func (s *storm) requireFaults(t *testing.T) {
	t.Helper()
	all, after, late, never := 0, 0, 0, 0
	var lines []string
	for name, rule := range s.rules {
		hits := rule.Hits()
		lines = append(lines, fmt.Sprintf("%s %d", name, hits))
		all += hits
		switch {
		case strings.HasSuffix(name, "after commit"):
			after += hits
		case strings.HasPrefix(name, "late"):
			late += hits
		}
		if hits == 0 {
			never++
		}
	}
	slices.Sort(lines)
	t.Logf("%d increments, %d faults: %s; %v", s.size, all, strings.Join(lines, ", "), s.sent)
	require.Positive(t, all)
	if s.size < leastFaults {
		return
	}
	require.Zero(t, never, "faults that never happened")
	require.GreaterOrEqual(t, 10*all, s.size, "faults")
	require.GreaterOrEqual(t, 3*after, all, "after commit")
	require.GreaterOrEqual(t, 20*late, all, "late duplicates")
	kinds := []string{"restart", "repetition", "roll-up"}
	if s.mode != shard.Events {
		kinds = append(kinds, "resize", "drain")
	}
	require.Subset(t, slices.Collect(maps.Keys(s.sent)), kinds)
}

// plainAdds adds by UpdateItem, which the SDK sends again. It returns how often a reply was lost.
func (s *storm) plainAdds(t *testing.T) (lost int) {
	t.Helper()
	rule := s.db.Fail(writes, ddbtest.Every(10), ddbtest.AfterCommit(ddbtest.Reset))
	for range s.size {
		_, err := s.box.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(tableName), Key: item{"PK": text("plain"), "SK": text("plain")}, UpdateExpression: aws.String("ADD n :n"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":n": number("1")},
		})
		require.NoError(t, err)
		s.want++
	}
	return rule.Hits()
}

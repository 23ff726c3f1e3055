package shard_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/shard"
)

// votingKeys are the keys of the table of votes of the AWS documentation.
var votingKeys = shard.Keys{
	Shard: "<name>#<shard>", Total: "<name>#Total", First: 1, Count: "Vote-Counter", TotalCount: "Total", Updated: "Last-Update",
}

const votingTime = "2019-09-30T11:35:53"

// newVoting returns the table of votes: four shards of one candidate, and a total that was stored
// when the first shard was missing.
func newVoting(t testing.TB, client *dynamodb.Client, c entity.Config) *box {
	t.Helper()
	c.Partition, c.NoSort = entity.S("Segment"), true
	c.Clock = func() time.Time { return time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC) }
	b := newBox(t, client, c)
	for key, n := range map[string]string{"CandidateA#1": "10238", "CandidateA#2": "8452", "CandidateA#3": "9148", "CandidateA#4": "11092"} {
		b.put(t, item{"Segment": text(key), "Vote-Counter": number(n), "Last-Update": text(votingTime)})
	}
	b.put(t, item{"Segment": text("CandidateA#Total"), "Vote-Counter": number("28692"), "Total": number("28692"), "Last-Update": text(votingTime)})
	return b
}

// The stored total is never one of the shards. It is what the cached read returns.
func TestVoting(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]entity.Config{"raw": {Raw: true}, "escaped": {}, "no type attribute": {Raw: true, TypeAttribute: entity.None}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newVoting(t, e.Client(t), c)
				votes := b.counters(shard.Config{Mode: shard.Approximate, Shards: 4, Keys: &votingKeys})
				requireTotal(t, votes, "CandidateA", 38930)
				n, err := votes.Snapshot(t.Context(), "CandidateA")
				require.NoError(t, err)
				require.EqualValues(t, 38930, n)
				cached, err := votes.Cached(t.Context(), "CandidateA")
				require.NoError(t, err)
				require.Equal(t, shard.RolledUp{Value: 28692, AsOf: time.Date(2019, 9, 30, 11, 35, 53, 0, time.UTC)}, cached)

				require.NoError(t, votes.Add(t.Context(), "CandidateA", 70))
				requireTotal(t, votes, "CandidateA", 39000)
				rolled, err := votes.RollUp(t.Context(), "CandidateA")
				require.NoError(t, err)
				require.EqualValues(t, 39000, rolled.Value)
				cached, err = votes.Cached(t.Context(), "CandidateA")
				require.NoError(t, err)
				require.EqualValues(t, 39000, cached.Value)
				require.WithinDuration(t, rolled.AsOf, cached.AsOf, time.Second)
				requireTotal(t, votes, "CandidateA", 39000)
				requireTotal(t, votes, "CandidateB", 0)
				_, err = votes.Cached(t.Context(), "CandidateB")
				requireKind(t, err, trestle.ErrNotFound, trestle.NoWrite)
			})
		})
	}
}

// Every mode with shards works with the keys of the table.
func TestVoting_modes(t *testing.T) {
	t.Parallel()
	for _, mode := range exactModes {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, e engines.Engine) {
				b := newVoting(t, e.Client(t), entity.Config{Raw: true})
				votes := b.counters(shard.Config{Mode: mode, Shards: 4, Keys: &votingKeys})
				for range 3 {
					require.NoError(t, votes.Add(t.Context(), "CandidateA", 70, shard.Once("a")))
				}
				require.NoError(t, votes.Add(t.Context(), "CandidateA", 1, shard.Once("b")))
				requireTotal(t, votes, "CandidateA", 39001)
			})
		})
	}
}

package shard_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// refuser refuses the connections of all requests from a number on.
type refuser struct {
	next    dynamodb.HTTPClient
	from, n int
}

func (r *refuser) Do(req *http.Request) (*http.Response, error) {
	if r.n++; r.n >= r.from {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	return r.next.Do(req)
}

func (r *refuser) install(o *dynamodb.Options) {
	r.next, o.HTTPClient, o.RetryMaxAttempts = o.HTTPClient, r, 1
}

// keyedCalls are the calls with a key or a token, by a counter of each. A call that is repeated
// with other requests than the first one is unknown.
var keyedCalls = map[string]struct {
	call   func(ctx context.Context, b *box, name string) error
	differ bool // the repeated request may differ, for example in the time of a lease
	taken  bool // the key took before the call
	moves  bool // the first transaction of the first call moves quota, or finds no quota
}{
	"ExactForever": {call: func(ctx context.Context, b *box, name string) error {
		return b.counters(shard.Config{Shards: 3}).Add(ctx, name, 1, shard.Once("k"))
	}},
	"ExactWindow": {call: func(ctx context.Context, b *box, name string) error {
		return b.counters(shard.Config{Mode: shard.ExactWindow, Shards: 3}).Add(ctx, name, 1, shard.Once("k"))
	}},
	"Events": {call: func(ctx context.Context, b *box, name string) error {
		return b.counters(shard.Config{Mode: shard.Events, Shards: 3}).Add(ctx, name, 1, shard.Once("k"))
	}},
	"Take": {moves: true, call: func(ctx context.Context, b *box, name string) error {
		return b.bounded(shard.BoundedConfig{Shards: 3}).Take(ctx, name, 1, shard.Once("k"))
	}},
	"Return": {taken: true, call: func(ctx context.Context, b *box, name string) error {
		return b.bounded(shard.BoundedConfig{Shards: 3}).Return(ctx, name, "k")
	}},
	"Counters.Op": {call: func(ctx context.Context, b *box, name string) error {
		return tx.WriteOnce(ctx, name, b.counters(shard.Config{Mode: shard.ExactWindow, Shards: 3}).Op(name, 1, shard.Once("k")))
	}},
	"Bounded.Op": {moves: true, differ: true, call: func(ctx context.Context, b *box, name string) error {
		return tx.WriteOnce(ctx, name, b.bounded(shard.BoundedConfig{Shards: 3}).Op(name, 1, shard.Once("k")))
	}},
	"ReturnOp": {taken: true, differ: true, call: func(ctx context.Context, b *box, name string) error {
		return tx.WriteOnce(ctx, name, b.bounded(shard.BoundedConfig{Shards: 3}).ReturnOp(name, "k"))
	}},
}

// A call with a key or a token was applied, and its reply was lost. No repetition says that it was
// not applied, whichever of its requests is refused.
func TestRepeatedKeysNeverDenyWhatWasApplied(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		for kind, c := range keyedCalls {
			limited := b.bounded(shard.BoundedConfig{Shards: 3})
			isBounded := kind == "Take" || kind == "Return" || kind == "Bounded.Op" || kind == "ReturnOp"
			for from := 1; from <= 5; from++ {
				name := fmt.Sprint(kind, from)
				if isBounded { // the only one is taken
					require.NoError(t, limited.SetLimit(t.Context(), name, 1))
				}
				if c.taken {
					require.NoError(t, limited.Take(t.Context(), name, 1, shard.Once("k")))
				}
				writes := 0
				losing := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
					if operation == "TransactWriteItems" || kind == "Events" && operation == "PutItem" {
						if writes++; !c.moves || writes == 2 {
							return testfaults.Lose
						}
					}
					if writes > 0 && !c.moves && operation == "GetItem" {
						return testfaults.Drop // it cannot find the marker
					}
					return testfaults.Pass
				}}
				first := c.call(t.Context(), openBox(t, losing.Client(b.client, 1), entity.Config{}), name)
				require.Contains(t, []trestle.Outcome{trestle.Applied, trestle.Unknown}, trestle.OutcomeOf(first), name)

				r := &refuser{from: from}
				err := c.call(t.Context(), openBox(t, dynamodb.New(b.client.Options(), r.install), entity.Config{}), name)
				require.Contains(t, []trestle.Outcome{trestle.Applied, trestle.Unknown}, trestle.OutcomeOf(err), "%s: %v", name, err)

				err = c.call(t.Context(), b, name)
				if !c.differ || err == nil {
					require.NoError(t, err, name)
					continue
				}
				require.ErrorIs(t, err, trestle.ErrUnknown, name)
			}
		}
	})
}

// Without an earlier call, the same calls say what is wrong.
func TestKeysOfCallsThatAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, e engines.Engine) {
		b := newBox(t, e.Client(t), entity.Config{})
		for kind, want := range map[string]error{
			"Take": trestle.ErrNotFound, "Return": trestle.ErrNotFound, "Bounded.Op": trestle.ErrNotFound, "ReturnOp": trestle.ErrNotFound,
		} {
			err := keyedCalls[kind].call(t.Context(), b, kind)
			require.ErrorIs(t, err, want, kind)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), kind)
		}
		require.NoError(t, b.bounded(shard.BoundedConfig{}).SetLimit(t.Context(), "Bounded.Op", 0))
		err := keyedCalls["Bounded.Op"].call(t.Context(), b, "Bounded.Op")
		require.ErrorIs(t, err, shard.ErrSoldOut)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	})
}

package exec

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// slowReads is a client whose reads take a second. during is called in each of them.
type slowReads struct {
	trestle.Client
	running, most, sent atomic.Int64
	during              func(n int64)
}

func (c *slowReads) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	n := c.sent.Add(1)
	c.most.Store(max(c.most.Load(), c.running.Add(1)))
	defer c.running.Add(-1)
	c.during(n)
	select {
	case <-time.After(time.Second):
		return &dynamodb.GetItemOutput{Item: in.Key}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// afterReads reads n items, and writes nothing.
func afterReads(n int) *op.Operation {
	pre := &op.PreRead{Plan: func([]op.Item) ([]op.Action, error) { return nil, errs.NotFound }}
	for i := range n {
		pre.Reads = append(pre.Reads, op.Action{Verb: op.Get, Key: op.Item{"PK": text(fmt.Sprint(i))}, Idempotent: true})
	}
	return &op.Operation{Name: "put", PreRead: pre}
}

// TestPreReadsAreConcurrent checks how many reads are sent at the same time.
func TestPreReadsAreConcurrent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &slowReads{during: func(int64) {}}
		start := time.Now()
		require.ErrorIs(t, Do(t.Context(), &Config{Client: c, Table: "app"}, afterReads(3*concurrentReads), nothing), errs.NotFound)
		require.EqualValues(t, 3*concurrentReads, c.sent.Load())
		require.EqualValues(t, concurrentReads, c.most.Load())
		require.Equal(t, 3*time.Second, time.Since(start))
	})
}

// TestCancelEndsPreReads checks that no read is sent after the context has ended.
func TestCancelEndsPreReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := &slowReads{during: func(n int64) {
			if n == concurrentReads {
				cancel()
			}
		}}
		var seen trestle.Event
		e := &Config{Client: c, Table: "app", Observer: ends(func(_ context.Context, ev trestle.Event) { seen = ev })}
		err := Do(ctx, e, afterReads(100), nothing)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		require.EqualValues(t, concurrentReads, c.sent.Load())
		require.Equal(t, concurrentReads, seen.Requests)
	})
}

// TestPanicOfAPreReadReachesTheCaller checks that a caller can recover from a panic of the client
// in any read.
func TestPanicOfAPreReadReachesTheCaller(t *testing.T) {
	t.Parallel()
	for _, at := range []int64{1, 2, 20} {
		synctest.Test(t, func(t *testing.T) {
			c := &slowReads{during: func(n int64) {
				if n == at {
					panic("client")
				}
			}}
			var seen trestle.Event
			e := &Config{Client: c, Table: "app", Observer: ends(func(_ context.Context, ev trestle.Event) { seen = ev })}
			require.PanicsWithValue(t, "client", func() { _ = Do(t.Context(), e, afterReads(20), nothing) })
			require.ErrorIs(t, seen.Err, ErrAborted)
		})
	}
}

package exec

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
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

// rejecting cancels each transaction with the next list of items, one for each action; nil for an
// action that would succeed.
type rejecting struct {
	trestle.Client
	met [][]op.Item
}

func (c *rejecting) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return &dynamodb.GetItemOutput{Item: op.Item{"PK": text("a"), "n": number(1)}}, nil
}

func (c *rejecting) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if len(c.met) == 0 {
		return &dynamodb.TransactWriteItemsOutput{}, nil
	}
	canceled := &types.TransactionCanceledException{}
	for _, item := range c.met[0] {
		reason := types.CancellationReason{Code: aws.String(reasonNone)}
		if item != nil {
			reason = types.CancellationReason{Code: aws.String(reasonCondition), Item: item}
		}
		canceled.CancellationReasons = append(canceled.CancellationReasons, reason)
	}
	c.met = c.met[1:]
	return nil, canceled
}

// adding returns a change that adds 1 to n.
func adding() *expr.Update {
	u := expr.NewUpdate()
	u.ChangeAttribute(expr.Add, "n", number(1))
	return u
}

// removing returns a change that removes an attribute.
func removing(attribute string) *expr.Update {
	u := expr.NewUpdate()
	u.ChangeAttribute(expr.Remove, attribute, nil)
	return u
}

// planned returns the clause that an attribute is as it was read.
func planned(attribute string, av types.AttributeValue, read int) []clause.Clause {
	return []clause.Clause{{Pred: clause.Value(attribute, av), Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan, Read: read}}
}

// existing returns the clause that an item exists.
func existing() clause.Clause {
	return clause.Clause{Pred: clause.AnItem{Key: &core.Attribute{Name: "PK"}}, Fails: errs.NotFound, Rank: clause.Existence}
}

// TestSlotsBelongToOneStateOfTheItem checks that what a plan learned about other items is dropped
// if its own item has changed.
func TestSlotsBelongToOneStateOfTheItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		item := func(n int) op.Item { return op.Item{"PK": text("a"), "n": number(n)} }
		other := op.Item{"PK": text("guard"), "n": number(9)}
		c := &rejecting{met: [][]op.Item{{nil, other}, {item(2), nil}, {nil, other}, {item(3), other}}}
		var seen []string
		key := op.Item{"PK": text("a")}
		o := &op.Operation{Name: "delete", PreRead: &op.PreRead{
			Reads: []op.Action{{Verb: op.Get, Key: key, Idempotent: true}}, Slots: 1,
			Plan: func(stored []op.Item) ([]op.Action, error) {
				n := stored[0]["n"]
				seen = append(seen, fmt.Sprintf("%s %t", n.(*types.AttributeValueMemberN).Value, stored[1] != nil))
				return []op.Action{
					{Verb: op.Delete, Key: key, Clauses: planned("n", n, 0)},
					{Verb: op.Delete, Key: op.Item{"PK": text("guard")}, Clauses: planned("n", number(1), 1)},
				}, nil
			},
		}}
		require.NoError(t, Do(t.Context(), &Config{Client: c, Table: "app"}, o, nothing))
		require.Equal(t, []string{"1 false", "1 true", "2 false", "2 true", "3 false"}, seen)
	})
}

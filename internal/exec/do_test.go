package exec

import (
	"context"
	"errors"
	"reflect"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func number(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

// rival is a table with one item. Another writer increases attribute n before each of the first
// writes.
type rival struct {
	trestle.Client
	n      int
	raises int // how often the other writer increases n
	gone   bool
	fails  error

	reads, writes int
}

func (c *rival) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.reads++
	return &dynamodb.GetItemOutput{Item: c.current(), ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: units(1)}}, nil
}

func (c *rival) current() op.Item {
	if c.gone {
		return nil
	}
	return op.Item{"PK": text("a"), "n": number(c.n), "state": text("open")}
}

func (c *rival) UpdateItem(_ context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.writes++
	if c.raises > 0 {
		c.raises--
		c.n++
	}
	read := in.ExpressionAttributeValues[":v1"]
	if c.fails != nil || !reflect.DeepEqual(read, number(c.n)) || c.gone {
		if c.fails == nil {
			return nil, &types.ConditionalCheckFailedException{Item: c.current()}
		}
		return nil, c.fails
	}
	return &dynamodb.UpdateItemOutput{ConsumedCapacity: &types.ConsumedCapacity{CapacityUnits: units(2)}}, nil
}

// guardedUpdate is planned from n and conditional on the n that was read.
func guardedUpdate() *op.Operation {
	key := op.Item{"PK": text("a")}
	return &op.Operation{Name: "update", PreRead: &op.PreRead{
		Reads: []op.Action{{Verb: op.Get, Key: key, Idempotent: true}},
		Plan: func(stored []op.Item) ([]op.Action, error) {
			if stored[0] == nil {
				return nil, errs.NotFound
			}
			n := stored[0]["n"]
			return []op.Action{{
				Verb: op.Update, Key: key, Changes: adding(),
				Clauses: append(planned("n", n, 0), existing()),
			}}, nil
		},
	}}
}

func TestChangedItemIsPlannedAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		client rival
		writes int
		kind   error
		ok     bool
	}{
		{"undisturbed", rival{}, 1, nil, true},
		{"overtaken once", rival{raises: 1}, 2, nil, true},
		{"overtaken seven times", rival{raises: 7}, 8, nil, true},
		{"overtaken for ever", rival{raises: 100}, Replans, errs.Condition, false},
		{"deleted before", rival{gone: true}, 0, errs.NotFound, false},
		{"refused for another reason", rival{fails: &types.ConditionalCheckFailedException{Item: op.Item{"PK": text("a"), "n": number(0)}}}, 1, errs.Condition, false},
		{"lost", rival{fails: &types.InternalServerError{}}, 1, errs.Unknown, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := c.client
				var seen trestle.Event
				e := &Config{Client: &client, Table: "app", Observer: ends(func(_ context.Context, ev trestle.Event) { seen = ev })}
				err := Do(t.Context(), e, guardedUpdate(), nothing)
				require.Equal(t, c.writes, client.writes)
				require.Equal(t, 1, client.reads, "what the failed condition met is all that is needed")
				require.Equal(t, 1+c.writes, seen.Requests)
				var wrote float64
				if c.ok {
					wrote = 2
				}
				require.Equal(t, trestle.Capacity{Read: 1, Write: wrote}, seen.Capacity)
				if c.ok {
					require.NoError(t, err)
					require.Equal(t, trestle.Applied, seen.Outcome)
					return
				}
				f := failureOf(t, err)
				require.Equal(t, c.kind, f.Kind)
				require.Equal(t, f.Outcome, seen.Outcome)
				require.Equal(t, op.Item{"PK": text("a")}, f.Key)
			})
		})
	}
}

// vanishing is a table whose item is deleted between the read and the write.
type vanishing struct{ rival }

func (c *vanishing) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.gone = true
	return c.rival.UpdateItem(ctx, in, o...)
}

func TestDeletedItemIsNotFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := failureOf(t, Do(t.Context(), &Config{Client: &vanishing{}, Table: "app"}, guardedUpdate(), nothing))
		require.Equal(t, errs.NotFound, f.Kind)
		require.Equal(t, trestle.NotApplied, f.Outcome)
	})
}

func TestCancelEndsTheBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := &canceling{rival: rival{raises: 100}, cancel: cancel}
		start := time.Now()
		f := failureOf(t, Do(ctx, &Config{Client: client, Table: "app"}, guardedUpdate(), nothing))
		require.Zero(t, time.Since(start))
		require.ErrorIs(t, f, context.Canceled)
		require.NoError(t, f.Kind)
		require.Equal(t, trestle.NotApplied, f.Outcome)
		require.Equal(t, 1, client.writes)
	})
}

// canceling is a table whose caller cancels during the first write.
type canceling struct {
	rival
	cancel func()
}

func (c *canceling) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.cancel()
	return c.rival.UpdateItem(ctx, in, o...)
}

func TestErrorOfTheReply(t *testing.T) {
	t.Parallel()
	unreadable := errs.Undecodable(errors.New("x"))
	for _, c := range []struct {
		name    string
		o       *op.Operation
		err     error
		kind    error
		outcome trestle.Outcome
	}{
		{"nothing there", getOf(), errs.NotFound, errs.NotFound, trestle.NoWrite},
		{"unreadable item", getOf(), unreadable, nil, trestle.NoWrite},
		{"unreadable old item", putOf(true), unreadable, nil, trestle.Applied},
		{"unreadable after a read", guardedUpdate(), unreadable, nil, trestle.Applied},
	} {
		var seen trestle.Event
		e := &Config{Client: &rival{}, Table: "app", Observer: ends(func(_ context.Context, ev trestle.Event) { seen = ev })}
		if c.o.PreRead == nil && c.o.Actions[0].Verb == op.Put {
			e.Client = newEnv(&script{replies: []reply{fine}}).Client
		}
		err := Do(t.Context(), e, c.o, func(op.Reply) error { return c.err })
		f := failureOf(t, err)
		require.Equal(t, c.kind, f.Kind, c.name)
		require.Equal(t, c.outcome, f.Outcome, c.name)
		require.ErrorIs(t, err, c.err, c.name)
		require.Equal(t, error(f), seen.Err, "the observer is notified too")
	}
}

func TestErrorHasTheRequestID(t *testing.T) {
	t.Parallel()
	require.Equal(t, "REQ1", failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{condition}}), putOf(false), nothing)).RequestID)
	missing := func(op.Reply) error { return errs.NotFound }
	require.Equal(t, "REQ1", failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{fine}}), getOf(), missing)).RequestID)
}

func TestTableRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		replies []reply
		alter   trestle.Outcome
		kind    error
		sent    int
		looked  int
	}{
		{"there already", []reply{code(400, "ResourceInUseException")}, trestle.NotApplied, errs.Exists, 1, 1},
		{"denied", []reply{code(400, "AccessDeniedException")}, trestle.NotApplied, nil, 1, 1},
		{"lost", []reply{reset}, trestle.Unknown, errs.Unknown, 1, 3},
		{"lost, and then there", []reply{reset, code(400, "ResourceInUseException")}, trestle.Unknown, errs.Unknown, 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &script{replies: c.replies}
			e := newEnv(s)
			client := e.Client.(*dynamodb.Client)
			f := failureOf(t, OnTable(t.Context(), e, "create table", true, func(ctx context.Context, c *Call) error {
				_, err := Alter(ctx, c, client.DeleteTable, &dynamodb.DeleteTableInput{TableName: &e.Table})
				return err
			}))
			require.Equal(t, c.alter, f.Outcome)
			require.Equal(t, c.kind, f.Kind)
			require.Equal(t, c.sent, s.sent)

			s.sent = 0
			f = failureOf(t, OnTable(t.Context(), e, "check table", false, func(ctx context.Context, c *Call) error {
				_, err := Read(ctx, c, client.DescribeTable, &dynamodb.DescribeTableInput{TableName: &e.Table})
				return err
			}))
			require.Equal(t, trestle.NoWrite, f.Outcome)
			require.Equal(t, c.looked, s.sent)
		})
	}
}

func units(n float64) *float64 { return &n }

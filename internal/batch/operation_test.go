package batch_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/batch"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testschema"
)

// planned is an operation that is already planned.
type planned batch.Write

func (p planned) Plan() (batch.Write, error) { return batch.Write(p), nil }

func planOf(t *testing.T) *core.Plan {
	t.Helper()
	s, err := testschema.Source{}.Schema("type Item struct {\n\t_ entity.Key `type:\"item\" pk:\"I#<id>\" sk:\"I\"`\n\tID string `dynamodbav:\"id\"`\n}")
	require.NoError(t, err)
	return s.Plans[0]
}

// writing returns an operation that puts items with the given keys.
func writing(c *exec.Config, p *core.Plan, keys ...string) planned {
	w := planned{Config: c, Operation: op.Operation{Name: "put", Plan: p}}
	for _, key := range keys {
		item := op.Item{"PK": &types.AttributeValueMemberS{Value: key}, "SK": &types.AttributeValueMemberS{Value: "I"}}
		w.Actions = append(w.Actions, op.Action{Verb: op.Put, Plan: p, Item: op.NewContent(item), Idempotent: true})
	}
	return w
}

// input yields operations, each of which is its own argument.
func input(list ...planned) iter.Seq2[any, batch.Operation] {
	return func(yield func(any, batch.Operation) bool) {
		for _, o := range list {
			if !yield(o, o) {
				return
			}
		}
	}
}

// transacting is a client that keeps each transaction until the test lets it go.
type transacting struct {
	held
	mu      sync.Mutex
	started []string
}

func (c *transacting) start(ctx context.Context, text string) {
	c.mu.Lock()
	c.started = append(c.started, text)
	c.mu.Unlock()
	c.wait(ctx)
}

func (c *transacting) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	text := ""
	for _, a := range in.TransactItems {
		text += a.Put.Item["PK"].(*types.AttributeValueMemberS).Value
	}
	c.start(ctx, text)
	return &dynamodb.TransactWriteItemsOutput{}, nil
}

func (c *transacting) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	c.start(ctx, fmt.Sprint(len(in.RequestItems["app"])))
	return &dynamodb.BatchWriteItemOutput{}, nil
}

// An operation on several items waits for each earlier operation on one of them.
func TestOperationOfSeveralItemsWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := &transacting{held: held{release: make(chan struct{})}}
		config, plan := &exec.Config{Client: client, Table: "app"}, planOf(t)
		done := make(chan error)
		go func() {
			b := batch.Batch{Name: "write many"}
			done <- b.Write(t.Context(), input(
				writing(config, plan, "a", "x"), writing(config, plan, "b", "y"), writing(config, plan, "c", "x", "y"), writing(config, plan, "y"),
			))
		}()
		for _, want := range []int{2, 1, 1, 1} { // a and b, one of them, c, and the last one
			synctest.Wait()
			require.EqualValues(t, want, client.running.Load())
			client.release <- struct{}{}
		}
		require.NoError(t, <-done)
		require.Equal(t, []string{"cxy", "1"}, client.started[2:])
	})
}

// A write that is applied is reported if its argument cannot be stamped, but not as unprocessed.
func TestUnstampedArgumentIsReported(t *testing.T) {
	t.Parallel()
	client := &transacting{held: held{release: make(chan struct{})}}
	close(client.release)
	config, plan := &exec.Config{Client: client, Table: "app"}, planOf(t)
	errMine := errors.New("mine")
	first, second := writing(config, plan, "a"), writing(config, plan, "b")
	first.Stamp = func() error { return errMine }
	b := batch.Batch{Name: "put many", Entity: plan, Config: config}
	err := b.Write(t.Context(), input(first, second))
	require.ErrorIs(t, err, errMine)
	require.Equal(t, trestle.Applied, trestle.OutcomeOf(err))
	e := failure(t, err)
	require.Len(t, e.Failures, 1)
	require.Equal(t, trestle.Applied, trestle.OutcomeOf(e.Failures[0].Err))
	require.Empty(t, e.Items())

	refused := func(list ...error) error {
		return b.Write(t.Context(), func(yield func(any, batch.Operation) bool) {
			for _, kind := range list {
				yield(kind, refusing{kind})
			}
		})
	}
	for _, c := range []struct{ err, kind error }{
		{refused(trestle.ErrLimit), trestle.ErrLimit}, {refused(trestle.ErrLimit, trestle.ErrLimit), trestle.ErrLimit},
		{refused(trestle.ErrLimit, trestle.ErrInvalid), nil}, {refused(nil, trestle.ErrInvalid), nil}, {refused(nil, nil), nil},
	} {
		var reason *trestle.OpError
		require.ErrorAs(t, c.err, &reason)
		require.Equal(t, c.kind, reason.Kind, "the kind of all failures, if they have the same")
		require.Equal(t, trestle.NotApplied, reason.Outcome)
	}
}

// refusing is an operation that cannot be planned.
type refusing struct{ kind error }

func (r refusing) Plan() (batch.Write, error) {
	return batch.Write{}, &trestle.OpError{Op: "put", Outcome: trestle.NotApplied, Kind: r.kind}
}

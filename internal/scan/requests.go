package scan

import (
	"context"
	"errors"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
)

// batchSize is the number of items of one batch read.
const batchSize = 100

// Get reads items by their keys, strongly consistent, several batches at the same time. take is
// called for each item that exists.
func (r *Run) Get(ctx context.Context, keys []op.Item, take func(i int, row core.Row)) error {
	wanted := make([]fetch.KeyRequest, len(keys))
	for i, key := range keys {
		wanted[i] = fetch.KeyRequest{Table: r.Config.Table, Schema: r.Schema, Key: key, Strong: true}
	}
	batches := (len(wanted) + batchSize - 1) / batchSize
	return r.Parallel(ctx, batches, func(ctx context.Context, n int) error {
		first := n * batchSize
		call := exec.NewCall(r.Config, trestle.OperationInfo{Operation: r.Name, Table: r.Config.Table}, nil, trestle.NoWrite)
		_, err := fetch.BatchGet(ctx, &call, wanted[first:min(first+batchSize, len(wanted))], fetch.Projection{}, func(i int, row core.Row) error {
			take(first+i, row)
			return nil
		})
		r.Spend(call.Capacity)
		return err
	})
}

// Do sends actions, when the rate allows it.
func (r *Run) Do(ctx context.Context, p *core.Plan, actions []op.Action, take func(op.Reply)) error {
	if err := r.awaitRate(ctx); err != nil {
		return err
	}
	return exec.Do(ctx, r.Config, &op.Operation{Name: r.Name, Plan: p, Actions: actions}, func(reply op.Reply) error {
		take(reply)
		r.Spend(reply.Capacity)
		return nil
	})
}

// Pause waits before something is read again, or its repair is tried again.
func (r *Run) Pause(ctx context.Context, tries int) error {
	if err := r.Config.Pause(ctx, tries); err != nil {
		return r.Fail(trestle.NoWrite, err)
	}
	return nil
}

// Temporary reports whether a write failed because of what other writers do at the same time, or
// whether its reply was lost.
func Temporary(err error) bool {
	var canceled *types.TransactionCanceledException
	var failed *types.ConditionalCheckFailedException
	return errors.Is(err, errs.Unknown) || errors.As(err, &canceled) || errors.As(err, &failed)
}

// Parallel calls f for 0 to n-1, several at the same time. After an error it calls f no more. It
// returns the first error, or that of the ended context.
func (r *Run) Parallel(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	if n == 1 {
		return f(ctx, 0)
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	var once sync.Once
	var first error
	next := make(chan int)
	for range min(r.Concurrency, n) {
		workers.Go(func() {
			for i := range next {
				if err := f(ctx, i); err != nil {
					once.Do(func() { first = err })
					cancel()
				}
			}
		})
	}
	for i := 0; i < n && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	if first == nil {
		return outer.Err()
	}
	return first
}

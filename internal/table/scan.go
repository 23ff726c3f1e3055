package table

import (
	"context"
	"errors"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// ScanOptions are the options of operations that read the whole table.
type ScanOptions struct {
	Concurrency int     // requests at the same time; below 1: defaultConcurrency
	Units       float64 // a budget in read and write units; 0: none
}

const (
	defaultConcurrency = 4
	maxConcurrency     = 100
	scanPage           = 1000 // the maximum number of items that one request reads
	maxProblems        = 1000 // the maximum number of problems that are listed
	// maxTries is how often something is read again, or its repair is tried, if other writers
	// change it at the same time.
	maxTries = 8
)

// scanRun is a running operation that reads the whole table, and reads and writes other items on
// the way.
type scanRun struct {
	Table
	ScanOptions
	name string
	from []cursor.Position // where the scan begins; nil: at the beginning
	at   []cursor.Position // behind the last page; nil: at the end

	mu       sync.Mutex
	capacity trestle.Capacity // without that of running reads
	running  trestle.Capacity // of the running scan
}

func newScanRun(t Table, name string, o ScanOptions) scanRun {
	if o.Concurrency < 1 {
		o.Concurrency = defaultConcurrency
	}
	o.Concurrency = min(o.Concurrency, maxConcurrency)
	return scanRun{Table: t, ScanOptions: o, name: name}
}

// scan reads the whole table, strongly consistent, and calls page after each page. It ends when
// page returns false or an error.
func (r *scanRun) scan(ctx context.Context, sink core.Sink, page func(ctx context.Context) (more bool, err error)) error {
	return r.read(ctx, read.Query{Schema: r.Schema, Strong: true, Segments: r.Concurrency}, sink, func(ctx context.Context, read trestle.Capacity) (bool, error) {
		r.locked(func() { r.running = read })
		return page(ctx)
	})
}

// read reads the items of a query, and calls page after each page with the capacity so far.
func (r *scanRun) read(ctx context.Context, query read.Query, sink core.Sink, page func(ctx context.Context, read trestle.Capacity) (more bool, err error)) error {
	plan := new(read.Plan)
	if err := query.Compile(plan); err != nil {
		return r.invalid(r.name, trestle.NoWrite, err)
	}
	plan.Name = r.name
	run := fetch.New(r.Config, plan, sink, fetch.Bounds{PageSize: scanPage}, fetch.AnyOrder, r.from)
	ctx = run.Start(ctx)
	defer run.Close(ctx)
	var err error
	for more := true; more && err == nil && run.Next(ctx); {
		r.at = run.Positions()
		if more, err = page(ctx, run.Event().Capacity); err != nil {
			break
		}
		if more && !run.Ended() {
			err = r.withinBudget()
		}
	}
	r.locked(func() {
		r.capacity.Add(run.Event().Capacity)
		r.running = trestle.Capacity{}
	})
	run.Stop()
	run.Close(ctx)
	if err == nil {
		err = run.Err()
	}
	if e := (*trestle.OpError)(nil); err != nil && !errors.As(err, &e) {
		return r.invalid(r.name, trestle.NoWrite, err) // the context has ended
	}
	return err
}

// withinBudget returns an error if the budget is used up.
func (r *scanRun) withinBudget() error {
	if c := r.spent(); r.Units > 0 && c.Read+c.Write >= r.Units {
		return &trestle.OpError{Op: r.name, Table: r.Config.Table, Outcome: trestle.NoWrite, Kind: errs.Budget}
	}
	return nil
}

// spent returns the capacity so far.
func (r *scanRun) spent() (c trestle.Capacity) {
	r.locked(func() {
		c = r.capacity
		c.Add(r.running)
	})
	return c
}

// pause waits before something is read again, or its repair is tried again.
func (r *scanRun) pause(ctx context.Context, tries int) error {
	if err := r.Config.Pause(ctx, tries); err != nil {
		return r.invalid(r.name, trestle.NoWrite, err)
	}
	return nil
}

func (r *scanRun) locked(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// batchSize is the number of items of one batch read.
const batchSize = 100

// get reads items by their keys, strongly consistent, several batches at the same time. take is
// called for each item that exists.
func (r *scanRun) get(ctx context.Context, keys []op.Item, take func(i int, row core.Row)) error {
	wanted := make([]fetch.KeyRequest, len(keys))
	for i, key := range keys {
		wanted[i] = fetch.KeyRequest{Table: r.Config.Table, Schema: r.Schema, Key: key, Strong: true}
	}
	batches := (len(wanted) + batchSize - 1) / batchSize
	return parallel(ctx, r.Concurrency, batches, func(ctx context.Context, n int) error {
		first := n * batchSize
		call := exec.NewCall(r.Config, trestle.OperationInfo{Operation: r.name, Table: r.Config.Table}, nil, trestle.NoWrite)
		_, err := fetch.BatchGet(ctx, &call, wanted[first:min(first+batchSize, len(wanted))], fetch.Projection{}, func(i int, row core.Row) error {
			take(first+i, row)
			return nil
		})
		r.locked(func() { r.capacity.Add(call.Capacity) })
		return err
	})
}

// do sends actions.
func (r *scanRun) do(ctx context.Context, p *core.Plan, actions []op.Action, take func(op.Reply)) error {
	return exec.Do(ctx, r.Config, &op.Operation{Name: r.name, Plan: p, Actions: actions}, func(reply op.Reply) error {
		take(reply)
		r.locked(func() { r.capacity.Add(reply.Capacity) })
		return nil
	})
}

// temporary reports whether a write failed because of what other writers do at the same time, or
// whether its reply was lost.
func temporary(err error) bool {
	var canceled *types.TransactionCanceledException
	var failed *types.ConditionalCheckFailedException
	return errors.Is(err, errs.Unknown) || errors.As(err, &canceled) || errors.As(err, &failed)
}

// parallel calls f for 0 to n-1, at most limit times at the same time. After an error it calls f no
// more. It returns the first error, or that of the ended context.
func parallel(ctx context.Context, limit, n int, f func(ctx context.Context, i int) error) error {
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
	for range min(limit, n) {
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

// noSink is a sink without targets, so the run passes the stored items to Unmatched.
type noSink struct{}

// Target returns no target.
func (noSink) Target(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Commit is never called.
func (noSink) Commit(*core.Plan) error { return nil }

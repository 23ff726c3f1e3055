package batch

import (
	"context"
	"iter"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
)

// DefaultConcurrency is the maximum number of requests at the same time if the caller sets none.
const DefaultConcurrency = 4

// Operation is an operation of a batch before it is planned.
type Operation interface {
	// Plan plans the operation from the current values of its argument. The error is a
	// *trestle.OpError.
	Plan() (Write, error)
}

// Write is a planned operation.
type Write struct {
	op.Operation
	Config *exec.Config // of its repository
	Stamp  func() error // sets the version and timestamps of the argument after the write is applied
}

// Batch is a batch write.
type Batch struct {
	Name   string       // "put many"
	Table  string       // empty for several tables
	Entity *core.Plan   // nil for several types
	Config *exec.Config // of BatchWriteItem requests; nil: that of the first operation
	Options
}

// Options are the options of the caller.
type Options struct {
	Concurrency int            // below 1: DefaultConcurrency
	Progress    func(Progress) // may be nil
}

// Progress is the progress of a batch after a request.
type Progress struct {
	Consumed int // arguments that were taken from the input
	Applied  int
	Failed   int
	Retried  int // writes that were sent again because DynamoDB did not process them
	Requests int
	Capacity trestle.Capacity
}

// Write executes the operations of the input. The first value of each pair is the argument that
// represents the operation in errors. An error is a *trestle.UnprocessedError.
func (b *Batch) Write(ctx context.Context, input iter.Seq2[any, Operation]) error {
	w := newWriter(ctx, b)
	defer w.close()
	if w.goesOn() {
		for argument, o := range input {
			w.add(argument, o)
			if w.settle(false); !w.goesOn() {
				break
			}
		}
	}
	w.settle(true)
	w.reportPending()
	w.err = w.result()
	w.returned = true
	return w.err
}

package call

import (
	"context"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Read is a read of many items while its pages come in: what the observer is told at its end, and errors are made of.
type Read struct {
	Env       *Env
	Name      string
	Plan      *core.Plan
	Access    string
	Index     string
	Items     int
	Skipped   int // the library's own items
	Unknown   int // items of no registered type that had no place
	Scanned   int // items read, before any filter
	requests  int
	attempts  int
	capacity  op.Capacity
	requestID string
	start     time.Time
}

// Begin starts the clock of a read.
func (r *Read) Begin() { r.start = time.Now() }

// Page sends one request.
func (r *Read) Page(ctx context.Context, in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
	a := newAttempts(r.Env.timeout(), true)
	out, err := r.Env.Client.Query(ctx, in, a.options(r.Env.SDK)...)
	r.attempts += a.n
	if a.n > 0 || !a.watched {
		r.requests++
	}
	if err != nil {
		f := r.failure(err)
		f.RequestID, f.Cure = requestID(err), cure(a, err)
		return nil, f
	}
	r.requestID, _ = awsmiddleware.GetRequestIDMetadata(out.ResultMetadata)
	if c := out.ConsumedCapacity; c != nil && c.CapacityUnits != nil {
		r.capacity.Read += *c.CapacityUnits
	}
	return out, nil
}

// Requests is how many requests were sent.
func (r *Read) Requests() int { return r.requests }

// Capacity is what the requests consumed.
func (r *Read) Capacity() op.Capacity { return r.capacity }

// Fail makes a failure of an error that is not the service's.
func (r *Read) Fail(err error) *Failure {
	f := r.failure(err)
	f.Kind, f.RequestID = fail.KindOf(err), r.requestID
	return f
}

func (r *Read) failure(err error) *Failure {
	f := &Failure{Operation: r.Name, Plan: r.Plan, Table: r.Env.Table, Index: r.Index, Outcome: op.NotApplied, Attempts: r.attempts, Err: err}
	if r.Plan != nil {
		f.Entity = r.Plan.Name
	}
	return f
}

// End tells the observer.
func (r *Read) End(ctx context.Context, err error) {
	if r.Env.Observe == nil {
		return
	}
	e := Event{
		Operation: r.Name, Table: r.Env.Table, Access: r.Access, Index: r.Index, Items: r.Items, Scanned: r.Scanned, Skipped: r.Skipped, Unknown: r.Unknown,
		Requests: r.requests, Attempts: r.attempts, Capacity: r.capacity, Outcome: op.Applied, Duration: time.Since(r.start), Err: err,
	}
	if r.Plan != nil {
		e.Entity = r.Plan.Name
	}
	if err != nil {
		e.Outcome = op.NotApplied
	}
	r.Env.Observe(ctx, e)
}

package call

import (
	"context"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

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
	throttled []string
	requestID string
	start     time.Time
}

// Begin starts the clock of a read.
func (r *Read) Begin() { r.start = time.Now() }

// Answer is what one request of a read came to, not yet taken into account.
type Answer struct {
	Items   []op.Item
	Count   int
	Scanned int
	Last    op.Item // where the next request goes on; empty: there is no more

	capacity *types.ConsumedCapacity
	meta     middleware.Metadata
	attempts *attempts
	err      error
}

// Query sends one request of a query.
func (e *Env) Query(ctx context.Context, in *dynamodb.QueryInput) Answer {
	a := newAttempts(e.timeout(), true)
	out, err := e.Client.Query(ctx, in, a.options(e.SDK)...)
	if err != nil {
		return Answer{attempts: a, err: err}
	}
	return Answer{
		Items: out.Items, Count: int(out.Count), Scanned: int(out.ScannedCount), Last: out.LastEvaluatedKey,
		capacity: out.ConsumedCapacity, meta: out.ResultMetadata, attempts: a,
	}
}

// Scan sends one request of a scan.
func (e *Env) Scan(ctx context.Context, in *dynamodb.ScanInput) Answer {
	a := newAttempts(e.timeout(), true)
	out, err := e.Client.Scan(ctx, in, a.options(e.SDK)...)
	if err != nil {
		return Answer{attempts: a, err: err}
	}
	return Answer{
		Items: out.Items, Count: int(out.Count), Scanned: int(out.ScannedCount), Last: out.LastEvaluatedKey,
		capacity: out.ConsumedCapacity, meta: out.ResultMetadata, attempts: a,
	}
}

// Account takes an answer into account. The error is a *Failure.
func (r *Read) Account(a *Answer) error {
	r.attempts += a.attempts.n
	r.throttled = merge(r.throttled, a.attempts.throttled...)
	if a.attempts.n > 0 || !a.attempts.watched {
		r.requests++
	}
	if a.err != nil {
		f := r.failure(a.err)
		f.RequestID, f.Cure = requestID(a.err), cure(a.attempts, a.err)
		return f
	}
	r.Scanned += a.Scanned
	r.requestID, _ = awsmiddleware.GetRequestIDMetadata(a.meta)
	if c := a.capacity; c != nil && c.CapacityUnits != nil {
		r.capacity.Read += *c.CapacityUnits
	}
	return nil
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

// FailAt is Fail because of the item under a key.
func (r *Read) FailAt(key op.Item, err error) *Failure {
	f := r.Fail(err)
	f.Key = key
	return f
}

func (r *Read) failure(err error) *Failure {
	f := &Failure{Operation: r.Name, Plan: r.Plan, Table: r.Env.Table, Index: r.Index, Outcome: op.NoWrite, Attempts: r.attempts, Err: err}
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
		Requests: r.requests, Attempts: r.attempts, Throttled: r.throttled, Capacity: r.capacity, Outcome: op.NoWrite, Duration: time.Since(r.start), Err: err,
	}
	if r.Plan != nil {
		e.Entity = r.Plan.Name
	}
	r.Env.Observe(ctx, e)
}

package exec

import (
	"context"
	"errors"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Read is a running read of many items.
type Read struct {
	ongoing
	requestID string
}

// NewRead returns a read. p is the plan of the entity, or nil for several entities or none.
func NewRead(e *Config, info Info, p *core.Plan) Read {
	return Read{ongoing: start(e, info, p, op.NoWrite)}
}

// Answer is the result of one request of a read, before Account.
type Answer struct {
	Items   []op.Item
	Count   int
	Scanned int
	Last    op.Item // the start key of the next request; empty after the last page

	capacity *types.ConsumedCapacity
	meta     middleware.Metadata
	attempts *attempts
	err      error
}

// Query sends one request of a query.
func (e *Config) Query(ctx context.Context, in *dynamodb.QueryInput) Answer {
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
func (e *Config) Scan(ctx context.Context, in *dynamodb.ScanInput) Answer {
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

// Invalid reports whether DynamoDB rejected the request with a ValidationException.
func (a *Answer) Invalid() bool {
	var api smithy.APIError
	return errors.As(a.err, &api) && api.ErrorCode() == "ValidationException"
}

// Account adds an answer to the statistics of the read. An error is a *Failure.
func (r *Read) Account(a *Answer) error {
	r.sent(a.attempts)
	if a.err != nil {
		f := r.failure(a.err)
		f.RequestID, f.Cure = requestID(a.err), cure(a.attempts, a.err)
		return f
	}
	r.Scanned += a.Scanned
	r.requestID, _ = awsmiddleware.GetRequestIDMetadata(a.meta)
	if c := a.capacity; c != nil && c.CapacityUnits != nil {
		r.Capacity.Read += *c.CapacityUnits
	}
	return nil
}

// Fail returns a Failure for an error that is not DynamoDB's.
func (r *Read) Fail(err error) *Failure {
	f := r.failure(err)
	f.Kind, f.RequestID = errs.KindOf(err), r.requestID
	return f
}

// FailAt is Fail for an error of the item with that key.
func (r *Read) FailAt(key op.Item, err error) *Failure {
	f := r.Fail(err)
	f.Key = key
	return f
}

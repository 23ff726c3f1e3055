package call

import (
	"context"
	"errors"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Read is a read of many items under way.
type Read struct {
	ongoing
	requestID string
}

// NewRead makes a read. The name of the entity is that of p; nil stands for several, or for none.
func NewRead(e *Env, info Info, p *core.Plan) Read {
	return Read{ongoing: start(e, info, p, op.NoWrite)}
}

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

// Invalid reports whether the service refused the request as one that is never valid.
func (a *Answer) Invalid() bool {
	var api smithy.APIError
	return errors.As(a.err, &api) && api.ErrorCode() == "ValidationException"
}

// Account takes an answer into account. The error is a *Failure.
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

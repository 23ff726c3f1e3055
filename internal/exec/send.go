package exec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/tenancy"
)

// Response is the result of one request. [Call.Account] adds it to the statistics of an operation.
type Response struct {
	Rows        core.Rows
	Count       int
	Scanned     int
	Last        map[string]core.AV                 // start key of the next request; empty after the last page
	Tables      map[string]core.Rows               // of a batch read: the items by table
	Unprocessed map[string]types.KeysAndAttributes // of a batch read
	Unwritten   map[string][]types.WriteRequest    // of a batch write: what was not processed

	writes     bool
	checksOnly bool                     // a transaction of condition checks, which changes nothing
	consumed   *types.ConsumedCapacity  // of a request to one table
	capacity   []types.ConsumedCapacity // of a request to several tables
	requestID  string
	attempts   *attempts
	err        error
}

// method is a method of the client.
type method[In, Out any] func(trestle.Client, context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)

// send sends one request. It returns nil if the request failed; the error is in the Response. The
// request of a tenant is checked once more before it is sent, and its reply before it is returned.
// w writes a part of the body; nil: the SDK writes all of it.
func send[In, Out any](ctx context.Context, c *Config, m method[In, Out], in *In, repeat repetition, w *itemWriter) (*Out, Response) {
	a := newAttempts(c, repeat, in)
	if c.Tenant != nil {
		if w != nil {
			w.addKeys()
		}
		if err := c.Tenant.Request(in); err != nil {
			a.watched = true // it made no attempt
			return nil, Response{attempts: a, err: err}
		}
	}
	out, err := m(c.Client, ctx, in, a.options(w.options(c.SDK))...)
	r := Response{attempts: a, err: a.withCause(ctx, err)}
	if r.err == nil {
		r.take(out)
	}
	if c.Tenant != nil {
		if foreign := c.foreign(out, &r); foreign != nil {
			r = Response{attempts: a, err: foreign}
		}
	}
	if r.err != nil {
		return nil, r
	}
	return out, r
}

// foreign returns an error if a reply holds an item of another tenant.
func (c *Config) foreign(out any, r *Response) error {
	if foreign := c.Tenant.Reply(out, r.err); foreign != nil || r.err != nil {
		return foreign
	}
	for _, rows := range r.Tables {
		if foreign := c.Tenant.Rows(out, rows); foreign != nil {
			return foreign
		}
	}
	return c.Tenant.Rows(out, r.Rows)
}

// Invalid reports whether DynamoDB rejected the request with a ValidationException.
func (r *Response) Invalid() bool {
	var api smithy.APIError
	return errors.As(r.err, &api) && api.ErrorCode() == "ValidationException"
}

// Account adds a response to the statistics of the operation. An error is a *trestle.OpError. After
// a failed write, its outcome is that of the request.
func (c *Call) Account(r *Response) error {
	if e := c.account(r); e != nil {
		return e
	}
	return nil
}

func (c *Call) account(r *Response) *trestle.OpError {
	a := r.attempts
	c.Attempts += a.n
	c.Throttled = merge(c.Throttled, a.throttled...)
	if a.n > 0 || !a.watched { // else the request was not sent
		c.Requests++
	}
	if r.err != nil {
		return c.rejected(r)
	}
	if r.writes {
		c.Outcome = trestle.Applied
	}
	c.Scanned += r.Scanned
	c.requestID = r.requestID
	c.consume(r.consumed, r.writes)
	for i := range r.capacity {
		c.consume(&r.capacity[i], r.writes)
	}
	return nil
}

// consume adds consumed capacity. A transaction reports both kinds: a request with a token that was
// used before reads its items.
func (c *Call) consume(capacity *types.ConsumedCapacity, writes bool) {
	switch {
	case capacity == nil || capacity.CapacityUnits == nil:
	case capacity.ReadCapacityUnits != nil || capacity.WriteCapacityUnits != nil:
		c.Capacity.Read += aws.ToFloat64(capacity.ReadCapacityUnits)
		c.Capacity.Write += aws.ToFloat64(capacity.WriteCapacityUnits)
	case writes:
		c.Capacity.Write += *capacity.CapacityUnits
	default:
		c.Capacity.Read += *capacity.CapacityUnits
	}
}

// rejected returns the error of a request that failed.
func (c *Call) rejected(r *Response) *trestle.OpError {
	e := c.failure(r.err)
	e.RequestID, e.Hint = requestID(r.err), hint(r.attempts, r.err)
	if errors.Is(r.err, errs.Tenant) {
		e.Kind, e.Hint, e.Key = errs.Tenant, "", withheldKey(r.err)
	}
	if r.writes && (!r.checksOnly || c.hasToken) {
		e.Outcome = r.attempts.result(r.err)
	}
	if r.writes && c.hasToken {
		e.Outcome = c.settle(e.Outcome, r)
	}
	if e.Outcome == trestle.Unknown && (r.writes || e.Kind == nil) {
		e.Kind = errs.Unknown
	}
	if e.Outcome == trestle.Unknown && c.hasToken && e.Hint == "" {
		e.Hint = sameToken
	}
	return e
}

// withheldKey returns the key of the item of another tenant that a reply has, or nil.
func withheldKey(err error) op.Item {
	var withheld *tenancy.ReplyError
	if errors.As(err, &withheld) {
		return withheld.Key
	}
	return nil
}

func requestID(err error) string {
	var r interface{ ServiceRequestID() string }
	if errors.As(err, &r) {
		return r.ServiceRequestID()
	}
	return ""
}

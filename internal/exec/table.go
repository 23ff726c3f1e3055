package exec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// OnTable executes an operation on a whole table. f sends its requests. writes reports whether the
// operation creates or changes the table. An error of a request or of Fail is a *trestle.OpError.
func OnTable(ctx context.Context, c *Config, operation string, writes bool, f func(context.Context, *Call) error) error {
	outcome := trestle.NoWrite
	if writes {
		outcome = trestle.NotApplied
	}
	call := NewCall(c, trestle.OperationInfo{Operation: operation, Table: c.Table}, nil, outcome)
	return call.Observe(ctx, func(ctx context.Context) error { return f(ctx, &call) })
}

// TableMethod is a method of the client on a whole table. [trestle.Client] does not have it.
type TableMethod[In, Out any] func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)

// Read sends a request that reads. An error is a *trestle.OpError.
func Read[In, Out any](ctx context.Context, c *Call, m TableMethod[In, Out], in *In) (*Out, error) {
	out, r := send(ctx, c.Config, m.method(), in, always, nil)
	return out, c.Account(&r)
}

// Alter sends a request that creates or changes the table. Until a request has succeeded, a
// ResourceInUseException has the kind errs.Exists. After a request has succeeded, the outcome of a
// later failure is Applied, unless its own outcome is Unknown. An error is a *trestle.OpError.
func Alter[In, Out any](ctx context.Context, c *Call, m TableMethod[In, Out], in *In) (*Out, error) {
	before := c.Outcome
	out, r := send(ctx, c.Config, m.method(), in, never, nil)
	r.writes = true
	e := c.account(&r)
	if e == nil {
		return out, nil
	}
	if e.Outcome == trestle.NotApplied {
		e.Outcome = before
	}
	var exists *types.ResourceInUseException
	if errors.As(r.err, &exists) && e.Outcome == trestle.NotApplied {
		e.Kind = errs.Exists
	}
	return nil, e
}

func (m TableMethod[In, Out]) method() method[In, Out] {
	return func(_ trestle.Client, ctx context.Context, in *In, o ...func(*dynamodb.Options)) (*Out, error) {
		return m(ctx, in, o...)
	}
}

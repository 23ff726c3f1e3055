package exec

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// Table is a running operation on a whole table.
type Table struct{ ongoing }

// OnTable executes an operation on a whole table. f sends its requests. writes reports whether the
// operation creates or changes the table. An error of a request or of Fail is a *Failure.
func OnTable(ctx context.Context, e *Config, operation string, writes bool, f func(context.Context, *Table) error) error {
	outcome := op.NoWrite
	if writes {
		outcome = op.NotApplied
	}
	t := Table{start(e, Info{Operation: operation, Table: e.Table}, nil, outcome)}
	return t.Observe(ctx, func(ctx context.Context) error { return f(ctx, &t) })
}

// Send sends a request with the given options of the SDK.
type Send = func(context.Context, ...func(*dynamodb.Options)) error

// Look sends a request that reads. An error is a *Failure.
func (t *Table) Look(ctx context.Context, send Send) error {
	a := newAttempts(t.Env.timeout(), true)
	err := send(ctx, a.options(t.Env.SDK)...)
	t.sent(a)
	if err == nil {
		return nil
	}
	return t.failed(a, err)
}

// Alter sends a request that creates or changes the table. Until a request has succeeded, a
// ResourceInUseException has the kind errs.Exists. After a request has succeeded, the outcome of a
// later failure is Applied, unless its own outcome is Unknown. An error is a *Failure.
func (t *Table) Alter(ctx context.Context, send Send) error {
	a := newAttempts(t.Env.timeout(), false)
	err := send(ctx, a.options(t.Env.SDK)...)
	t.sent(a)
	if err == nil {
		t.Outcome = op.Applied
		return nil
	}
	f := t.failed(a, err)
	var there *types.ResourceInUseException
	switch {
	case a.result(err) == op.Unknown:
		f.Outcome, f.Kind = op.Unknown, errs.Unknown
	case errors.As(err, &there) && f.Outcome == op.NotApplied:
		f.Kind = errs.Exists
	}
	return f
}

// Fail returns a Failure for an error that is not DynamoDB's.
func (t *Table) Fail(err error) *Failure {
	f := t.failure(err)
	f.Kind = errs.KindOf(err)
	return f
}

func (t *Table) failed(a *attempts, err error) *Failure {
	f := t.failure(err)
	f.RequestID, f.Cure = requestID(err), cure(a, err)
	return f
}

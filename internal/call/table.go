package call

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Table is an operation on the table as a whole under way.
type Table struct{ ongoing }

// OnTable carries out an operation on the table as a whole: f makes its requests. A writing
// operation makes or changes the table. The error is a *Failure where it is of a request or of
// Fail.
func OnTable(ctx context.Context, e *Env, operation string, writes bool, f func(context.Context, *Table) error) error {
	outcome := op.NoWrite
	if writes {
		outcome = op.NotApplied
	}
	t := Table{start(e, Info{Operation: operation, Table: e.Table}, nil, outcome)}
	return t.Observe(ctx, func(ctx context.Context) error { return f(ctx, &t) })
}

// Send is a request: what it does is up to the function, which passes the options on to the SDK.
type Send = func(context.Context, ...func(*dynamodb.Options)) error

// Look sends a request that reads. The error is a *Failure.
func (t *Table) Look(ctx context.Context, send Send) error {
	a := newAttempts(t.Env.timeout(), true)
	err := send(ctx, a.options(t.Env.SDK)...)
	t.sent(a)
	if err == nil {
		return nil
	}
	return t.failed(a, err)
}

// Alter sends a request that makes or changes the table. The first one is fail.Exists where the
// service refuses it because the table is there. Once one has succeeded, the outcome of any later
// failure is applied, unless it is unknown itself. The error is a *Failure.
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
		f.Outcome, f.Kind = op.Unknown, fail.Unknown
	case errors.As(err, &there) && f.Outcome == op.NotApplied:
		f.Kind = fail.Exists
	}
	return f
}

// Fail makes a failure of an error that is not the service's.
func (t *Table) Fail(err error) *Failure {
	f := t.failure(err)
	f.Kind = fail.KindOf(err)
	return f
}

func (t *Table) failed(a *attempts, err error) *Failure {
	f := t.failure(err)
	f.RequestID, f.Cure = requestID(err), cure(a, err)
	return f
}

package call

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// Look carries out a request that reads about the table as a whole. The error is a *Failure.
func Look(ctx context.Context, e *Env, operation string, send func(context.Context, ...func(*dynamodb.Options)) error) error {
	a := newAttempts(e.timeout(), true)
	err := send(ctx, a.options(e.SDK)...)
	if err == nil {
		return nil
	}
	f := e.whole(operation, a, err)
	f.Outcome = op.NoWrite
	return f
}

// Alter carries out a request that makes or changes the table as a whole. What the service refuses because the table is there is
// fail.Exists. The error is a *Failure.
func Alter(ctx context.Context, e *Env, operation string, send func(context.Context, ...func(*dynamodb.Options)) error) error {
	a := newAttempts(e.timeout(), false)
	err := send(ctx, a.options(e.SDK)...)
	if err == nil {
		return nil
	}
	f := e.whole(operation, a, err)
	f.Outcome = a.result(err)
	var there *types.ResourceInUseException
	switch {
	case f.Outcome == op.Unknown:
		f.Kind = fail.Unknown
	case errors.As(err, &there):
		f.Kind = fail.Exists
	}
	return f
}

func (e *Env) whole(operation string, a *attempts, err error) *Failure {
	return &Failure{Operation: operation, Table: e.Table, RequestID: requestID(err), Attempts: a.n, Cure: cure(a, err), Err: err}
}

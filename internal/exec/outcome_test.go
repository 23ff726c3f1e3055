package exec

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

func withStatus(status int, err error) error {
	return &smithyhttp.ResponseError{Response: &smithyhttp.Response{Response: &http.Response{StatusCode: status}}, Err: err}
}

func TestAttemptOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		sent bool
		err  error
		want trestle.Outcome
	}{
		{"acknowledged", true, nil, trestle.Applied},
		{"never sent", false, errors.New("no credentials"), trestle.NotApplied},
		{"refused", true, withStatus(400, &types.ConditionalCheckFailedException{}), trestle.NotApplied},
		{"refused, wrapped", true, fmt.Errorf("wrapped: %w", withStatus(400, &types.ConditionalCheckFailedException{})), trestle.NotApplied},
		{"refused by a fake, without a status", true, &types.ConditionalCheckFailedException{}, trestle.NotApplied},
		{"failed in a fake, without a status", true, &types.InternalServerError{}, trestle.Unknown},
		{"of unknown fault, without a status", true, &smithy.GenericAPIError{Code: "X"}, trestle.Unknown},
		{"failed", true, withStatus(500, &types.InternalServerError{}), trestle.Unknown},
		{"a client's code behind a server's status", true, withStatus(503, &types.ConditionalCheckFailedException{}), trestle.Unknown},
		{"a redirect", true, withStatus(307, &smithy.GenericAPIError{Code: "X", Fault: smithy.FaultClient}), trestle.Unknown},
		{"timed out at a proxy", true, withStatus(408, &smithy.GenericAPIError{Code: "X"}), trestle.Unknown},
		{"timed out at the service", true, withStatus(400, &smithy.GenericAPIError{Code: "RequestTimeout"}), trestle.Unknown},
		{"in progress", true, withStatus(400, &types.TransactionInProgressException{}), trestle.Unknown},
		{"no route", true, &net.OpError{Op: "dial", Err: errors.New("x")}, trestle.NotApplied},
		{"no route to the proxy", true, &net.OpError{Op: "proxyconnect", Err: errors.New("x")}, trestle.NotApplied},
		{"broken", true, &net.OpError{Op: "write", Err: errors.New("x")}, trestle.Unknown},
		{"late", true, context.DeadlineExceeded, trestle.Unknown},
		{"unreadable", true, &smithy.DeserializationError{Err: errors.New("x")}, trestle.Unknown},
	} {
		require.Equal(t, c.want, attemptOutcome(c.sent, c.err), c.name)
	}
}

// deaf is a client that runs no middleware, such as a mock.
type deaf struct {
	trestle.Client
	err error
}

func (d deaf) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return &dynamodb.PutItemOutput{}, d.err
}

func TestOutcomeWithoutMiddleware(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err     error
		outcome trestle.Outcome
		kind    error
	}{
		{&types.ConditionalCheckFailedException{Item: op.Item{"PK": text("a")}}, trestle.NotApplied, errs.Exists},
		{&types.InternalServerError{}, trestle.Unknown, errs.Unknown},
		{context.Canceled, trestle.Unknown, errs.Unknown},
	} {
		f := failureOf(t, Do(t.Context(), &Config{Client: deaf{err: c.err}, Table: "app"}, putOf(false), nothing))
		require.Equal(t, c.outcome, f.Outcome)
		require.Equal(t, c.kind, f.Kind)
	}
	require.NoError(t, Do(t.Context(), &Config{Client: deaf{}, Table: "app"}, putOf(false), nothing))
}

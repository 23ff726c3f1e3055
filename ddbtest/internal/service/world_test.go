package service_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// world is a database that receives requests in the JSON of the wire protocol.
type world struct {
	db     *store.DB
	config engine.Config
}

func newWorld() *world {
	return &world{store.NewDB(new(clock.Clock)), engine.Config{Region: "us-east-1", Account: "123456789012"}}
}

// send runs a request. The body is a format.
func (w *world) send(operation, body string, args ...any) (string, error) {
	request, err := service.Read(operation, fmt.Appendf(nil, body, args...))
	if err != nil {
		return "", err
	}
	reply, err := request.Run(&engine.Call{DB: w.db, Config: &w.config})
	return string(reply), err
}

// done returns the reply to a request that must succeed.
func (w *world) done(t testing.TB, operation, body string, args ...any) string {
	t.Helper()
	reply, err := w.send(operation, body, args...)
	require.NoError(t, err, "%s", operation)
	return reply
}

// refused returns the error of a request that must fail.
func (w *world) refused(t *testing.T, operation, body string, args ...any) *awserr.Error {
	t.Helper()
	_, err := w.send(operation, body, args...)
	var refusal *awserr.Error
	require.ErrorAs(t, err, &refusal, "%s", operation)
	return refusal
}

const (
	arn         = "arn:aws:dynamodb:us-east-1:123456789012:table/things"
	createThing = `{"TableName":%q,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"BillingMode":"PAY_PER_REQUEST"%s}`
)

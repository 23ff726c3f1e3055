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

// fixture is a database that receives requests in the JSON of the wire protocol.
type fixture struct {
	db     *store.DB
	config engine.Config
}

func newFixture() *fixture {
	return &fixture{store.NewDB(new(clock.Clock)), engine.Config{Region: "us-east-1", Account: "123456789012"}}
}

// send runs a request. The body is a format.
func (f *fixture) send(operation, body string, args ...any) (string, error) {
	request, err := service.Read(operation, fmt.Appendf(nil, body, args...))
	if err != nil {
		return "", err
	}
	reply, err := request.Run(&engine.Call{DB: f.db, Config: &f.config})
	return string(reply), err
}

// mustSend returns the reply to a request that must succeed.
func (f *fixture) mustSend(t testing.TB, operation, body string, args ...any) string {
	t.Helper()
	reply, err := f.send(operation, body, args...)
	require.NoError(t, err, "%s", operation)
	return reply
}

// mustFail returns the error of a request that must fail.
func (f *fixture) mustFail(t *testing.T, operation, body string, args ...any) *awserr.Error {
	t.Helper()
	_, err := f.send(operation, body, args...)
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr, "%s", operation)
	return serviceErr
}

const (
	arn         = "arn:aws:dynamodb:us-east-1:123456789012:table/things"
	createThing = `{"TableName":%q,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"BillingMode":"PAY_PER_REQUEST"%s}`
)

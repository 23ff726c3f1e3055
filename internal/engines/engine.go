package engines

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/ddblocal"
)

// The engines.
const (
	InProcess     = "ddbtest"        // the one of package ddbtest
	DynamoDBLocal = "dynamodb-local" // the one that AWS publishes
)

// Engine is a running implementation of DynamoDB.
type Engine struct {
	Name    string // such as [DynamoDBLocal]
	Version string // as the engine states it; empty where it does not

	server *ddblocal.Server // nil for the one inside the process
}

// Client makes a client with a fresh database: an access key of its own. Two clients of one test see two databases.
// Nothing comes from the environment. The options are applied last.
//
// DynamoDB Local keeps the database until the test binary ends, at about 1 MB and three threads: ask once per test, not once per random case.
func (e Engine) Client(t testing.TB, options ...func(*dynamodb.Options)) *dynamodb.Client {
	t.Helper()
	if e.server == nil {
		return ddbtest.Client(t, options...)
	}
	return e.server.Client(ddblocal.NewAccessKey(), options...)
}

// Each runs f as a parallel subtest, named for the engine, on every engine there is.
func Each(t *testing.T, f func(t *testing.T, e Engine)) {
	t.Helper()
	t.Run(InProcess, func(t *testing.T) {
		t.Parallel()
		f(t, Engine{Name: InProcess})
	})
	t.Run(DynamoDBLocal, func(t *testing.T) {
		t.Parallel()
		f(t, Local(t))
	})
}

// Local returns DynamoDB Local. Where it is missing the test is skipped with the cure, or fails if it is required; where it is there
// and does not start, the test fails.
func Local(t testing.TB) Engine {
	t.Helper()
	server, err := shared.get()
	if err != nil {
		giveUp(t, err, ddblocal.Required())
	}
	shared.log(t, server)
	return Engine{Name: DynamoDBLocal, Version: server.Version, server: server}
}

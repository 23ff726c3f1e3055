package engines

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// The engines.
const (
	InProcess     = "ddbtest"        // package ddbtest
	DynamoDBLocal = "dynamodb-local" // published by AWS
)

// Engine is a running implementation of DynamoDB.
type Engine struct {
	Name string // such as [DynamoDBLocal]

	server *server // nil for package ddbtest
}

// Client returns a client with a new database: it has an access key of its own. Two clients of one
// test use two databases. No setting comes from the environment. The options are applied last.
//
// DynamoDB Local keeps the database until it ends. Each takes about 1 MB and three
// threads: call Client once per test, not once per random case.
func (e Engine) Client(t testing.TB, options ...func(*dynamodb.Options)) *dynamodb.Client {
	t.Helper()
	if e.server == nil {
		return ddbtest.Client(t, options...)
	}
	return e.server.client(newAccessKey(), options...)
}

// Size is [testsize.Pick] for a random test on every engine. DynamoDB Local is ten times slower
// than ddbtest, and runs the same requests. It has the small size instead of ci.
func (e Engine) Size(small, ci int, fuzz ...int) int {
	if e.Name != DynamoDBLocal {
		return testsize.Pick(small, ci, fuzz...)
	}
	if len(fuzz) == 0 {
		fuzz = []int{ci}
	}
	return testsize.Pick(small, small, fuzz...)
}

// Each runs f on every engine as a parallel subtest with the name of the engine.
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

// Local returns DynamoDB Local. If it is missing, Local skips the test with a message that lists
// what to install, or fails the test if DynamoDB Local is required. If it is available but does not
// start, Local fails the test.
func Local(t testing.TB) Engine {
	t.Helper()
	server, err := shared.get()
	if err != nil {
		giveUp(t, err, required())
	}
	shared.log(t, server)
	return Engine{Name: DynamoDBLocal, server: server}
}

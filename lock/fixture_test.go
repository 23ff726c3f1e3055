package lock_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/lock"
)

// page is what the holders of a lock write.
type page struct {
	_      entity.Key `type:"page" pk:"PAGE#<id>" sk:"PAGE"`
	ID     string     `dynamodbav:"id"`
	Visits int64      `dynamodbav:"visits"`
	Fence  int64      `dynamodbav:"fence"`
}

var (
	visits = attr.Must(func(p *page) *int64 { return &p.Visits })
	fence  = attr.Must(func(p *page) *int64 { return &p.Fence })
)

// program is a program with a clock of its own.
type program struct {
	ahead  atomic.Int64 // nanoseconds
	schema *entity.Schema
	pages  *entity.Type[page]
	table  *entity.Table
}

// now is the clock of the program.
func (p *program) now() time.Time { return time.Now().Add(time.Duration(p.ahead.Load())) }

// sleeps moves the clock of the program.
func (p *program) sleeps(d time.Duration) { p.ahead.Add(int64(d)) }

func (p *program) locks(c lock.Config) *lock.Locks { return lock.New(p.table, "jobs", c) }

func newProgram(t testing.TB, client *dynamodb.Client) *program {
	t.Helper()
	p := new(program)
	p.schema = entity.NewSchema(entity.Config{TTL: "expires", Clock: p.now})
	p.pages = entity.Define[page](p.schema)
	var err error
	p.table, err = p.schema.Open(client, "app")
	require.NoError(t, err)
	return p
}

// newPrograms creates a table and opens it in two programs.
func newPrograms(t testing.TB, client *dynamodb.Client) (alice, bob *program) {
	t.Helper()
	alice, bob = newProgram(t, client), newProgram(t, client)
	require.NoError(t, alice.table.Create(t.Context()))
	return alice, bob
}

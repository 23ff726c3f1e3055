package query_test

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.MainAlone(m)) }

type company struct {
	_    entity.Key   `type:"company" pk:"COM#<id>" sk:"#METADATA#<id>"`
	_    entity.Index `name:"by-name" on:"GSI1" pk:"ORG#<name>" sk:"COM#<id>"`
	ID   string       `dynamodbav:"id"`
	Name string       `dynamodbav:"name,omitempty"`
}

type employee struct {
	_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
	_         entity.Index `name:"by-level" on:"Levels"`
	CompanyID string       `dynamodbav:"company_id"`
	ID        string       `dynamodbav:"id"`
	HiredAt   time.Time    `dynamodbav:"hired_at,omitempty"`
	Team      string       `dynamodbav:"team,omitempty"`
	Level     int          `dynamodbav:"level,omitempty"`
}

// employeeLog is a neighbor type whose keys come directly after an employee's.
type employeeLog struct {
	_         entity.Key `type:"log" pk:"COM#<company_id>" sk:"EMPLOG#<id>"`
	CompanyID string     `dynamodbav:"company_id"`
	ID        string     `dynamodbav:"id"`
}

var (
	config = entity.Config{Indexes: []entity.IndexConfig{
		{Name: "GSI1"},
		{Name: "Levels", Partition: []entity.Attribute{entity.S("company_id"), entity.S("team")}, Sort: []entity.Attribute{entity.N("level"), entity.S("id")}},
	}}
	schema    = entity.NewSchema(config)
	companies = entity.Define[company](schema)
	employees = entity.Define[employee](schema)
	logs      = entity.Define[employeeLog](schema)

	employeeID = attr.Must(func(e *employee) *string { return &e.ID })
	hiredAt    = attr.Must(func(e *employee) *time.Time { return &e.HiredAt })
	team       = attr.Must(func(e *employee) *string { return &e.Team })
	level      = attr.Must(func(e *employee) *int { return &e.Level })
)

func day(n int) time.Time { return time.Date(2026, 8, n, 0, 0, 0, 0, time.UTC) }

// open creates the table with two companies whose ids have a common prefix, their employees, and
// items of the neighbor type between them.
func open(t *testing.T, client trestle.Client) *entity.Table {
	t.Helper()
	table, err := schema.Open(client, "people")
	require.NoError(t, err)
	ctx := t.Context()
	require.NoError(t, table.Create(ctx))
	for _, id := range []string{"c1", "c10"} {
		require.NoError(t, companies.In(table).Create(ctx, &company{ID: id, Name: "Acme"}))
		for i := range 5 {
			e := employee{CompanyID: id, ID: fmt.Sprintf("e%d", i), HiredAt: day(1 + i/2), Team: "a#b", Level: i * 9}
			require.NoError(t, employees.In(table).Create(ctx, &e))
		}
		require.NoError(t, logs.In(table).Create(ctx, &employeeLog{CompanyID: id, ID: "l0"}))
	}
	return table
}

// collect returns everything that a query yields.
func collect[T any](t *testing.T, items iter.Seq2[T, error]) []T {
	t.Helper()
	var all []T
	for item, err := range items {
		require.NoError(t, err)
		all = append(all, item)
	}
	return all
}

func idsOf(es []employee) (ids []string) {
	for _, e := range es {
		ids = append(ids, e.ID)
	}
	return ids
}

// paged limits the service to small pages, and counts them.
type paged struct {
	*dynamodb.Client
	limit int32
	pages *int
}

func (p paged) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	in.Limit = &p.limit
	*p.pages++
	return p.Client.Query(ctx, in, opts...)
}

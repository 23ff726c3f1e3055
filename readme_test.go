package trestle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
)

// The snippets of the README, verbatim. TestReadmeCompiles compares them with the README.

type Employee struct {
	_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
	CompanyID string       `dynamodbav:"company_id"`
	ID        string       `dynamodbav:"id"`
	HiredAt   time.Time    `dynamodbav:"hired_at"`
	Status    string       `dynamodbav:"status"`
	Version   int64        `dynamodbav:"version" entity:"version"`
}

var (
	Schema    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Employees = entity.Define[Employee](Schema)

	Status  = attr.Must(func(e *Employee) *string { return &e.Status })
	HiredAt = attr.Must(func(e *Employee) *time.Time { return &e.HiredAt })
)

func promote(ctx context.Context, client *dynamodb.Client) error {
	table, err := Schema.Open(client, "app-prod") // says everything that is wrong with any declaration, all at once
	if err != nil {
		return err
	}
	employees := Employees.In(table)

	err = employees.Create(ctx, &Employee{CompanyID: "c1", ID: "e7", HiredAt: time.Now(), Status: "new"})
	if err != nil {
		return err // trestle.ErrExists, if it is there
	}
	e, err := employees.Get(ctx, Employee{CompanyID: "c1", ID: "e7"}) // key by example
	if err != nil {
		return err
	}
	_, err = employees.Update(ctx, e, Status.Set("active"), attr.If(Status.Eq("new"))) // checks e.Version, and advances it
	switch {
	case errors.Is(err, trestle.ErrStale):
		return fmt.Errorf("somebody was faster: %w", err)
	case err != nil:
		return err
	}
	thisYear := attr.During(HiredAt, attr.Year(time.Now().UTC().Year()))
	for e, err := range query.On(employees, "by-hire", Employee{CompanyID: "c1"}).Where(thisYear).All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(e.ID, e.HiredAt.Format(time.DateOnly))
	}
	return nil
}

func active(ctx context.Context, table *entity.Table, company, user, cursor string) (query.Page[Employee], error) {
	return query.On(Employees.In(table), "by-hire", Employee{CompanyID: company}).
		Where(attr.Since(HiredAt, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))). // the key serves it, in one condition
		Filter(Status.Eq("active")).                                             // asked for by name: it pays for what it drops
		Desc().Limit(20).                                                        // wanted, not read
		MaxRequests(5).                                                          // however few the filter lets through
		Bind(user).                                                              // no other user goes on with this cursor
		Page(ctx, cursor)                                                        // page.Next, until it is empty
}

func TestPromote(t *testing.T) {
	db := ddbtest.Start(t) // a fresh database, ended with the test
	table, err := Schema.Open(db.Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))

	// The first reply is lost after the write was made; the service must not make it twice.
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	err = promote(t.Context(), db.Client())
	require.Equal(t, trestle.Unknown, trestle.OutcomeOf(err))
}

// Every Go snippet of the README is in this file verbatim, so it compiles.
func TestReadmeCompiles(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	code, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	blocks := strings.Split(string(readme), "```go\n")[1:]
	require.NotEmpty(t, blocks)
	for _, b := range blocks {
		snippet, _, _ := strings.Cut(b, "```")
		require.Contains(t, string(code), snippet)
	}
}

// The snippets of the README do what it documents.
func TestReadmeRuns(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table, err := Schema.Open(client, "app-prod")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		require.NoError(t, table.Check(t.Context()))
		require.NoError(t, promote(t.Context(), client))
		require.ErrorIs(t, promote(t.Context(), client), trestle.ErrExists)
		got, err := Employees.In(table).Strong().Get(t.Context(), Employee{CompanyID: "c1", ID: "e7"})
		require.NoError(t, err)
		require.Equal(t, int64(2), got.Version)

		paged, err := Schema.Open(client, "app-prod", entity.PlainCursors())
		require.NoError(t, err)
		page, err := active(t.Context(), paged, "c1", "ada", "")
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Empty(t, page.Next)
	})
}

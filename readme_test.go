package trestle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
	"github.com/trestledb/trestle/tx"
)

// The snippets of the README and of the pages in docs, verbatim. TestDocsCompile compares them with
// the pages.

type Employee struct {
	_ entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_ entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`

	CompanyID string    `dynamodbav:"company_id"`
	ID        string    `dynamodbav:"id"`
	HiredAt   time.Time `dynamodbav:"hired_at"`
	Status    string    `dynamodbav:"status"`
	Version   int64     `dynamodbav:"version" entity:"version"`
}

var (
	Schema    = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Employees = entity.Define[Employee](Schema)

	Status  = attr.Must(func(e *Employee) *string { return &e.Status })
	HiredAt = attr.Must(func(e *Employee) *time.Time { return &e.HiredAt })
)

// open returns the table. cfg is what config.LoadDefaultConfig(ctx) of the SDK returns.
func open(cfg aws.Config) (*entity.Table, error) {
	return Schema.Open(trestle.NewClient(cfg), "app-prod")
}

func promote(ctx context.Context, table *entity.Table) error {
	employees := Employees.In(table)
	e7 := Employee{CompanyID: "c1", ID: "e7", HiredAt: time.Now(), Status: "new"}
	if err := employees.Create(ctx, &e7); err != nil {
		return err // trestle.ErrExists if the item exists
	}
	e, err := employees.Get(ctx, Employee{CompanyID: "c1", ID: "e7"}) // the fields of the key
	if err != nil {
		return err
	}
	// Update checks the version that Get read, and increments it.
	_, err = employees.Update(ctx, e, Status.Set("active"), attr.If(Status.Eq("new")))
	if errors.Is(err, trestle.ErrStale) {
		return fmt.Errorf("another writer changed the employee: %w", err)
	}
	return err
}

func active(
	ctx context.Context, table *entity.Table, company, user, cursor string,
) (query.Page[Employee], error) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return query.On(Employees.In(table), "by-hire", Employee{CompanyID: company}).
		Where(attr.Since(HiredAt, day)). // a part of the key condition
		Filter(Status.Eq("active")).     // dropped items cost read units, too
		Desc().Limit(20).                // at most 20 results, newest first
		MaxRequests(5).                  // ends the page early if the filter drops too many
		Bind(user).                      // no other user can use the cursor
		Page(ctx, cursor)                // page.Next is the next cursor, or "" at the end
}

func printHired(ctx context.Context, employees *entity.Repo[Employee], company string) error {
	thisYear := attr.During(HiredAt, attr.Year(time.Now().UTC().Year()))
	q := query.On(employees, "by-hire", Employee{CompanyID: company}).Where(thisYear)
	for e, err := range q.All(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(e.ID, e.HiredAt.Format(time.DateOnly))
	}
	return nil
}

// Company has the number of its employees.
type Company struct {
	_     entity.Key `type:"company" pk:"COM#<id>" sk:"COMPANY"`
	ID    string     `dynamodbav:"id"`
	Heads int        `dynamodbav:"heads"`
}

var (
	Companies = entity.Define[Company](Schema)
	Heads     = attr.Must(func(c *Company) *int { return &c.Heads })
)

func hire(ctx context.Context, table *entity.Table, e Employee, c Company) error {
	return tx.Write(ctx,
		Employees.In(table).Op().Create(&e),
		Companies.In(table).Op().Update(c, attr.Add(Heads, 1), attr.If(Heads.Lt(100))),
	)
}

func vote(ctx context.Context, votes *shard.Counters, candidate, voter string) (int64, error) {
	if err := votes.Add(ctx, candidate, 1, shard.Once(voter)); err != nil {
		return 0, err // trestle.ErrUnknown if no attempt has a reply: repeat it with the same key
	}
	return votes.Total(ctx, candidate) // all shards, strongly consistent
}

// cause describes an error that is none of the errors above.
func cause(err error) string {
	var reply *awshttp.ResponseError // of github.com/aws/aws-sdk-go-v2/aws/transport/http
	var rejection smithy.APIError
	switch {
	case trestle.IsThrottled(err):
		return "throttled in each attempt, until the retries or the time ended"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "ended by the caller, or no reply in time"
	case errors.As(err, &reply) && reply.HTTPStatusCode() >= 500:
		return "failure of the service"
	case errors.As(err, &rejection):
		return "rejected by DynamoDB: " + rejection.ErrorCode()
	default:
		return "no usable reply"
	}
}

func activate(ctx context.Context, employees *entity.Repo[Employee], e Employee, token string) error {
	op := employees.Op().Update(e, Status.Set("active")).Once(token) // costs twice the write units
	_, err := op.Do(ctx)
	if errors.Is(err, trestle.ErrUnknown) {
		_, err = op.Do(ctx) // the same token: safe to repeat
	}
	return err
}

// Photo is a photo of a tenant.
type Photo struct {
	_      entity.Key `type:"photo" pk:"TENANT#<tenant>" sk:"PHOTO#<id>"`
	Tenant string     `dynamodbav:"tenant" entity:"tenant"`
	ID     string     `dynamodbav:"id"`
}

var Photos = entity.Define[Photo](Schema)

func upload(ctx context.Context, table *entity.Table, tenant string, p *Photo) error {
	photos := Photos.In(table.Tenant(tenant))
	return photos.Create(ctx, p) // sets p.Tenant: the partition key is TENANT#u1 for the tenant u1
}

func TestPromote(t *testing.T) {
	db := ddbtest.Start(t) // a new database; it is closed when the test ends
	table, err := Schema.Open(db.Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))

	// The update is applied, but its reply is lost. The retry finds its own write, and no conflict.
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	require.NoError(t, promote(t.Context(), table))
}

func limitActivation(t *testing.T, db *ddbtest.DB, employees *entity.Repo[Employee], e Employee) {
	estimate, err := employees.Op().Update(e, Status.Set("active")).Explain()
	require.NoError(t, err)
	db.Budget(t, ddbtest.Requests.AtMost(1), ddbtest.WriteUnits.AtMost(estimate.Units.Write))
}

// book takes one of the two seats of a company, if one is free.
func book(ctx context.Context, client *dynamodb.Client) error {
	table, err := Schema.Open(client, "app-prod")
	if err != nil {
		return err
	}
	companies := Companies.In(table)
	c, err := companies.Strong().Get(ctx, Company{ID: "c1"})
	if err != nil || c.Heads >= 2 {
		return err
	}
	_, err = companies.Update(ctx, c, attr.Add(Heads, 1)) // attr.If(Heads.Lt(2)) is missing
	return err
}

// oneSeatLeft creates the table and a company with one employee. atMostTwoHeads returns an error if
// a company has more than two.
func testBook(t ddbtest.TB) {
	explore.Run(t, explore.Options{Setup: oneSeatLeft}, func(w *explore.World) {
		for _, name := range []string{"alice", "bob"} {
			w.Client(name, func(ctx context.Context, client *dynamodb.Client) { _ = book(ctx, client) })
		}
		w.Always(atMostTwoHeads)
	}).Complete()
}

var PhotoSchema = entity.NewSchema(entity.Config{
	TenantIndex: "tenants",
	Indexes: []entity.IndexConfig{
		{Name: "tenants", Partition: []entity.Attribute{entity.S("tenant")}, NoSort: true, KeysOnly: true},
	},
})

// Every Go snippet of the README and of the pages in docs is in this file verbatim, so it compiles.
func TestDocsCompile(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("readme_test.go")
	require.NoError(t, err)
	pages, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	snippets := map[string]int{}
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, b := range strings.Split(string(text), "```go\n")[1:] {
			snippet, _, _ := strings.Cut(b, "```")
			require.Contains(t, string(code), snippet, page)
			snippets[page]++
		}
	}
	for page, least := range map[string]int{
		"README.md": 6, "docs/counters-and-locks.md": 1, "docs/errors.md": 2, "docs/explore.md": 1,
		"docs/reads.md": 1, "docs/tenants.md": 1, "docs/testing.md": 1,
	} {
		require.GreaterOrEqual(t, snippets[page], least, page)
	}
}

// TestReadmeIsShort keeps the README an introduction. The pages in docs have the rest.
func TestReadmeIsShort(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, len(readme), 12<<10)
	for i, line := range strings.Split(string(readme), "\n") {
		require.LessOrEqual(t, utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")), 100, "line %d", i+1)
	}
}

// The snippets of the README do what it documents.
func TestReadmeRuns(t *testing.T) {
	t.Parallel()
	_, err := open(aws.Config{Region: "eu-north-1"})
	require.NoError(t, err)
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		table, err := Schema.Open(client, "app-prod")
		require.NoError(t, err)
		require.NoError(t, table.Create(t.Context()))
		require.NoError(t, maintain.Check(t.Context(), table))
		require.NoError(t, promote(t.Context(), table))
		require.ErrorIs(t, promote(t.Context(), table), trestle.ErrExists)
		require.NoError(t, printHired(t.Context(), Employees.In(table), "c1"))
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

// TestDocsCause checks that cause distinguishes the failures that the page of errors lists.
func TestDocsCause(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table, err := Schema.Open(db.Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	employees, e7 := Employees.In(table), Employee{CompanyID: "c1", ID: "e7"}
	for want, fault := range map[string]ddbtest.Effect{
		"throttled in each attempt, until the retries or the time ended": ddbtest.Throttle(),
		"failure of the service":                      ddbtest.Unavailable,
		"rejected by DynamoDB: AccessDeniedException": ddbtest.Error("AccessDeniedException", "no", 400),
		"no usable reply":                             ddbtest.Reset,
	} {
		rule := db.Fail(ddbtest.Op("GetItem"), fault).MustHit(t)
		_, err = employees.Get(t.Context(), e7)
		require.Equal(t, want, cause(err))
		rule.Remove()
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = employees.Get(ended, e7)
	require.Equal(t, "ended by the caller, or no reply in time", cause(err))
}

// TestDocsActivate checks that a write with a token is applied once, although all replies of the
// first call are lost.
func TestDocsActivate(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table, err := Schema.Open(db.Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	employees, e7 := Employees.In(table), Employee{CompanyID: "c1", ID: "e7", HiredAt: time.Now(), Status: "new"}
	require.NoError(t, employees.Create(t.Context(), &e7))
	db.Fail(ddbtest.Op("TransactWriteItems"), ddbtest.First(3), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
	require.NoError(t, activate(t.Context(), employees, e7, "token-1"))
	got, err := employees.Strong().Get(t.Context(), e7)
	require.NoError(t, err)
	require.Equal(t, "active", got.Status)
	require.Equal(t, int64(2), got.Version)
}

func TestReadmeHire(t *testing.T) {
	t.Parallel()
	table, err := Schema.Open(ddbtest.Start(t).Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	companies, c1 := Companies.In(table), Company{ID: "c1", Heads: 99}
	require.NoError(t, companies.Create(t.Context(), &c1))
	require.NoError(t, hire(t.Context(), table, Employee{CompanyID: "c1", ID: "e1", HiredAt: time.Now()}, c1))
	err = hire(t.Context(), table, Employee{CompanyID: "c1", ID: "e2", HiredAt: time.Now()}, c1)
	require.ErrorIs(t, err, trestle.ErrCondition)
	got, err := companies.Strong().Get(t.Context(), c1)
	require.NoError(t, err)
	require.Equal(t, 100, got.Heads)
}

func TestDocsUpload(t *testing.T) {
	t.Parallel()
	table, err := Schema.Open(ddbtest.Start(t).Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	p := Photo{ID: "p1"}
	require.NoError(t, upload(t.Context(), table, "u1", &p))
	require.Equal(t, "u1", p.Tenant)
	require.ErrorIs(t, upload(t.Context(), table, "u2", &p), trestle.ErrTenant)
}

func TestDocsVote(t *testing.T) {
	t.Parallel()
	table, err := Schema.Open(ddbtest.Start(t).Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	votes := shard.NewCounters(table, "votes", shard.Config{Shards: 4})
	for _, voter := range []string{"ada", "bob", "ada"} {
		_, err = vote(t.Context(), votes, "candidate-a", voter)
		require.NoError(t, err)
	}
	total, err := votes.Total(t.Context(), "candidate-a")
	require.NoError(t, err)
	require.Equal(t, int64(2), total)
}

// TestDocsLimitActivation checks that the update takes no more than its estimate.
func TestDocsLimitActivation(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	table, err := Schema.Open(db.Client(), "app-prod")
	require.NoError(t, err)
	require.NoError(t, table.Create(t.Context()))
	employees, e7 := Employees.In(table), Employee{CompanyID: "c1", ID: "e7", HiredAt: time.Now(), Status: "new"}
	require.NoError(t, employees.Create(t.Context(), &e7))
	limitActivation(t, db, employees, e7)
	_, err = employees.Update(t.Context(), e7, Status.Set("active"))
	require.NoError(t, err)
}

func oneSeatLeft(db *ddbtest.DB) {
	table, err := Schema.Open(db.Client(), "app-prod")
	if err == nil {
		err = table.Create(context.Background())
	}
	if err == nil {
		err = Companies.In(table).Put(context.Background(), &Company{ID: "c1", Heads: 1})
	}
	if err != nil {
		panic(err)
	}
}

func atMostTwoHeads(db *ddbtest.DB) error {
	for _, item := range db.Dump("app-prod") {
		c, err := Companies.Decode(item)
		if err != nil {
			return err
		}
		if c.Heads > 2 {
			return fmt.Errorf("%d of 2 seats are taken", c.Heads)
		}
	}
	return nil
}

// TestDocsBook checks that the failure of book is the one that the page of the search shows.
func TestDocsBook(t *testing.T) {
	t.Parallel()
	test := &errorTest{TB: t}
	testBook(test)
	page, err := os.ReadFile("docs/explore.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "```text\n"+strings.TrimSpace(test.text)+"\n```")
}

// TestDocsBookWithCondition checks that the condition is the cure that the page of the search
// names.
func TestDocsBookWithCondition(t *testing.T) {
	t.Parallel()
	explore.Run(t, explore.Options{Setup: oneSeatLeft}, func(w *explore.World) {
		for _, name := range []string{"alice", "bob"} {
			w.Client(name, func(ctx context.Context, client *dynamodb.Client) {
				table, err := Schema.Open(client, "app-prod")
				require.NoError(w, err)
				_, _ = Companies.In(table).Update(ctx, Company{ID: "c1"}, attr.Add(Heads, 1), attr.If(Heads.Lt(2)))
			})
		}
		w.Always(atMostTwoHeads)
	}).Complete()
}

// errorTest is a test that records its error.
type errorTest struct {
	testing.TB
	text string
}

func (e *errorTest) Errorf(format string, args ...any) { e.text += fmt.Sprintf(format, args...) }

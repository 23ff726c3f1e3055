package maintain_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/document"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testchecks"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
)

type (
	// copiedUser has a unique value, and is counted.
	copiedUser struct {
		_     entity.Key     `type:"user" pk:"ORG#<org>#USER#<id>" sk:"USER"`
		_     entity.Counted `in:"org" as:"users" pk:"ORG#<org>" sk:"ORG"`
		Org   string         `dynamodbav:"org" entity:"tenant"`
		ID    string         `dynamodbav:"id"`
		Email string         `dynamodbav:"email" entity:"unique"`
	}
	copiedGuest struct {
		_       entity.Key `type:"guest" pk:"GUEST#<id>" sk:"GUEST"`
		ID      string     `dynamodbav:"id"`
		Expires time.Time  `dynamodbav:"expires,unixtime" entity:"ttl"`
	}
	copiedOrg struct {
		_     entity.Key `type:"org" pk:"ORG#<org>" sk:"ORG"`
		Org   string     `dynamodbav:"org" entity:"tenant"`
		Users int        `dynamodbav:"users"`
	}
	copiedReport struct {
		document.State
		Head copiedHead
	}
	copiedHead struct {
		_       entity.Key             `type:"head" pk:"REPORT#<id>" sk:"HEAD"`
		ID      string                 `dynamodbav:"id"`
		Text    document.Large[string] `dynamodbav:"text"`
		Version int64                  `dynamodbav:"version" entity:"version"`
		document.Root
	}
	// archive is a table with items of every package.
	archive struct {
		client *dynamodb.Client
		table  *entity.Table
		users  *entity.Repo[copiedUser]
		guests *entity.Repo[copiedGuest]
		orgs   *entity.Repo[copiedOrg]
		report *document.Repo[copiedReport]
		votes  *shard.Counters
	}
	archiveSchema struct {
		schema *entity.Schema
		users  *entity.Type[copiedUser]
		guests *entity.Type[copiedGuest]
		orgs   *entity.Type[copiedOrg]
		report *document.Type[copiedReport]
	}
)

func newArchiveSchema(now func() time.Time) (s archiveSchema) {
	s.schema = entity.NewSchema(entity.Config{Clock: now, TenantIndex: "tenants", Indexes: []entity.IndexConfig{
		{Name: "tenants", Partition: []entity.Attribute{entity.S("org")}, NoSort: true, KeysOnly: true},
	}})
	s.users, s.orgs = entity.Define[copiedUser](s.schema), entity.Define[copiedOrg](s.schema)
	s.guests = entity.Define[copiedGuest](s.schema)
	s.report = document.Define[copiedReport](s.schema)
	entity.Define[copiedHead](s.schema)
	return s
}

func (s archiveSchema) open(t *testing.T, client *dynamodb.Client, name string) *archive {
	t.Helper()
	table, err := s.schema.Open(client, name, entity.PlainCursors())
	require.NoError(t, err)
	acme := table.Tenant("acme")
	return &archive{
		client: client, table: table, users: s.users.In(acme), guests: s.guests.In(table), orgs: s.orgs.In(acme), report: s.report.In(table, document.Config{}),
		votes: shard.NewCounters(table, "votes", shard.Config{Mode: shard.ExactForever, Shards: 3}),
	}
}

// fill stores items of every kind, one of them expired, and one of no type.
func (a *archive) fill(t *testing.T, forward func()) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, a.table.Create(ctx))
	require.NoError(t, a.orgs.Create(ctx, &copiedOrg{Org: "acme"}))
	for i := range 60 {
		u := copiedUser{Org: "acme", ID: fmt.Sprint(i), Email: fmt.Sprint(i, "@example.com")}
		require.NoError(t, a.users.Create(ctx, &u))
	}
	require.NoError(t, a.guests.Create(ctx, &copiedGuest{ID: "1", Expires: epoch.AddDate(50, 0, 0).Add(time.Hour)}))
	forward()
	require.NoError(t, a.report.Save(ctx, &copiedReport{Head: copiedHead{ID: "r", Text: document.Large[string]{Value: strings.Repeat("text ", 200_000)}}}))
	for i := range 5 {
		require.NoError(t, a.votes.Add(ctx, "a", 2, shard.Once(fmt.Sprint(i))))
	}
	_, err := lock.New(a.table, "jobs", lock.Config{Lease: time.Hour}).TryAcquire(ctx, "nightly")
	require.NoError(t, err)
	name := a.table.Name()
	_, err = a.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: avMap{"PK": avS("foreign"), "SK": avS("x"), "n": avN("1.50")}})
	require.NoError(t, err)
}

// stored returns all items of the table by their keys.
func (a *archive) stored(t *testing.T) map[string]avMap {
	t.Helper()
	found, name := map[string]avMap{}, a.table.Name()
	pages := dynamodb.NewScanPaginator(a.client, &dynamodb.ScanInput{TableName: &name, ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		require.NoError(t, err)
		for _, item := range page.Items {
			found[item["PK"].(*types.AttributeValueMemberS).Value+"|"+item["SK"].(*types.AttributeValueMemberS).Value] = item
		}
	}
	return found
}

// problems lists what is wrong in a copy.
func (a *archive) problems(ctx context.Context) (list []string) {
	add := func(name string, err error) {
		if err != nil {
			list = append(list, name)
		}
	}
	add("guards", testchecks.Guards(ctx, a.table))
	err := a.users.Create(ctx, &copiedUser{Org: "acme", ID: "new", Email: "3@example.com"})
	if !errors.Is(err, trestle.ErrTaken) {
		list = append(list, "unique")
	}
	total, err := a.votes.Total(ctx, "a")
	if add("total", err); total != 10 {
		list = append(list, "total")
	}
	r, err := a.report.Read(ctx, copiedReport{Head: copiedHead{ID: "r"}})
	if add("document", err); len(r.Head.Text.Value) != 1_000_000 {
		list = append(list, "text")
	}
	if _, err := lock.New(a.table, "jobs", lock.Config{}).TryAcquire(ctx, "nightly"); !errors.Is(err, lock.ErrHeld) {
		list = append(list, "lock")
	}
	report, err := maintain.RemoveTenant(ctx, a.table, "acme", maintain.Run{})
	if add("removal", err); report.Items < 61 {
		list = append(list, "removal")
	}
	return list
}

// A copy has every item as it is stored, and works as the table that it was copied from. It is made
// in several runs, each of which a budget ends. The control is the copy by ScanStored.
func TestCopyHasEverything(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, c := t.Context(), new(clock)
		c.seconds.Store(50 * 365 * 24 * 3600) // the engine's clock must not delete the items
		s, client := newArchiveSchema(c.now), e.Client(t)
		from, to, naive := s.open(t, client, "from"), s.open(t, client, "copy"), s.open(t, client, "naive")
		from.fill(t, func() { c.seconds.Add(400 * 24 * 3600) })
		require.NoError(t, to.table.Create(ctx))
		require.NoError(t, naive.table.Create(ctx))
		want := from.stored(t)

		items, runs, token := 0, 0, ""
		for {
			runs++
			report, err := maintain.Copy(ctx, from.table, to.table, maintain.Run{Concurrency: 3, Budget: 1, From: token})
			items += report.Items
			require.Positive(t, report.Capacity.Read+report.Capacity.Write)
			if token = report.Token; err == nil {
				break
			}
			require.ErrorIs(t, err, query.ErrBudget)
			require.NotEmpty(t, token)
			_, err = maintain.Copy(ctx, from.table, naive.table, maintain.Run{Concurrency: 3, From: token})
			require.ErrorIs(t, err, query.ErrCursor, "a token of another copy")
			_, err = maintain.Copy(ctx, from.table, to.table, maintain.Run{Concurrency: 4, From: token})
			require.ErrorIs(t, err, query.ErrCursor, "a token of other segments")
		}
		require.Empty(t, token)
		require.Greater(t, runs, 1)
		require.Equal(t, len(want), items)
		require.Equal(t, want, to.stored(t))
		require.Empty(t, to.problems(ctx))

		for raw, err := range query.ScanStored(from.table).All(ctx) {
			require.NoError(t, err)
			name := naive.table.Name()
			_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: raw.Item})
			require.NoError(t, err)
		}
		require.Subset(t, naive.problems(ctx), []string{"guards", "unique", "total"})
	})
}

// A copy whose writes are throttled, lost or left unprocessed continues from its token, or from the
// beginning.
func TestCopyWithFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string][]ddbtest.RuleOption{
		"throttled":   {ddbtest.Throttle(), ddbtest.Nth(2)},
		"lost":        {ddbtest.AfterCommit(ddbtest.Reset), ddbtest.Every(2)},
		"refused":     {ddbtest.Error("AccessDeniedException", "no", 400), ddbtest.Nth(2)},
		"unprocessed": {ddbtest.UnprocessedRate(0.5)},
	} {
		c := new(clock)
		db := ddbtest.Start(t)
		s := newArchiveSchema(c.now)
		from, to := s.open(t, db.Client(), "from"), s.open(t, db.Client(), "copy")
		from.fill(t, func() {})
		require.NoError(t, to.table.Create(t.Context()))
		db.Fail(append(fault, ddbtest.Op("BatchWriteItem"), ddbtest.OnTable("copy"))...).MustHit(t)
		token := ""
		for range 10 {
			report, err := maintain.Copy(t.Context(), from.table, to.table, maintain.Run{From: token})
			if token = report.Token; err == nil {
				break
			}
			var left *trestle.UnprocessedError
			require.ErrorAs(t, err, &left, name)
			require.NotEmpty(t, trestle.Unprocessed[avMap](err))
		}
		require.Equal(t, from.stored(t), to.stored(t), name)
	}
}

// Tables and options that cannot be used are refused before a request is sent.
func TestCopiesThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newArchiveSchema(nil)
	db := ddbtest.Start(t)
	client := db.Client()
	from, to := s.open(t, client, "from"), s.open(t, client, "copy")
	other, err := entity.NewSchema(entity.Config{Partition: entity.S("pk")}).Open(client, "other")
	require.NoError(t, err)
	uncursored, err := s.schema.Open(client, "from")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		from, to *entity.Table
		run      maintain.Run
		kind     error
	}{
		"itself":          {from.table, from.table, maintain.Run{}, trestle.ErrInvalid},
		"another key":     {from.table, other, maintain.Run{}, trestle.ErrInvalid},
		"from a tenant":   {from.table.Tenant("acme"), to.table, maintain.Run{}, trestle.ErrInvalid},
		"to a tenant":     {from.table, to.table.Tenant("acme"), maintain.Run{}, trestle.ErrInvalid},
		"nil":             {from.table, nil, maintain.Run{}, trestle.ErrInvalid},
		"a negative rate": {from.table, to.table, maintain.Run{Rate: -1}, trestle.ErrInvalid},
		"no cursors":      {uncursored, to.table, maintain.Run{From: "x"}, trestle.ErrInvalid},
		"no token":        {from.table, to.table, maintain.Run{From: "x"}, query.ErrCursor},
	} {
		report, err := maintain.Copy(t.Context(), c.from, c.to, c.run)
		require.ErrorIs(t, err, c.kind, name)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
		require.Zero(t, report.Items)
	}
	require.Empty(t, db.Requests())
}

// A copy has the average rate. The report of each page has the token that continues after it.
func TestCopyRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := new(clock)
		s, client := newArchiveSchema(c.now), ddbtest.Start(t).Client()
		from, to := s.open(t, client, "from"), s.open(t, client, "copy")
		from.fill(t, func() {})
		require.NoError(t, to.table.Create(t.Context()))
		began, pages, written, late := time.Now(), 0, 0.0, 0.0
		report, err := maintain.Copy(t.Context(), from.table, to.table, maintain.Run{Rate: 20, Progress: func(r maintain.Report) {
			late = r.Capacity.Read + written // what was read, and the writes of the earlier pages
			pages, written = pages+1, r.Capacity.Write
		}})
		require.NoError(t, err)
		require.Greater(t, pages, 1)
		require.Equal(t, time.Duration(late/20*float64(time.Second)).Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		require.Equal(t, len(from.stored(t)), report.Items)
	})
}

// incomparable is a client of a type that cannot be compared.
type incomparable struct {
	*dynamodb.Client
	f func()
}

// Clients of a type that cannot be compared are no reason to panic.
func TestCopyWithOtherClients(t *testing.T) {
	t.Parallel()
	s := newArchiveSchema(nil)
	client := ddbtest.Client(t)
	from := s.open(t, client, "from")
	require.NoError(t, from.table.Create(t.Context()))
	other, err := s.schema.Open(incomparable{client, func() {}}, "from")
	require.NoError(t, err)
	for _, to := range []*entity.Table{other, from.table} {
		_, err = maintain.Copy(t.Context(), other, to, maintain.Run{})
		require.NoError(t, err)
	}
}

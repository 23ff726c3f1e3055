package maintain_test

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
)

type (
	// pass and earlierPass are a type before and after it has the tenant index.
	pass struct {
		_      entity.Key   `type:"pass" pk:"T#<tenant>#PASS#<id>" sk:"PASS"`
		_      entity.Index `name:"of-tenant" on:"tenants" pk:"T#<tenant>"`
		Tenant string       `dynamodbav:"tenant" entity:"tenant"`
		ID     string       `dynamodbav:"id"`
		Email  string       `dynamodbav:"email" entity:"unique"`
	}
	earlierPass struct {
		_      entity.Key `type:"pass" pk:"T#<tenant>#PASS#<id>" sk:"PASS"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Email  string     `dynamodbav:"email" entity:"unique"`
	}
)

// office is a table that got its tenant index later.
type office struct {
	client *dynamodb.Client
	table  *entity.Table
	passes *entity.Repo[pass]
}

// newOffice creates a table with the index, and stores passes, counters and locks of two tenants as
// a program without it.
func newOffice(t *testing.T, client *dynamodb.Client) *office {
	t.Helper()
	ctx := t.Context()
	earlier := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{tenantIndex}})
	stored := entity.Define[earlierPass](earlier)
	before, err := earlier.Open(client, "tenants")
	require.NoError(t, err)
	require.NoError(t, before.Create(ctx))
	for _, tenant := range []string{"1", "10"} {
		own := before.Tenant(tenant)
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, stored.In(own).Create(ctx, &earlierPass{ID: id, Email: id}))
			require.NoError(t, shard.NewCounters(own, "votes", shard.Config{}).Add(ctx, "x", 1, shard.Once(id)))
			_, err := lock.New(own, "jobs", lock.Config{}).TryAcquire(ctx, id)
			require.NoError(t, err)
		}
	}
	return openOffice(t, client)
}

func openOffice(t *testing.T, client *dynamodb.Client) *office {
	t.Helper()
	schema := entity.NewSchema(entity.Config{TenantIndex: "tenants", Indexes: []entity.IndexConfig{tenantIndex}})
	passes := entity.Define[pass](schema)
	table, err := schema.Open(client, "tenants", entity.PlainCursors())
	require.NoError(t, err)
	return &office{client, table, passes.In(table)}
}

// A removal by an index that was named later is refused until Reindex of everything has ended. It
// continues from tokens.
func TestReindexCompletesTheTenantIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		o := newOffice(t, e.Client(t))
		refused := func() {
			t.Helper()
			_, err := maintain.RemoveTenant(ctx, o.table, "1", maintain.Run{})
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}
		refused()
		want := itemsLeft(t, o.table, "1", maintain.Run{Scan: true})
		require.Equal(t, 3, want["pass"])
		require.Positive(t, want["$U#mark"])
		_, err := maintain.Reindex(ctx, o.table, maintain.Run{}, o.passes.Type())
		require.NoError(t, err)
		refused() // the library's items are not on the index
		dry, err := maintain.Reindex(ctx, o.table, maintain.Run{DryRun: true})
		require.NoError(t, err)
		refused()

		updated, run := 0, maintain.Run{Concurrency: 2, Budget: 10}
		for {
			report, err := maintain.Reindex(ctx, o.table, run)
			updated += report.Updated
			if err == nil {
				break
			}
			require.ErrorIs(t, err, query.ErrBudget)
			refused()
			run.From = report.Token
		}
		require.Equal(t, dry.Updated, updated)
		require.Equal(t, want, itemsLeft(t, o.table, "1", maintain.Run{}))
		again, err := maintain.Reindex(ctx, o.table, maintain.Run{})
		require.NoError(t, err)
		require.Zero(t, again.Updated)
		_, err = maintain.RemoveTenant(ctx, o.table, "1", maintain.Run{})
		require.NoError(t, err)
		require.Empty(t, itemsLeft(t, o.table, "1", maintain.Run{Scan: true}))
		require.Equal(t, want, itemsLeft(t, o.table, "10", maintain.Run{Scan: true}))
	})
}

// The index is not complete if a run leaves a problem.
func TestReindexWithProblemsLeavesTheTenantIndexIncomplete(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		o := newOffice(t, e.Client(t))
		s := &tenants{client: o.client, table: o.table}
		s.load(t, avMap{"PK": avS("T#1#PASS#x"), "SK": avS("PASS"), "_type": avS("pass"), "tenant": avS("1"), "id": &types.AttributeValueMemberBOOL{}})
		_, err := maintain.Reindex(ctx, o.table, maintain.Run{})
		require.Error(t, err)
		_, err = maintain.RemoveTenant(ctx, o.table, "1", maintain.Run{})
		require.ErrorIs(t, err, trestle.ErrInvalid)
	})
}

// A copy of a table whose index is not complete is not either, although the new table was empty.
func TestCopyOfAnIncompleteTenantIndex(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		o := newOffice(t, e.Client(t))
		schema := entity.NewSchema(entity.Config{TenantIndex: "tenants", Indexes: []entity.IndexConfig{tenantIndex}})
		entity.Define[pass](schema)
		to, err := schema.Open(o.client, "copy")
		require.NoError(t, err)
		require.NoError(t, to.Create(ctx))
		require.Empty(t, itemsLeft(t, to, "1", maintain.Run{}))
		_, err = maintain.Copy(ctx, o.table, to, maintain.Run{})
		require.NoError(t, err)
		_, err = maintain.RemoveTenant(ctx, to, "1", maintain.Run{DryRun: true})
		require.ErrorIs(t, err, trestle.ErrInvalid)

		_, err = maintain.Reindex(ctx, o.table, maintain.Run{})
		require.NoError(t, err)
		_, err = maintain.Copy(ctx, o.table, to, maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, itemsLeft(t, o.table, "1", maintain.Run{Scan: true}), itemsLeft(t, to, "1", maintain.Run{}))
	})
}

// An export passes each item of the tenant once, by the index and by a scan.
func TestExportTenant(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		for _, tenant := range []string{"1", "10"} {
			s.fill(t, tenant, 3)
		}
		want := s.dump(t)
		for key := range without(want, "1") {
			delete(want, key)
		}
		for _, run := range []maintain.Run{{}, {Scan: true}, {Scan: true, Concurrency: 1}} {
			got := map[string]avMap{}
			report, err := maintain.ExportTenant(ctx, s.table, "1", run, func(items []avMap) error {
				for _, item := range items {
					key := textOf(item["PK"]) + "\x00" + textOf(item["SK"])
					require.NotContains(t, got, key)
					got[key] = item
				}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, len(want), report.Items)
		}
		failed := errors.New("failed")
		_, err := maintain.ExportTenant(ctx, s.table, "1", maintain.Run{}, func([]avMap) error { return failed })
		require.ErrorIs(t, err, failed)
	})
}

// A removal by a scan continues from its tokens. Runs by queries have none.
func TestRemovalTokens(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		table, err := s.schema.Open(s.client, "tenants", entity.PlainCursors())
		require.NoError(t, err)
		s.fill(t, "1", 20)
		run, ended := maintain.Run{Scan: true, Concurrency: 2, Budget: 1}, 0
		for {
			report, err := maintain.RemoveTenant(ctx, table, "1", run)
			if err == nil {
				require.Empty(t, report.Token)
				break
			}
			require.ErrorIs(t, err, query.ErrBudget)
			require.NotEmpty(t, report.Token)
			_, err = maintain.RemoveTenant(ctx, table, "2", maintain.Run{Scan: true, Concurrency: 2, From: report.Token})
			require.ErrorIs(t, err, query.ErrCursor)
			_, err = maintain.RemoveTenant(ctx, table, "1", maintain.Run{From: report.Token})
			require.ErrorIs(t, err, trestle.ErrInvalid)
			run.From = report.Token
			ended++
		}
		require.Positive(t, ended)
		require.Empty(t, s.dump(t))
	})
}

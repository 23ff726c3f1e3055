package removal_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/schema"
)

// later is a table whose items were stored before its partitions were recorded.
type later struct {
	*store
	of    *entity.Type[order]
	table *entity.Table
}

// newLater stores n orders of each of two tenants without recording their partitions.
func newLater(t *testing.T, client *dynamodb.Client, n int) *later {
	t.Helper()
	ctx, s := t.Context(), newStore(t, client)
	plain := entity.NewSchema(entity.Config{Clock: s.clock.time, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	of := entity.Define[order](plain)
	table, err := plain.Open(client, "tenants")
	require.NoError(t, err)
	for i := range n {
		for _, tenant := range []string{"1", "2"} {
			require.NoError(t, of.In(table).Put(ctx, &order{Tenant: tenant, ID: fmt.Sprint(i), At: s.clock.time()}))
		}
	}
	_, err = table.RemoveTenant(ctx, "1")
	require.Error(t, err, "the partitions are not recorded")

	records := entity.NewSchema(entity.Config{Clock: s.clock.time, RecordPartitions: true, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	l := &later{store: s, of: entity.Define[order](records)}
	l.table, err = records.Open(client, "tenants", entity.PlainCursors())
	require.NoError(t, err)
	require.Len(t, schema.Compare(records, schema.Text(plain)), 1)
	require.Len(t, schema.Compare(plain, schema.Text(records)), 1)
	return l
}

// remove removes a tenant, and returns the items that are left.
func (l *later) remove(t *testing.T, tenant string) map[string]int {
	t.Helper()
	_, err := l.table.RemoveTenant(t.Context(), tenant, entity.RemoveIdle())
	require.NoError(t, err)
	require.NoError(t, l.table.CheckTenantRemoved(t.Context(), tenant))
	return left(t, l.table.CheckTenantRemoved(t.Context(), tenant, entity.RemoveByScan()))
}

// Reindex records the partitions of items that it does not change. As a control, a removal without
// Reindex leaves them.
func TestReindexRecordsPartitions(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, l := t.Context(), newLater(t, e.Client(t), 3)
		dry, err := entity.Reindex(ctx, l.of.In(l.table), entity.ReindexDryRun())
		require.NoError(t, err)
		require.Zero(t, dry.Partitions)
		require.Equal(t, map[string]int{"order": 3}, l.remove(t, "1"), "the control")

		report, err := entity.Reindex(ctx, l.of.In(l.table))
		require.NoError(t, err)
		require.Equal(t, 6, report.Items)
		require.Equal(t, 6, report.Partitions)
		require.Zero(t, report.Updated)
		require.InDelta(t, 6, report.Capacity.Write, 0.1)
		again, err := entity.Reindex(ctx, l.of.In(l.table))
		require.NoError(t, err)
		require.Zero(t, again.Partitions, "the program knows the entries")
		require.Empty(t, l.remove(t, "1"))
		require.Len(t, l.recorded(t), 3, "of the other tenant")
		require.Empty(t, l.remove(t, "2"))
		require.Empty(t, l.dump(t))
	})
}

// The rate of Reindex limits the entries too.
func TestReindexRecordsPartitionsAtARate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLater(t, ddbtest.Start(t).Client(), 10)
		began := time.Now()
		report, err := entity.Reindex(t.Context(), l.of.In(l.table), entity.ReindexRate(10), entity.ReindexConcurrency(1))
		require.NoError(t, err)
		require.Equal(t, 20, report.Partitions)
		require.InDelta(t, 1.9, time.Since(began).Seconds(), 0.05)
	})
}

// A Reindex that ends early and continues with a token records all partitions.
func TestReindexRecordsPartitionsInRuns(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, l := t.Context(), newLater(t, e.Client(t), 20)
		runs, token := 0, ""
		for more := true; more; runs++ {
			options := []entity.ReindexOption{entity.ReindexBudget(1), entity.ReindexFrom(token)}
			report, err := entity.Reindex(ctx, l.of.In(l.table), options...)
			if more = errors.Is(err, query.ErrBudget); !more {
				require.NoError(t, err)
			}
			token = report.Token
		}
		require.Greater(t, runs, 1)
		require.Empty(t, l.remove(t, "1"))
		require.Empty(t, l.remove(t, "2"))
	})
}

// Beside a writer with the new schema, Reindex leaves no item without an entry.
func TestReindexRecordsPartitionsBesideAWriter(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		const n = 20
		ctx, l := t.Context(), newLater(t, e.Client(t), n)
		var writer sync.WaitGroup
		writer.Go(func() {
			for i := range n { // it stores some orders again, deletes some, and stores new ones
				_ = l.orders.Put(context.WithoutCancel(ctx), &order{Tenant: "1", ID: fmt.Sprint(i + n/2), At: l.clock.time().Add(time.Hour)})
				_ = l.orders.Delete(context.WithoutCancel(ctx), order{Tenant: "1", ID: fmt.Sprint(i / 2)})
			}
		})
		_, err := entity.Reindex(ctx, l.of.In(l.table))
		writer.Wait()
		require.NoError(t, err)
		require.Empty(t, l.remove(t, "1"))
		require.Empty(t, l.remove(t, "2"))
	})
}

package removal_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testfaults"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/query"
)

// recorded returns the partitions that entries name.
func (s *store) recorded(t *testing.T) (list []string) {
	t.Helper()
	for _, item := range s.dump(t) {
		if p, ok := item["_partition"].(*types.AttributeValueMemberS); ok {
			list = append(list, p.Value)
		}
	}
	slices.Sort(list)
	return list
}

// PruneTenant deletes the entries of empty partitions that no program relies on, and nothing else.
func TestPrune(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, s := t.Context(), newStore(t, e.Client(t))
		own := s.table.Tenant("1")
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: id, At: s.clock.time()}))
			require.NoError(t, s.orders.Put(ctx, &order{Tenant: "2", ID: id, At: s.clock.time()}))
		}
		for _, id := range []string{"a", "b"} {
			require.NoError(t, s.orders.Delete(ctx, order{Tenant: "1", ID: id}))
			require.NoError(t, s.orders.Delete(ctx, order{Tenant: "2", ID: id}))
		}
		s.clock.advance(2*time.Hour - time.Millisecond)
		before := s.dump(t)
		report, err := s.table.PruneTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, 3, report.Partitions)
		require.Equal(t, 3, report.Left, "a program may rely on the entries")
		require.Equal(t, before, s.dump(t))

		s.clock.advance(time.Millisecond)
		report, err = own.PruneTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, 3, report.Partitions)
		require.Equal(t, 1, report.Left)
		require.Zero(t, report.Items)
		require.True(t, report.Again.IsZero())
		if e.Name == engines.InProcess { // DynamoDB Local reports nothing for an empty partition
			require.InDelta(t, 16+3, report.Capacity.Read, 0.1)
			require.InDelta(t, 2, report.Capacity.Write, 0.1)
		}
		require.Equal(t, []string{"T#1#ORDER#c", "T#2#ORDER#a", "T#2#ORDER#b", "T#2#ORDER#c"}, s.recorded(t))
		require.Len(t, s.dump(t), len(before)-2)

		// A write to a pruned partition records it again.
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a", At: s.clock.time()}))
		require.Contains(t, s.recorded(t), "T#1#ORDER#a")
		_, err = s.table.RemoveTenant(ctx, "1", entity.RemoveIdle())
		require.NoError(t, err)
		require.NoError(t, s.table.CheckTenantRemoved(ctx, "1", entity.RemoveByScan()))
	})
}

// An empty page with a LastEvaluatedKey does not tell that a partition has items. What follows
// does.
func TestPruneAfterEmptyPages(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	ctx, s := t.Context(), newStore(t, db.Client())
	for _, id := range []string{"a", "b"} {
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: id, At: s.clock.time()}))
	}
	require.NoError(t, s.orders.Delete(ctx, order{Tenant: "1", ID: "a"}))
	s.clock.advance(3 * time.Hour)
	db.Fail(ddbtest.EmptyPage, ddbtest.Op("Query"), ddbtest.Rate(0.9)).MustHit(t)
	report, err := s.table.PruneTenant(ctx, "1")
	require.NoError(t, err)
	require.Equal(t, 1, report.Left)
	require.Equal(t, []string{"T#1#ORDER#b"}, s.recorded(t))
}

// An entry stays if another program stores an item after the partition was read: it has a later
// time then.
func TestPruneBesideAWrite(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, s := t.Context(), newStore(t, e.Client(t))
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a", At: s.clock.time()}))
		require.NoError(t, s.orders.Delete(ctx, order{Tenant: "1", ID: "a"}))
		s.clock.advance(3 * time.Hour)
		writes := 0
		w := &testfaults.Wire{Decide: func(_ int, operation string) testfaults.Fate {
			if operation == "DeleteItem" { // of the entry
				writes++
				require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a", At: s.clock.time()}))
			}
			return testfaults.Pass
		}}
		report, err := open(t, w.Client(s.client, 1), s.clock).table.PruneTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, 1, writes)
		require.Equal(t, 1, report.Left)
		require.Equal(t, []string{"T#1#ORDER#a"}, s.recorded(t))
	})
}

// The options of a removal, and a table that cannot hold entries, are invalid.
func TestPruneRefuses(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx, s := t.Context(), newStore(t, e.Client(t))
		for _, o := range []entity.RemovalOption{entity.RemoveByScan(), entity.RemoveIdle()} {
			_, err := s.table.PruneTenant(ctx, "1", o)
			require.ErrorIs(t, err, trestle.ErrInvalid)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		}
		_, err := s.table.PruneTenant(ctx, "")
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = s.table.Tenant("2").PruneTenant(ctx, "1")
		require.Error(t, err)
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, err = s.table.PruneTenant(ended, "1")
		require.ErrorIs(t, err, context.Canceled)

		type user struct {
			_      entity.Key `type:"user" pk:"T#<tenant>" sk:"<n>"`
			Tenant string     `dynamodbav:"tenant" entity:"tenant"`
			N      int        `dynamodbav:"n"`
		}
		schema := entity.NewSchema(entity.Config{Sort: entity.Attribute{Name: "SK", Type: keys.N}})
		entity.Define[user](schema)
		table, err := schema.Open(s.client, "numbers")
		require.NoError(t, err)
		_, err = table.PruneTenant(ctx, "1")
		require.ErrorIs(t, err, trestle.ErrInvalid)
	})
}

// A budget ends a run.
func TestPruneBudget(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newStore(t, e.Client(t))
		require.NoError(t, s.orders.Put(t.Context(), &order{Tenant: "1", ID: "a", At: s.clock.time()}))
		_, err := s.table.PruneTenant(t.Context(), "1", entity.RemovalBudget(0.5))
		require.ErrorIs(t, err, query.ErrBudget)
	})
}

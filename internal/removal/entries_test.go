package removal_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// An entry that a program stores again while the removal deletes it stays, and the report names the
// time of the new one.
func TestEntries_recordedAgain(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		h := &hook{}
		s := newStore(t, e.Client(t, h.option))
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		require.NoError(t, s.orders.Delete(ctx, order{Tenant: "1", ID: "a"}))
		s.clock.advance(2 * time.Hour)
		h.f = func() {
			s.clock.advance(time.Minute)
			require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		}
		report, err := s.table.RemoveTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, 1, report.Left)
		require.Equal(t, s.clock.time().Add(2*time.Hour).UnixMilli(), report.Again.UnixMilli())
		s.clock.advance(2 * time.Hour)
		report, err = s.table.RemoveTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, map[string]int{"order": 1}, report.ByType)
		require.Empty(t, s.dump(t))
	})
}

// An item that another program stored among the entries keeps nothing else. Only a removal by a
// scan deletes it.
func TestEntries_foreign(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		for _, id := range []string{"a", "b", "c"} {
			require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: id}))
		}
		for _, part := range []string{"00", "15", "99"} { // there are 16 parts
			s.load(t, stored{"PK": text("T#1#$U#partitions#" + part), "SK": text("x")})
		}
		_, err := s.table.RemoveTenant(ctx, "1", entity.RemoveIdle())
		var failed *trestle.OpError
		require.ErrorAs(t, err, &failed)
		require.NotEmpty(t, failed.Key)
		require.Equal(t, map[string]int{"": 2}, left(t, s.table.CheckTenantRemoved(ctx, "1")))
		require.Equal(t, map[string]int{"": 3}, left(t, s.table.CheckTenantRemoved(ctx, "1", entity.RemoveByScan())))

		_, err = s.table.RemoveTenant(ctx, "1", entity.RemoveIdle(), entity.RemoveByScan())
		require.NoError(t, err)
		require.Empty(t, s.dump(t))
	})
}

// A batch records the partitions of all its items, although the table is opened twice and the first
// items are of types that need no entries.
func TestEntries_batch(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		plain := entity.NewSchema(entity.Config{Clock: s.clock.time, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		events := entity.Define[event](plain)
		table, err := plain.Open(s.client, "tenants")
		require.NoError(t, err)
		shard := 1
		require.NoError(t, entity.WriteMany(ctx, slices.Values([]entity.Operation{
			events.In(table).Op().Overwrite(&event{Tenant: "1", ID: "a", Shard: &shard}),
			s.orders.Op().Overwrite(&order{Tenant: "1", ID: "a"}),
		})))
		require.Equal(t, map[string]int{"event": 1, "order": 1, "$U#partitions": 2}, s.countTypes(t))
		_, err = s.table.RemoveTenant(ctx, "1", entity.RemoveIdle())
		require.NoError(t, err)
		require.Empty(t, s.dump(t))
	})
}

package removal_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

// Everything of a tenant is deleted, and nothing of a tenant whose ID starts alike.
func TestRemove(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, options := range map[string][]entity.RemovalOption{
			"by partitions": {entity.RemoveIdle()}, "by a scan": {entity.RemoveIdle(), entity.RemoveByScan(), entity.RemovalConcurrency(2)},
		} {
			s := newStore(t, e.Client(t))
			for _, tenant := range []string{"1", "10", "a"} {
				s.fill(t, tenant, 3)
			}
			before := s.dump(t)
			require.Positive(t, left(t, s.table.CheckTenantRemoved(t.Context(), "1"))["order"], name)
			report, err := s.table.RemoveTenant(t.Context(), "1", options...)
			require.NoError(t, err, name)
			require.Zero(t, report.Left, name)
			require.True(t, report.Again.IsZero(), name)
			for _, kind := range []string{"user", "event", "order", "visit"} {
				require.Equal(t, 3, report.ByType[kind], "%s %s", name, kind)
			}
			require.Equal(t, without(before, "1"), s.dump(t), name)
			require.NoError(t, s.table.CheckTenantRemoved(t.Context(), "1"), name)
			require.NoError(t, s.table.CheckTenantRemoved(t.Context(), "1", entity.RemoveByScan()), name)
			require.NoError(t, s.table.CheckTenantRemoved(t.Context(), "b"), name)
		}
	})
}

// A check by partitions counts what a scan counts.
func TestCheck(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newStore(t, e.Client(t))
		s.fill(t, "1", 2)
		s.fill(t, "10", 1)
		byScan := left(t, s.table.CheckTenantRemoved(t.Context(), "1", entity.RemoveByScan()))
		require.Equal(t, 2, byScan["order"])
		require.Positive(t, byScan["$U#partitions"])
		require.Equal(t, 2, byScan["$U#unique"])
		delete(byScan, "$U#unique") // their items lead to them
		require.Equal(t, byScan, left(t, s.table.CheckTenantRemoved(t.Context(), "1")))
	})
}

// An entry stays while a program may rely on it, and is deleted later.
func TestEntriesStay(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		recorded := s.clock.time()
		report, err := s.table.RemoveTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, 1, report.Left)
		require.Equal(t, recorded.Add(2*time.Hour).UnixMilli(), report.Again.UnixMilli())

		// The program writes again without a new entry. The next removal finds the item.
		s.clock.advance(59 * time.Minute)
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		s.clock.advance(61*time.Minute - time.Millisecond)
		report, err = s.table.RemoveTenant(ctx, "1")
		require.NoError(t, err)
		require.Equal(t, 1, report.Left)
		require.Equal(t, map[string]int{"order": 1}, report.ByType)
		s.clock.advance(time.Millisecond) // the time that the reports name
		report, err = s.table.RemoveTenant(ctx, "1")
		require.NoError(t, err)
		require.Zero(t, report.Left)
		require.NoError(t, s.table.CheckTenantRemoved(ctx, "1", entity.RemoveByScan()))

		// After an hour, the program records the partition again.
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		require.Equal(t, map[string]int{"order": 1, "$U#partitions": 1}, left(t, s.table.CheckTenantRemoved(ctx, "1")))
	})
}

// The control: with RemoveIdle although a program still writes, an item stays that nothing leads
// to.
func TestRemoveIdle_control(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		_, err := s.table.RemoveTenant(ctx, "1", entity.RemoveIdle())
		require.NoError(t, err)
		require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		require.NoError(t, s.table.CheckTenantRemoved(ctx, "1"))
		require.Error(t, s.table.CheckTenantRemoved(ctx, "1", entity.RemoveByScan()))
	})
}

// A program records a partition once an hour, before it writes there. An update of the tenant's own
// partition, of a guard or of a deleted item records nothing.
func TestRecordingCosts(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		cost := func(write error) float64 {
			require.NoError(t, write)
			return s.meter.take().Write
		}
		put := func() error { return s.orders.Put(ctx, &order{Tenant: "1", ID: "a"}) }
		s.meter.take()
		plain := cost(s.users.Put(ctx, &user{Tenant: "1", ID: "a"}))
		require.InDelta(t, 1, plain, 0)
		first := cost(put())
		require.InDelta(t, first-1, cost(put()), 0)
		s.clock.advance(time.Hour - time.Millisecond)
		require.InDelta(t, first-1, cost(put()), 0)
		s.clock.advance(time.Millisecond)
		require.InDelta(t, first, cost(put()), 0)
		other := open(t, s.client, s.clock)
		require.NoError(t, other.orders.Put(ctx, &order{Tenant: "1", ID: "a"}))
		require.InDelta(t, first, other.meter.take().Write, 0, "the entry is as new already")
		require.InDelta(t, first-1, cost(s.orders.Delete(ctx, order{Tenant: "1", ID: "a"})), 0)
	})
}

// What a definition or a handle does not allow is refused before a request is sent.
func TestRefused(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		unrecorded := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		entity.Define[order](unrecorded)
		noSort := entity.NewSchema(entity.Config{NoSort: true})
		type single struct {
			_      entity.Key `type:"single" pk:"T#<tenant>"`
			Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		}
		entity.Define[single](noSort)
		for name, c := range map[string]struct {
			schema  *entity.Schema
			tenant  string
			options []entity.RemovalOption
		}{
			"not recorded": {unrecorded, "1", nil}, "no sort key": {noSort, "1", nil}, "no tenant": {nil, "", nil},
		} {
			table := s.table
			if c.schema != nil {
				var err error
				table, err = c.schema.Open(s.client, "no-such-table")
				require.NoError(t, err)
			}
			_, err := table.RemoveTenant(ctx, c.tenant, c.options...)
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
			require.ErrorIs(t, table.CheckTenantRemoved(ctx, c.tenant, c.options...), trestle.ErrInvalid, name)
		}
		own := s.table.Tenant("1")
		_, err := own.RemoveTenant(ctx, "2")
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = own.RemoveTenant(ctx, "1", entity.RemoveByScan())
		require.ErrorIs(t, err, trestle.ErrInvalid)
		_, err = own.RemoveTenant(ctx, "1")
		require.NoError(t, err)
	})
}

// A run that ends early reports what it did, and another one goes on. If nothing is left, it reads
// each partition once, and the 16 parts of the entries.
func TestResume(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newStore(t, e.Client(t))
		for i := range 6 {
			require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: fmt.Sprint(i), At: s.clock.time()}))
		}
		calls, deleted, ended := 0, 0, 0
		progress := entity.RemovalProgress(func(trestle.RemovalReport) { calls++ })
		for round := 0; ; round++ {
			require.Less(t, round, 20)
			report, err := s.table.RemoveTenant(ctx, "1", entity.RemoveIdle(), entity.RemovalBudget(30), entity.RemovalConcurrency(1), progress)
			deleted += report.ByType["order"]
			if err == nil {
				break
			}
			ended++
			require.ErrorIs(t, err, query.ErrBudget)
			require.GreaterOrEqual(t, report.Capacity.Read+report.Capacity.Write, 30.0)
		}
		require.Equal(t, 6, deleted)
		require.True(t, ended > 0 || e.Name != engines.InProcess) // DynamoDB Local reports nothing for an empty partition
		require.Positive(t, calls)
		require.NoError(t, s.table.CheckTenantRemoved(ctx, "1", entity.RemoveByScan()))

		report, err := s.table.RemoveTenant(ctx, "1")
		require.NoError(t, err)
		if e.Name == engines.InProcess {
			require.Equal(t, trestle.Capacity{Read: 4 + 16}, report.Capacity, "the tenant's partition, 3 shards and the entries")
		}
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		_, err = s.table.RemoveTenant(stopped, "1")
		require.ErrorIs(t, err, context.Canceled)
	})
}

// Tenants whose IDs start alike or contain what keys are made of keep their items when another one
// is removed. The control is a removal of what starts with the key of the tenant.
func TestRemove_random(t *testing.T) {
	t.Parallel()
	ids := []string{"1", "10", "1#", "1$", "#", "$", "$U", "$U#partitions", "a", "a#ORDER", "A", "T#1", "é", " "}
	r, crossed := testrand.New(t), 0
	for round := range testsize.Pick(4, 12, 200) {
		s := newStore(t, ddbtest.Start(t).Client())
		tenants := slices.Clone(ids)
		r.Shuffle(len(tenants), func(i, j int) { tenants[i], tenants[j] = tenants[j], tenants[i] })
		if tenants = tenants[:4]; round == 0 {
			tenants = []string{"1", "10", "1#", "a"}
		}
		for _, tenant := range tenants {
			s.fill(t, tenant, 1+r.IntN(3))
		}
		own := "T#" + keyspace.Escaped.Segment(tenants[0])
		require.Error(t, s.table.Tenant(tenants[0]).CheckTenantRemoved(t.Context(), tenants[0]))
		all, naive, removed := s.dump(t), 0, 0
		for key := range all {
			if strings.HasPrefix(key, own) {
				naive++
			}
		}
		options := []entity.RemovalOption{entity.RemoveIdle(), entity.RemovalConcurrency(1 + r.IntN(8))}
		if r.IntN(2) == 0 {
			options = append(options, entity.RemoveByScan())
		}
		_, err := s.table.RemoveTenant(t.Context(), tenants[0], options...)
		require.NoError(t, err)
		after := s.dump(t)
		for key, item := range all {
			if strings.HasPrefix(key, own+"#") || strings.HasPrefix(key, own+"\x00") {
				removed++
				require.NotContains(t, after, key)
				continue
			}
			require.Equal(t, item, after[key])
		}
		require.Len(t, after, len(all)-removed)
		if naive > removed {
			crossed++
		}
		for _, tenant := range tenants[1:] {
			require.Error(t, s.table.CheckTenantRemoved(t.Context(), tenant))
		}
	}
	require.Positive(t, crossed, "a removal by the start of keys deletes items of other tenants")
}

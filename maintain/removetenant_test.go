package maintain_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/lock"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/shard"
)

// Everything of a tenant is deleted, and nothing of a tenant whose ID starts alike.
func TestRemove(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		for name, run := range map[string]maintain.Run{
			"by the index": {}, "by a scan": {Scan: true, Concurrency: 2},
		} {
			s := newTenants(t, e.Client(t))
			for _, tenant := range []string{"1", "10", "a"} {
				s.fill(t, tenant, 3)
			}
			before := s.dump(t)
			require.Positive(t, itemsLeft(t, s.table, "1", maintain.Run{})["order"], name)
			report, err := maintain.RemoveTenant(t.Context(), s.table, "1", run)
			require.NoError(t, err, name)
			for _, kind := range []string{"user", "event", "order", "visit"} {
				require.Equal(t, 3, report.ByType[kind], "%s %s", name, kind)
			}
			require.Equal(t, without(before, "1"), s.dump(t), name)
			require.Empty(t, itemsLeft(t, s.table, "1", maintain.Run{}), name)
			require.Empty(t, itemsLeft(t, s.table, "1", maintain.Run{Scan: true}), name)
			require.Empty(t, itemsLeft(t, s.table, "b", maintain.Run{}), name)
		}
	})
}

// A check by the index counts what a scan counts.
func TestCheck(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newTenants(t, e.Client(t))
		s.fill(t, "1", 2)
		s.fill(t, "10", 1)
		byScan := itemsLeft(t, s.table, "1", maintain.Run{Scan: true})
		require.Equal(t, 2, byScan["order"])
		require.Equal(t, 2, byScan["$U#unique"])
		require.Equal(t, byScan, itemsLeft(t, s.table, "1", maintain.Run{}))
	})
}

// Entries of partitions that earlier versions stored are not read as items, and are deleted.
func TestRemove_recordedPartitions(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := newTenants(t, e.Client(t))
		for _, part := range []string{"00", "07", "15"} {
			s.load(t, avMap{
				"PK": avS("T#1#$U#partitions#" + part), "SK": avS("T#1#" + part), "_type": avS("$U#partitions"),
				"_partition": avS("T#1#ORDER#a"), "_seen": &types.AttributeValueMemberN{Value: "1777777777777"},
			})
		}
		for _, err := range query.Scan(s.orders).All(t.Context()) {
			require.NoError(t, err)
			require.Fail(t, "an entry is no order")
		}
		require.Equal(t, map[string]int{"$U#partitions": 3}, itemsLeft(t, s.table, "1", maintain.Run{}))
		report, err := maintain.RemoveTenant(t.Context(), s.table, "1", maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, map[string]int{"$U#partitions": 3}, report.ByType)
		require.Empty(t, s.dump(t))
	})
}

// member has the tenant's partition, and badge has an index that all badges are on.
type (
	member struct {
		_      entity.Key `type:"member" pk:"T#<tenant>" sk:"MEMBER#<id>"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Email  string     `dynamodbav:"email" entity:"unique"`
	}
	badge struct {
		_      entity.Key   `type:"badge" pk:"T#<tenant>#BADGE#<id>" sk:"BADGE"`
		_      entity.Index `name:"badges" on:"GSI1" pk:"T#<tenant>#BADGES#<shard>" sk:"<id>" shards:"3"`
		Tenant string       `dynamodbav:"tenant" entity:"tenant"`
		ID     string       `dynamodbav:"id"`
	}
)

// Without items of the library, a removal needs no tenant index if all items of each type are in
// partitions that follow from the tenant. Counters, locks and documents are refused.
func TestRemove_typesOnly(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		schema := entity.NewSchema(entity.Config{TenantIndex: entity.None, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
		members, badges := entity.Define[member](schema), entity.Define[badge](schema)
		s := &tenants{client: e.Client(t)}
		var err error
		s.table, err = schema.Open(s.client, "tenants")
		require.NoError(t, err)
		require.NoError(t, s.table.Create(ctx))
		for _, tenant := range []string{"1", "10"} {
			for i := range 5 {
				id := fmt.Sprint(i)
				require.NoError(t, members.In(s.table).Create(ctx, &member{Tenant: tenant, ID: id, Email: id}))
				require.NoError(t, badges.In(s.table).Create(ctx, &badge{Tenant: tenant, ID: id}))
			}
		}
		before := s.dump(t)
		own := s.table.Tenant("1")
		require.ErrorIs(t, shard.NewCounters(own, "votes", shard.Config{Mode: shard.Approximate}).Add(ctx, "a", 1), trestle.ErrInvalid)
		_, err = lock.New(own, "jobs", lock.Config{}).TryAcquire(ctx, "a")
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.NoError(t, shard.NewCounters(s.table, "votes", shard.Config{Mode: shard.Approximate}).Add(ctx, "a", 1), "of no tenant")

		require.Equal(t, map[string]int{"member": 5, "badge": 5}, itemsLeft(t, s.table, "1", maintain.Run{}))
		report, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
		require.NoError(t, err)
		require.Equal(t, map[string]int{"member": 5, "badge": 5}, report.ByType)
		require.Equal(t, 5, report.Deleted)
		require.Empty(t, itemsLeft(t, s.table, "1", maintain.Run{Scan: true}))
		for key, item := range without(before, "1") {
			require.Equal(t, item, s.dump(t)[key])
		}
	})
}

// A removal by the tenant index is refused unless an item says that all items are on it. Create
// stores that item.
func TestRemove_incomplete(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		s.fill(t, "1", 1)
		mark, number := s.mark(t)
		require.Equal(t, 1, number)
		s.unload(t, avMap{"PK": mark["PK"], "SK": mark["SK"]})
		before := s.dump(t)
		_, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
		_, err = maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{DryRun: true})
		require.ErrorIs(t, err, trestle.ErrInvalid)
		mark["_form"] = avS("tenantsPK = OTHER#<tenant>") // another template
		s.load(t, mark)
		_, err = maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
		require.ErrorIs(t, err, trestle.ErrInvalid)
		require.Equal(t, before, s.dump(t))
		_, err = maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{Scan: true})
		require.NoError(t, err)
		require.Empty(t, s.dump(t))
	})
}

// The items of the library have the tenant as key of the index, and cost a unit more only when they
// are stored.
func TestTenantIndexCosts(t *testing.T) {
	t.Parallel()
	s, ctx := newTenants(t, ddbtest.Client(t)), t.Context()
	plain := entity.NewSchema(entity.Config{Observer: &s.meter})
	entity.Define[member](plain)
	other, err := plain.Open(s.client, "tenants")
	require.NoError(t, err)
	costs := func(table *entity.Table, tenant string) (list []float64) {
		votes := shard.NewCounters(table.Tenant(tenant), "votes", shard.Config{Shards: 1, Mode: shard.Approximate})
		require.NoError(t, votes.Add(ctx, "a", 1)) // it stores the total item too
		locks := lock.New(table.Tenant(tenant), "jobs", lock.Config{})
		for _, call := range []func() error{
			func() error { return votes.Add(ctx, "a", 1) },
			func() error { _, err := locks.TryAcquire(ctx, "a"); return err },
		} {
			s.meter.take()
			require.NoError(t, call())
			list = append(list, s.meter.take().Write)
		}
		return list
	}
	require.Equal(t, []float64{1, 1}, costs(other, "1"))
	require.Equal(t, []float64{1, 2}, costs(s.table, "2"))
	for key, item := range s.dump(t) {
		if strings.HasPrefix(key, "T#2") {
			require.Equal(t, avS("T#2"), item["tenantsPK"])
		} else {
			require.NotContains(t, item, "tenantsPK")
		}
	}
}

// parcel has a partition of its own, and is on an index only if it is sent.
type parcel struct {
	_      entity.Key   `type:"parcel" pk:"T#<tenant>#PARCEL#<id>" sk:"PARCEL"`
	_      entity.Index `name:"sent" on:"GSI1" pk:"T#<tenant>" sk:"<sent>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	Sent   string       `dynamodbav:"sent,omitempty"`
}

// What a definition or a handle does not allow is refused before a request is sent.
func TestRefused(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		schema := func(index string) *entity.Schema {
			made := entity.NewSchema(entity.Config{TenantIndex: index, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
			entity.Define[parcel](made)
			return made
		}
		alone := entity.NewSchema(entity.Config{})
		entity.Define[member](alone)
		for name, c := range map[string]struct {
			schema *entity.Schema
			tenant string
		}{
			"no index": {schema(""), "1"}, "no index, and own partitions": {schema(entity.None), "1"},
			"no index, and items of the library": {alone, "1"}, "no tenant": {nil, ""},
		} {
			table := s.table
			if c.schema != nil {
				var err error
				table, err = c.schema.Open(s.client, "no-such-table")
				require.NoError(t, err)
			}
			_, err := maintain.RemoveTenant(ctx, table, c.tenant, maintain.Run{})
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
			require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err), name)
			_, err = maintain.RemoveTenant(ctx, table, c.tenant, maintain.Run{DryRun: true})
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
		}
		own := s.table.Tenant("1")
		for _, tenant := range []string{"1", "2"} {
			_, err := maintain.RemoveTenant(ctx, own, tenant, maintain.Run{})
			require.ErrorIs(t, err, trestle.ErrInvalid)
			_, err = maintain.RemoveTenant(ctx, own, tenant, maintain.Run{Scan: true})
			require.ErrorIs(t, err, trestle.ErrInvalid)
		}
	})
}

// A run that ends early reports what it did, and another one goes on. If nothing is left, it reads
// the partitions of types, that of the index, and the 16 of earlier versions.
func TestResume(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		s := newTenants(t, e.Client(t))
		for i := range 60 {
			require.NoError(t, s.orders.Put(ctx, &order{Tenant: "1", ID: fmt.Sprint(i), At: epoch}))
		}
		calls, deleted, ended := 0, 0, 0
		run := maintain.Run{Budget: 30, Concurrency: 1, Progress: func(maintain.Report) { calls++ }}
		for round := 0; ; round++ {
			require.Less(t, round, 20)
			report, err := maintain.RemoveTenant(ctx, s.table, "1", run)
			deleted += report.ByType["order"]
			if err == nil {
				break
			}
			ended++
			require.ErrorIs(t, err, query.ErrBudget)
			require.GreaterOrEqual(t, report.Capacity.Read+report.Capacity.Write, 30.0)
		}
		require.Equal(t, 60, deleted)
		require.Positive(t, ended)
		require.Positive(t, calls)
		require.Empty(t, itemsLeft(t, s.table, "1", maintain.Run{Scan: true}))

		report, err := maintain.RemoveTenant(ctx, s.table, "1", maintain.Run{})
		require.NoError(t, err)
		if e.Name == engines.InProcess { // DynamoDB Local reports nothing for an empty partition
			require.Equal(t, trestle.Capacity{Read: 4 + 0.5 + 16}, report.Capacity, "the tenant's partition, 3 shards, the index, and 16")
		}
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		_, err = maintain.RemoveTenant(stopped, s.table, "1", maintain.Run{})
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
		s := newTenants(t, ddbtest.Start(t).Client())
		list := slices.Clone(ids)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if list = list[:4]; round == 0 {
			list = []string{"1", "10", "1#", "a"}
		}
		for _, tenant := range list {
			s.fill(t, tenant, 1+r.IntN(3))
		}
		own := "T#" + keyspace.Escaped.Segment(list[0])
		require.NotEmpty(t, itemsLeft(t, s.table, list[0], maintain.Run{}))
		all, naive, removed := s.dump(t), 0, 0
		for key := range all {
			if strings.HasPrefix(key, own) {
				naive++
			}
		}
		_, err := maintain.RemoveTenant(t.Context(), s.table, list[0], maintain.Run{Concurrency: 1 + r.IntN(8), Scan: r.IntN(2) == 0})
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
		for _, tenant := range list[1:] {
			require.NotEmpty(t, itemsLeft(t, s.table, tenant, maintain.Run{}))
		}
	}
	require.Positive(t, crossed, "a removal by the start of keys deletes items of other tenants")
}

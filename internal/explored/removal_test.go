package explored_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
	"github.com/trestledb/trestle/entity"
)

// parcel is in a partition that only an entry of its tenant leads to.
type parcel struct {
	_      entity.Key `type:"parcel" pk:"T#<tenant>#PARCEL#<id>" sk:"PARCEL"`
	Tenant string     `dynamodbav:"tenant" entity:"tenant"`
	ID     string     `dynamodbav:"id"`
	Author string     `dynamodbav:"author"`
}

// van has a unique value. It is in the partition of the tenant alone.
type van struct {
	_      entity.Key `type:"van" pk:"T#<tenant>" sk:"VAN#<id>"`
	Tenant string     `dynamodbav:"tenant" entity:"tenant"`
	ID     string     `dynamodbav:"id"`
	Plate  string     `dynamodbav:"plate" entity:"unique"`
}

// cart and sled share their keys. Only a cart has a unique value.
type (
	cart struct {
		_      entity.Key `type:"cart" pk:"T#<tenant>" sk:"PLACE#<id>" shared:"yes"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
		Number string     `dynamodbav:"number" entity:"unique"`
	}
	sled struct {
		_      entity.Key `type:"sled" pk:"T#<tenant>" sk:"PLACE#<id>" shared:"yes"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		ID     string     `dynamodbav:"id"`
	}
)

// behind is how much the clock of one client is behind those of the others.
const behind = 59 * time.Minute

// parcelTypes returns a schema whose clock is behind.
func parcelTypes(by time.Duration) (*entity.Schema, *entity.Type[parcel]) {
	s := entity.NewSchema(entity.Config{
		Indexes: []entity.IndexConfig{{Name: "GSI1"}}, RecordPartitions: true,
		Clock: func() time.Time { return time.Now().Add(-by) },
	})
	return s, entity.Define[parcel](s)
}

var (
	parcelSchema, parcels         = parcelTypes(0)
	lateParcelSchema, lateParcels = parcelTypes(behind)

	vans       = entity.Define[van](parcelSchema)
	carts      = entity.Define[cart](parcelSchema)
	sleds      = entity.Define[sled](parcelSchema)
	vanPlate   = attr.Must(func(v *van) *string { return &v.Plate })
	cartNumber = attr.Must(func(c *cart) *string { return &c.Number })
)

// parcelClient declares a client that stores the parcel of the tenant.
func (r *protocolRun) parcelClient(name string, s *entity.Schema, of *entity.Type[parcel], f func(ctx context.Context, table *entity.Table, put func())) {
	r.tenantClient(name, s, r.options, func(ctx context.Context, table *entity.Table) {
		f(ctx, table, func() { _ = of.In(table).Put(ctx, &parcel{Tenant: "1", ID: "a", Author: name}) })
	})
}

// tenantClient declares a client of a schema with tenants.
func (r *protocolRun) tenantClient(name string, s *entity.Schema, options []func(*dynamodb.Options), f func(ctx context.Context, table *entity.Table)) {
	r.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
		table, err := s.Open(c, tableName, entity.Random(source(name)))
		if err != nil {
			r.w.Errorf("%v", err)
			return
		}
		f(ctx, table)
	}, options...)
}

// pass lets time pass in the world of the search.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // it is the time of a bubble
}

// recorded is an invariant: each parcel is in a partition that has an entry.
func recorded(db *ddbtest.DB) error {
	entries := map[string]bool{}
	for _, item := range db.Dump(tableName) {
		if p, ok := item["_partition"].(*types.AttributeValueMemberS); ok {
			entries[p.Value] = true
		}
	}
	for _, item := range db.Dump(tableName) {
		if typeName(item) == "parcel" && !entries[item["PK"].(*types.AttributeValueMemberS).Value] {
			return errors.New("a parcel is in a partition without an entry")
		}
	}
	return nil
}

// nothingLeft removes the tenant after all clients have ended, and checks that nothing is left.
func nothingLeft(db *ddbtest.DB) error {
	table, err := parcelSchema.Open(db.Client(), tableName)
	if err == nil {
		_, err = table.RemoveTenant(context.Background(), "1", entity.RemoveIdle())
	}
	if err == nil {
		err = table.CheckTenantRemoved(context.Background(), "1", entity.RemoveByScan())
	}
	return err
}

// remove removes the tenant.
func remove(ctx context.Context, table *entity.Table, options ...entity.RemovalOption) {
	_, _ = table.RemoveTenant(ctx, "1", append(options, entity.RemovalConcurrency(1))...) // a later removal continues
}

// tenantRemoval: a tenant is removed beside two writers that rely on the entry of a partition. The
// clock of one is behind.
var tenantRemoval = protocol{
	name: "tenant: removal, writers", weight: heavy, extra: explore.LateRequest, timed: true,
	clients: func(r *protocolRun) {
		r.parcelClient("alice", lateParcelSchema, lateParcels, func(_ context.Context, _ *entity.Table, put func()) {
			pass(time.Minute)
			put()
		})
		r.parcelClient("bob", parcelSchema, parcels, func(_ context.Context, _ *entity.Table, put func()) {
			put()
			pass(59 * time.Minute)
			put()
		})
		r.parcelClient("carol", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, _ func()) {
			pass(63 * time.Minute) // too early to delete the entry
			remove(ctx, table)
		})
		r.w.Always(recorded)
		r.w.Finally(nothingLeft)
	},
}

// tenantAgain: a tenant is removed while a writer records its partition again.
var tenantAgain = protocol{
	name: "tenant: removal, recording again", weight: heavy, timed: true,
	clients: func(r *protocolRun) {
		r.parcelClient("bob", parcelSchema, parcels, func(_ context.Context, _ *entity.Table, put func()) {
			put()
			pass(122 * time.Minute)
			put()
		})
		r.parcelClient("carol", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, _ func()) {
			pass(122 * time.Minute)
			remove(ctx, table)
		})
		r.w.Always(recorded)
		r.w.Finally(nothingLeft)
	},
}

// tenantPrune: the entries of a living tenant are pruned while its parcel is deleted and stored
// again, with the entry of the first time and with a new one.
var tenantPrune = protocol{
	name: "tenant: prune, writer", weight: medium, extra: explore.LateRequest, timed: true,
	clients: func(r *protocolRun) {
		r.parcelClient("bob", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, put func()) {
			remove := func() { _ = parcels.In(table).Delete(ctx, parcel{Tenant: "1", ID: "a"}) }
			put()
			remove()
			pass(59 * time.Minute) // it still relies on the entry
			put()
			remove()
			pass(63 * time.Minute)
			put()
		})
		r.parcelClient("carol", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, _ func()) {
			prune := func() { _, _ = table.PruneTenant(ctx, "1", entity.RemovalConcurrency(1)) }
			pass(59 * time.Minute) // too early
			prune()
			pass(63 * time.Minute)
			prune()
		})
		r.w.Always(recorded)
		r.w.Finally(nothingLeft)
	},
}

// tenantReindex: the parcel was stored without an entry. Reindex records its partition beside a
// writer. If it ends without an error, each parcel has an entry.
var tenantReindex = protocol{
	name: "tenant: reindex, writer", weight: medium,
	foreign: func() (map[string]types.AttributeValue, error) {
		return parcels.Encode(&parcel{Tenant: "1", ID: "a", Author: "setup"})
	},
	clients: func(r *protocolRun) {
		err := errNotRun
		r.parcelClient("alice", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, _ func()) {
			_, err = entity.Reindex(ctx, parcels.In(table), entity.ReindexConcurrency(1))
		})
		r.parcelClient("bob", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, put func()) {
			_ = parcels.In(table).Delete(ctx, parcel{Tenant: "1", ID: "a"})
			put()
		})
		r.w.Finally(func(db *ddbtest.DB) error {
			if err == nil {
				return errors.Join(recorded(db), nothingLeft(db))
			}
			return nil // it is not complete
		})
	},
}

// ownGuards is an invariant: each guard of a tenant is that of an item that has its value, and each
// van and cart has its guard.
func ownGuards(db *ddbtest.DB) error {
	owners := map[string]string{} // by partition key of the guard
	for _, item := range db.Dump(tableName) {
		for name, attribute := range map[string]string{"van": "plate", "cart": "number"} {
			if typeName(item) == name {
				owners["T#1#$U#unique#"+name+"#"+attribute+"#"+stringOf(item[attribute])] = stringOf(item["SK"])
			}
		}
	}
	found := 0
	for _, item := range db.Dump(tableName) {
		if typeName(item) != "$U#unique" {
			continue
		}
		found++
		owner, _ := item["_owner"].(*types.AttributeValueMemberM)
		if owner == nil || owners[stringOf(item["PK"])] != stringOf(owner.Value["SK"]) {
			return errors.New("a guard has no item")
		}
	}
	if found != len(owners) {
		return fmt.Errorf("%d items have %d guards", len(owners), found)
	}
	return nil
}

// stringOf returns an attribute of type S.
func stringOf(av types.AttributeValue) string { return av.(*types.AttributeValueMemberS).Value }

// storesOf returns a change of a protocol that stores items of a tenant.
func storesOf(store func(ctx context.Context, table *entity.Table) error) func(testing.TB, *ddbtest.DB) {
	return func(t testing.TB, db *ddbtest.DB) {
		table, err := parcelSchema.Open(db.Client(), tableName, entity.Random(source("setup")))
		require.NoError(t, err)
		require.NoError(t, store(context.Background(), table))
	}
}

// removalBeside returns a protocol in which a client writes items with unique values while the
// tenant is removed. The mutants are those of the removal; other protocols have those of writes.
func removalBeside(name string, of weight, store func(ctx context.Context, table *entity.Table) error, write func(ctx context.Context, table *entity.Table), options ...entity.RemovalOption) protocol {
	return protocol{
		name: name, weight: of, change: storesOf(store),
		clients: func(r *protocolRun) {
			r.tenantClient("alice", parcelSchema, nil, write)
			r.tenantClient("carol", parcelSchema, r.options, func(ctx context.Context, table *entity.Table) { remove(ctx, table, options...) })
			r.w.Always(ownGuards)
			r.w.Finally(nothingLeft)
		},
	}
}

// storeVan stores a van.
func storeVan(ctx context.Context, table *entity.Table) error {
	return vans.In(table).Create(ctx, &van{Tenant: "1", ID: "a", Plate: "x"})
}

// renameVan renames the unique value of the van, and gives the earlier one to another van.
func renameVan(ctx context.Context, table *entity.Table) {
	_, _ = vans.In(table).Update(ctx, van{Tenant: "1", ID: "a"}, vanPlate.Set("y"))
	_ = vans.In(table).Create(ctx, &van{Tenant: "1", ID: "b", Plate: "x"})
}

// renameBack renames the unique value of the van, and renames it back.
func renameBack(ctx context.Context, table *entity.Table) {
	_, _ = vans.In(table).Update(ctx, van{Tenant: "1", ID: "a"}, vanPlate.Set("y"))
	_, _ = vans.In(table).Update(ctx, van{Tenant: "1", ID: "a"}, vanPlate.Set("x"))
}

var (
	tenantRename   = removalBeside("tenant: removal, rename", heavy, storeVan, renameVan)
	tenantScan     = removalBeside("tenant: removal by a scan, rename", heavy, storeVan, renameVan, entity.RemoveByScan())
	tenantScanBack = removalBeside("tenant: removal by a scan, rename back", heavy, storeVan, renameBack, entity.RemoveByScan())

	// tenantShared: an item is replaced by one of another type that shares its key.
	tenantShared = removalBeside("tenant: removal, another type", heavy,
		func(ctx context.Context, table *entity.Table) error {
			return sleds.In(table).Create(ctx, &sled{Tenant: "1", ID: "a"})
		},
		func(ctx context.Context, table *entity.Table) {
			_ = sleds.In(table).Delete(ctx, sled{Tenant: "1", ID: "a"})
			_ = carts.In(table).Create(ctx, &cart{Tenant: "1", ID: "a", Number: "x"})
			_, _ = carts.In(table).Update(ctx, cart{Tenant: "1", ID: "a"}, cartNumber.Set("y"))
		})
)

// An entry is not pruned before its time. As a control, a program whose clock is ahead by more than
// the margin prunes it, and a search finds a parcel without an entry.
func TestPruneTooEarly(t *testing.T) {
	t.Parallel()
	ahead, aheadParcels := parcelTypes(-3 * time.Hour)
	early := protocol{clients: func(r *protocolRun) {
		tenantPrune.clients(r)
		r.parcelClient("dave", ahead, aheadParcels, func(ctx context.Context, table *entity.Table, _ func()) {
			_, _ = table.PruneTenant(ctx, "1", entity.RemovalConcurrency(1))
		})
	}}
	report := early.search(t, explore.Options{Faults: explore.Faults{}, MaxShorten: 1})
	require.NotNil(t, report.Failure)
}

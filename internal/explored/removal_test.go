package explored_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/table"
	"github.com/trestledb/trestle/maintain"
)

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

// crate has a unique value and a partition of its own. The tenant index leads to it.
type crate struct {
	_      entity.Key   `type:"crate" pk:"T#<tenant>#CRATE#<id>" sk:"CRATE"`
	_      entity.Index `name:"of-tenant" on:"GSI1" pk:"T#<tenant>" sk:"CRATE#<id>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	Number string       `dynamodbav:"number" entity:"unique"`
}

var (
	tenantSchema = entity.NewSchema(entity.Config{TenantIndex: entity.None, Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	vans         = entity.Define[van](tenantSchema)
	carts        = entity.Define[cart](tenantSchema)
	sleds        = entity.Define[sled](tenantSchema)
	vanPlate     = attr.Must(func(v *van) *string { return &v.Plate })
	cartNumber   = attr.Must(func(c *cart) *string { return &c.Number })

	indexedSchema = entity.NewSchema(entity.Config{TenantIndex: "GSI1", Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	crates        = entity.Define[crate](indexedSchema)
	crateNumber   = attr.Must(func(c *crate) *string { return &c.Number })
)

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

// nothingLeft removes the tenant after all clients have ended, and checks that nothing is left.
func nothingLeft(s *entity.Schema) func(*ddbtest.DB) error {
	return func(db *ddbtest.DB) error {
		table, err := s.Open(db.Client(), tableName)
		if err == nil {
			_, err = maintain.RemoveTenant(context.Background(), table, "1", maintain.Run{})
		}
		if err == nil {
			_, err = maintain.RemoveTenant(context.Background(), table, "1", maintain.Run{Scan: true, DryRun: true})
		}
		return err
	}
}

// remove removes the tenant.
func remove(ctx context.Context, table *entity.Table, scan bool) {
	_, _ = maintain.RemoveTenant(ctx, table, "1", maintain.Run{Concurrency: 1, Scan: scan}) // a later removal continues
}

// ownGuards is an invariant: each guard of a tenant is that of an item that has its value, and each
// van, cart and crate has its guard.
func ownGuards(db *ddbtest.DB) error {
	owners := map[string]string{} // the partition and sort key of the item, by partition key of the guard
	for _, item := range db.Dump(tableName) {
		for name, attribute := range map[string]string{"van": "plate", "cart": "number", "crate": "number"} {
			if typeName(item) == name {
				owners["T#1#$U#unique#"+name+"#"+attribute+"#"+stringOf(item[attribute])] = stringOf(item["PK"]) + stringOf(item["SK"])
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
		if owner == nil || owners[stringOf(item["PK"])] != stringOf(owner.Value["PK"])+stringOf(owner.Value["SK"]) {
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
func storesOf(s *entity.Schema, store func(ctx context.Context, table *entity.Table) error) func(testing.TB, *ddbtest.DB) {
	return func(t testing.TB, db *ddbtest.DB) {
		own, err := s.Open(db.Client(), tableName, entity.Random(source("setup")))
		require.NoError(t, err)
		if s == indexedSchema {
			of := hooks.TableOf(own)
			require.NoError(t, table.Table{Config: of.Config, Schema: of.Schema}.SetComplete(context.Background(), "set up"))
		}
		require.NoError(t, store(context.Background(), own))
	}
}

// removalBeside returns a protocol in which a client writes items with unique values while the
// tenant is removed. The mutants are those of the removal; other protocols have those of writes.
func removalBeside(name string, s *entity.Schema, store func(ctx context.Context, table *entity.Table) error, write func(ctx context.Context, table *entity.Table), scan bool) protocol {
	return protocol{
		name: name, weight: heavy, change: storesOf(s, store),
		clients: func(r *protocolRun) {
			r.tenantClient("alice", s, nil, write)
			r.tenantClient("carol", s, r.options, func(ctx context.Context, table *entity.Table) { remove(ctx, table, scan) })
			r.w.Always(ownGuards)
			r.w.Finally(nothingLeft(s))
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

// storeCrate stores a crate.
func storeCrate(ctx context.Context, table *entity.Table) error {
	return crates.In(table).Create(ctx, &crate{Tenant: "1", ID: "a", Number: "x"})
}

// renameCrate renames the unique value of the crate, and gives the earlier one to another crate.
func renameCrate(ctx context.Context, table *entity.Table) {
	_, _ = crates.In(table).Update(ctx, crate{Tenant: "1", ID: "a"}, crateNumber.Set("y"))
	_ = crates.In(table).Create(ctx, &crate{Tenant: "1", ID: "b", Number: "x"})
}

var (
	tenantRename   = removalBeside("tenant: removal, rename", tenantSchema, storeVan, renameVan, false)
	tenantIndexed  = removalBeside("tenant: removal by the index, rename", indexedSchema, storeCrate, renameCrate, false)
	tenantScan     = removalBeside("tenant: removal by a scan, rename", tenantSchema, storeVan, renameVan, true)
	tenantScanBack = removalBeside("tenant: removal by a scan, rename back", tenantSchema, storeVan, renameBack, true)

	// tenantShared: an item is replaced by one of another type that shares its key.
	tenantShared = removalBeside("tenant: removal, another type", tenantSchema,
		func(ctx context.Context, table *entity.Table) error {
			return sleds.In(table).Create(ctx, &sled{Tenant: "1", ID: "a"})
		},
		func(ctx context.Context, table *entity.Table) {
			_ = sleds.In(table).Delete(ctx, sled{Tenant: "1", ID: "a"})
			_ = carts.In(table).Create(ctx, &cart{Tenant: "1", ID: "a", Number: "x"})
			_, _ = carts.In(table).Update(ctx, cart{Tenant: "1", ID: "a"}, cartNumber.Set("y"))
		}, false)
)

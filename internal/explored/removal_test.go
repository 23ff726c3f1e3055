package explored_test

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// behind is how much the clock of one client is behind those of the others.
const behind = 14 * time.Minute

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
)

// parcelClient declares a client that stores the parcel of the tenant.
func (r *protocolRun) parcelClient(name string, s *entity.Schema, of *entity.Type[parcel], f func(ctx context.Context, table *entity.Table, put func())) {
	r.w.Client(name, func(ctx context.Context, c *dynamodb.Client) {
		table, err := s.Open(c, tableName, entity.Random(source(name)))
		if err != nil {
			r.w.Errorf("%v", err)
			return
		}
		f(ctx, table, func() { _ = of.In(table).Put(ctx, &parcel{Tenant: "1", ID: "a", Author: name}) })
	}, r.options...)
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
func remove(ctx context.Context, table *entity.Table) {
	_, _ = table.RemoveTenant(ctx, "1", entity.RemovalConcurrency(1)) // a later removal continues
}

// tenantRemoval: a tenant is removed beside two writers that rely on the entry of a partition. The
// clock of one is behind.
var tenantRemoval = protocol{
	name: "tenant: removal, writers", weight: heavy, extra: explore.LateRequest,
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
	name: "tenant: removal, recording again", weight: heavy,
	clients: func(r *protocolRun) {
		r.parcelClient("bob", parcelSchema, parcels, func(_ context.Context, _ *entity.Table, put func()) {
			put()
			pass(77 * time.Minute)
			put()
		})
		r.parcelClient("carol", parcelSchema, parcels, func(ctx context.Context, table *entity.Table, _ func()) {
			pass(77 * time.Minute)
			remove(ctx, table)
		})
		r.w.Always(recorded)
		r.w.Finally(nothingLeft)
	},
}

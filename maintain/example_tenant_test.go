package maintain_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/maintain"
)

// Bill is in a partition of its own. The tenant index has all bills of a tenant.
type Bill struct {
	_      entity.Key `type:"bill" pk:"TENANT#<tenant>#BILL#<id>" sk:"BILL"`
	Tenant string     `dynamodbav:"tenant" entity:"tenant"`
	ID     string     `dynamodbav:"id"`
}

// All items of a tenant are deleted, and those of another tenant stay.
func ExampleRemoveTenant() {
	ctx := context.Background()
	schema := entity.NewSchema(entity.Config{TenantIndex: "tenants", Indexes: []entity.IndexConfig{
		{Name: "tenants", Partition: []entity.Attribute{entity.S("tenant")}, NoSort: true, KeysOnly: true},
	}})
	bills := entity.Define[Bill](schema)
	table, err := schema.Open(ddbtest.New(ddbtest.Options{}).Client(), "bills")
	if err := errors.Join(err, table.Create(ctx)); err != nil {
		log.Fatal(err)
	}
	first := bills.In(table.Tenant("1")).Create(ctx, &Bill{ID: "a"})
	second := bills.In(table.Tenant("10")).Create(ctx, &Bill{ID: "a"})
	if err := errors.Join(first, second); err != nil {
		log.Fatal(err)
	}

	report, err := maintain.RemoveTenant(ctx, table, "1", maintain.Run{})
	fmt.Println("deleted:", report.ByType["bill"], err)
	_, err = maintain.RemoveTenant(ctx, table, "1", maintain.Run{DryRun: true, Scan: true})
	fmt.Println("left of 1:", err)
	report, _ = maintain.RemoveTenant(ctx, table, "10", maintain.Run{DryRun: true})
	fmt.Println("left of 10:", report.ByType)
	// Output:
	// deleted: 1 <nil>
	// left of 1: <nil>
	// left of 10: map[bill:1]
}

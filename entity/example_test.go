package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// The tags of the struct declare its keys. They are compiled once, without a client.
type Employee struct {
	_         entity.Key   `type:"employee" pk:"COM#<company_id>" sk:"EMP#<id>"`
	_         entity.Index `name:"by-hire" on:"GSI1" pk:"COM#<company_id>" sk:"HIRED#<hired_at:day>#<id>"`
	CompanyID string       `dynamodbav:"company_id"`
	ID        string       `dynamodbav:"id"`
	HiredAt   time.Time    `dynamodbav:"hired_at"`
	Status    string       `dynamodbav:"status"`
}

var (
	Staff     = entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	Employees = entity.Define[Employee](Staff)
	Status    = attr.Must(func(e *Employee) *string { return &e.Status })
)

// This program opens a schema on a table, then creates, reads, updates and deletes an item. An
// example, which is a struct with the fields of the key, selects the item.
func Example() {
	ctx := context.Background()
	client := ddbtest.New(ddbtest.Options{}).Client() // a service uses its own *dynamodb.Client
	table, err := Staff.Open(client, "app")
	if err != nil {
		log.Fatal(err) // reports all mistakes in all declarations
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	employees := Employees.In(table)
	hired := time.Date(2026, time.August, 1, 0, 0, 0, 0, time.UTC)
	err = employees.Create(ctx, &Employee{CompanyID: "c1", ID: "e7", HiredAt: hired, Status: "new"})
	fmt.Println("created:", err)
	err = employees.Create(ctx, &Employee{CompanyID: "c1", ID: "e7", Status: "again"})
	fmt.Println("exists:", errors.Is(err, trestle.ErrExists))

	key := Employee{CompanyID: "c1", ID: "e7"}
	e, err := employees.Get(ctx, key)
	fmt.Println("read:", e.Status, e.HiredAt.Format(time.DateOnly), err)

	e, err = employees.Update(ctx, key, Status.Set("active"), attr.If(Status.Eq("new")))
	fmt.Println("updated:", e.Status, err)

	fmt.Println("deleted:", employees.Delete(ctx, key))
	_, err = employees.Get(ctx, key)
	fmt.Println("not found:", errors.Is(err, trestle.ErrNotFound))
	// Output:
	// created: <nil>
	// exists: true
	// read: new 2026-08-01 <nil>
	// updated: active <nil>
	// deleted: <nil>
	// not found: true
}

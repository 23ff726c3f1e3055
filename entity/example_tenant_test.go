package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// Customer belongs to a tenant: all its partition keys start with the field that has the role.
type Customer struct {
	_      entity.Key   `type:"customer" pk:"<tenant>#CUSTOMER#<id>" sk:"CUSTOMER"`
	_      entity.Index `name:"by-city" on:"GSI1" pk:"<tenant>#CITY#<city>" sk:"<id>"`
	Tenant string       `dynamodbav:"tenant" entity:"tenant"`
	ID     string       `dynamodbav:"id"`
	City   string       `dynamodbav:"city"`
}

// A handle of one tenant sets the tenant of entities, finds only its items, and refuses those of
// another tenant before a request is sent.
func ExampleTable_Tenant() {
	ctx := context.Background()
	schema := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	customers := entity.Define[Customer](schema)
	table, err := schema.Open(ddbtest.New(ddbtest.Options{}).Client(), "crm")
	if err == nil {
		err = table.Create(ctx)
	}
	if err != nil {
		log.Fatal(err)
	}
	acme, globex := customers.In(table.Tenant("acme")), customers.In(table.Tenant("globex"))

	c := Customer{ID: "c1", City: "Oslo"}
	err = acme.Create(ctx, &c)
	fmt.Println("tenant:", c.Tenant, err)
	_, err = globex.Get(ctx, Customer{ID: "c1"})
	fmt.Println("not of globex:", errors.Is(err, trestle.ErrNotFound))
	_, err = globex.Get(ctx, Customer{Tenant: "acme", ID: "c1"})
	fmt.Println("refused:", errors.Is(err, trestle.ErrTenant))
	// Output:
	// tenant: acme <nil>
	// not of globex: true
	// refused: true
}

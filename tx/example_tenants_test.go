package tx_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

type (
	// Member is a person of a tenant.
	Member struct {
		_      entity.Key `type:"member" pk:"TENANT#<tenant>" sk:"MEMBER#<email>"`
		Tenant string     `dynamodbav:"tenant" entity:"tenant"`
		Email  string     `dynamodbav:"email"`
	}
	// Login has no tenant. It exists once for an e-mail address.
	Login struct {
		_     entity.Key `type:"login" pk:"LOGIN#<email>" sk:"LOGIN"`
		Email string     `dynamodbav:"email"`
		Of    string     `dynamodbav:"of"` // the tenant
	}
)

// An e-mail address is unique over all tenants. A type without a tenant holds it, and both items
// are written in one transaction on the table itself.
func ExampleWrite_uniqueOverTenants() {
	ctx := context.Background()
	schema := entity.NewSchema(entity.Config{})
	members, logins := entity.Define[Member](schema), entity.Define[Login](schema)
	table, err := schema.Open(ddbtest.New(ddbtest.Options{}).Client(), "app")
	if err := errors.Join(err, table.Create(ctx)); err != nil {
		log.Fatal(err)
	}
	join := func(tenant, email string) error {
		return tx.Write(ctx,
			members.In(table).Op().Create(&Member{Tenant: tenant, Email: email}),
			logins.In(table).Op().Create(&Login{Email: email, Of: tenant}),
		)
	}
	fmt.Println("first tenant:", join("1", "ada@example.com"))
	fmt.Println("second tenant is refused:", errors.Is(join("2", "ada@example.com"), trestle.ErrExists))
	// Output:
	// first tenant: <nil>
	// second tenant is refused: true
}

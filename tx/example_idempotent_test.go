package tx_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/tx"
)

// Account is the account of a customer, in cents.
type Account struct {
	_     entity.Key `type:"account" pk:"ACCOUNT#<id>" sk:"ACCOUNT"`
	ID    string     `dynamodbav:"id"`
	Cents int        `dynamodbav:"cents"`
}

var (
	Bank     = entity.NewSchema(entity.Config{})
	Accounts = entity.Define[Account](Bank)

	Cents = attr.Must(func(a *Account) *int { return &a.Cents })
)

// A client sends a payment with a key of its own, and sends it again if it gets no reply. The key
// is the token of the transaction, so DynamoDB applies it once within ten minutes, even if another
// instance of the service gets the second request.
func Example_idempotentRequest() {
	ctx := context.Background()
	table, err := Bank.Open(ddbtest.New(ddbtest.Options{}).Client(), "bank")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	accounts := Accounts.In(table)
	for _, id := range []string{"ann", "bob"} {
		if err := accounts.Create(ctx, &Account{ID: id, Cents: 1000}); err != nil {
			log.Fatal(err)
		}
	}

	pay := func(key, from, to string, cents int) error {
		return tx.WriteOnce(ctx, key,
			accounts.Op().Update(Account{ID: from}, attr.Add(Cents, -cents), attr.If(Cents.Ge(cents))),
			accounts.Op().Update(Account{ID: to}, attr.Add(Cents, cents)))
	}
	const key = "3f0f5a1e-6a52-4a36-9f1c-1b7c2a0a9d10"
	fmt.Println("first:", pay(key, "ann", "bob", 300))
	fmt.Println("again:", pay(key, "ann", "bob", 300))
	other := pay(key, "ann", "bob", 400)
	fmt.Println("another payment with the key is refused:", errors.Is(other, trestle.ErrUnknown))

	var ann, bob *Account
	err = tx.Read(ctx, tx.Get(accounts, Account{ID: "ann"}, &ann), tx.Get(accounts, Account{ID: "bob"}, &bob))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ann has", ann.Cents, "and bob has", bob.Cents)
	// Output:
	// first: <nil>
	// again: <nil>
	// another payment with the key is refused: true
	// ann has 700 and bob has 1300
}

package trestle_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Ticket struct {
	_    entity.Key `type:"ticket" pk:"TICKET#<id>" sk:"TICKET"`
	ID   string     `dynamodbav:"id"`
	Team string     `dynamodbav:"team"`
}

var (
	Desk    = entity.NewSchema(entity.Config{})
	Tickets = entity.Define[Ticket](Desk)
)

// An OpError describes the operation that failed. errors.Is finds the sentinel errors in it, and
// errors.As finds the SDK's error. A throttled write was not applied.
func ExampleOpError() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	table, err := Desk.Open(db.Client(), "desk")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	db.Fail(ddbtest.Op("PutItem"), ddbtest.Throttle())

	err = Tickets.In(table).Put(ctx, &Ticket{ID: "t7", Team: "web"})
	var failed *trestle.OpError
	if errors.As(err, &failed) {
		fmt.Println(failed.Op, failed.Entity, "in", failed.Table, "after", failed.Attempts, "attempts:", failed.Outcome)
	}
	var throttled *types.ThrottlingException
	fmt.Println("throttled:", errors.As(err, &throttled))

	err = Tickets.In(table).Put(ctx, &Ticket{Team: "web"}) // the key has no ID
	fmt.Println("invalid:", errors.Is(err, trestle.ErrInvalid))
	// Output:
	// put ticket in desk after 3 attempts: not applied
	// throttled: true
	// invalid: true
}

package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Meter struct {
	_      entity.Key `type:"meter" pk:"METER#<id>" sk:"METER"`
	ID     string     `dynamodbav:"id"`
	Visits int64      `dynamodbav:"visits"`
}

var (
	Metering = entity.NewSchema(entity.Config{})
	Meters   = entity.Define[Meter](Metering)
	Visits   = attr.Must(func(m *Meter) *int64 { return &m.Visits })
)

// The reply of an update is lost after the service applied the write. Update does not retry
// it, because that could count the visit twice. The error reports an unknown outcome.
func Example_lostReply() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	table, err := Metering.Open(db.Client(), "app")
	if err != nil {
		log.Fatal(err)
	}
	meters := Meters.In(table)
	err = errors.Join(table.Create(ctx), meters.Create(ctx, &Meter{ID: "home"}))
	if err != nil {
		log.Fatal(err)
	}
	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.AfterCommit(ddbtest.Reset))

	_, err = meters.Update(ctx, Meter{ID: "home"}, attr.Add(Visits, 1))
	fmt.Println(errors.Is(err, trestle.ErrUnknown), trestle.OutcomeOf(err))

	home, err := meters.Strong().Get(ctx, Meter{ID: "home"})
	fmt.Println(home.Visits, err)
	// Output:
	// true unknown
	// 1 <nil>
}

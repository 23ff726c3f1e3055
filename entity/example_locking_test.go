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

type Seat struct {
	_       entity.Key `type:"seat" pk:"SHOW#<show>" sk:"SEAT#<number>"`
	Show    string     `dynamodbav:"show"`
	Number  string     `dynamodbav:"number"`
	Holder  string     `dynamodbav:"holder,omitempty"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

var (
	Theater = entity.NewSchema(entity.Config{})
	Seats   = entity.Define[Seat](Theater)
	Holder  = attr.Must(func(s *Seat) *string { return &s.Holder })
)

// Two users read the same free seat. The error of the second update has the current item, so it
// is not necessary to read it again.
func Example_optimisticLocking() {
	ctx := context.Background()
	table, err := Theater.Open(ddbtest.New(ddbtest.Options{}).Client(), "theater")
	if err != nil {
		log.Fatal(err)
	}
	seats := Seats.In(table)
	seat := Seat{Show: "hamlet", Number: "12A"}
	err = errors.Join(table.Create(ctx), seats.Create(ctx, &seat))
	if err != nil {
		log.Fatal(err)
	}
	ada, bob := seat, seat // both read version 1

	taken, err := seats.Update(ctx, bob, Holder.Set("Bob"))
	fmt.Println(taken.Holder, taken.Version, err)

	_, err = seats.Update(ctx, ada, Holder.Set("Ada"))
	if errors.Is(err, trestle.ErrStale) {
		now, ok := entity.ItemFromError[Seat](err)
		fmt.Println("stale:", now.Holder, now.Version, ok)
	}
	// Output:
	// Bob 2 <nil>
	// stale: Bob 2 true
}

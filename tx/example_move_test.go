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

// Ticket is a ticket of a team.
type Ticket struct {
	_       entity.Key `type:"ticket" pk:"TEAM#<team>" sk:"TICKET#<id>"`
	Team    string     `dynamodbav:"team"`
	ID      string     `dynamodbav:"id"`
	Title   string     `dynamodbav:"title"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

var (
	Desk    = entity.NewSchema(entity.Config{})
	Tickets = entity.Define[Ticket](Desk)
)

// The key of a ticket contains its team, so another team means another key. Move deletes the item
// and stores it under the new key, in one transaction.
func Example_moveItem() {
	ctx := context.Background()
	table, err := Desk.Open(ddbtest.New(ddbtest.Options{}).Client(), "desk")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	tickets := Tickets.In(table)
	ticket := Ticket{Team: "sales", ID: "7", Title: "The lamp is dark"}
	if err := tickets.Create(ctx, &ticket); err != nil {
		log.Fatal(err)
	}

	assign := func(from Ticket, team string) error {
		to := from
		to.Team = team
		_, err := tx.Move(tickets, from, &to).Do(ctx)
		return err
	}
	if err := assign(ticket, "repairs"); err != nil {
		log.Fatal(err)
	}
	moved, err := tickets.Get(ctx, Ticket{Team: "repairs", ID: "7"})
	fmt.Printf("%s: %s, version %d, %v\n", moved.Team, moved.Title, moved.Version, err)

	err = assign(ticket, "returns") // as it was before the move
	fmt.Println("sales has it no longer:", errors.Is(err, trestle.ErrNotFound))
	// Output:
	// repairs: The lamp is dark, version 2, <nil>
	// sales has it no longer: true
}

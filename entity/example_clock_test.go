package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// Invitation lives for a week after it was stored.
type Invitation struct {
	_         entity.Key `type:"invitation" pk:"INVITATION#<code>" sk:"INVITATION" lifetime:"168h"`
	Code      string     `dynamodbav:"code"`
	ExpiresAt time.Time  `dynamodbav:"expires_at" entity:"ttl"`
}

// A service declares its schema once, without a clock.
var (
	Invites     = entity.NewSchema(entity.Config{})
	Invitations = entity.Define[Invitation](Invites)
)

// A test opens the schema of the service with the clock of its database, and moves both. The
// database keeps the expired item for another day, but no read returns it.
func ExampleClock() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{TTLDelay: 24 * time.Hour})
	table, err := Invites.Open(db.Client(), "app", entity.Clock(db.Now))
	if err != nil {
		log.Fatal(err)
	}
	invitations := Invitations.In(table)
	err = errors.Join(table.Create(ctx), invitations.Create(ctx, &Invitation{Code: "c1"}))
	if err != nil {
		log.Fatal(err)
	}

	for _, d := range []time.Duration{6 * 24 * time.Hour, 25 * time.Hour, 24 * time.Hour} {
		db.Advance(d)
		_, err = invitations.Get(ctx, Invitation{Code: "c1"})
		fmt.Println("expired:", errors.Is(err, trestle.ErrNotFound), "stored:", len(db.Dump("app")))
	}
	// Output:
	// expired: false stored: 1
	// expired: true stored: 1
	// expired: true stored: 0
}

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

type Session struct {
	_         entity.Key `type:"session" pk:"SESSION#<token>" sk:"SESSION"`
	Token     string     `dynamodbav:"token"`
	User      string     `dynamodbav:"user"`
	CreatedAt time.Time  `dynamodbav:"created_at" entity:"created"`
	ExpiresAt time.Time  `dynamodbav:"expires_at" entity:"ttl"`
}

// With the role ttl, the service deletes an item after the given time. With the role created, a
// field gets the time when the item was first stored.
func Example_expiringItems() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	// A service leaves out Clock, which defaults to time.Now.
	schema := entity.NewSchema(entity.Config{Clock: db.Clock().Now})
	sessions := entity.Define[Session](schema)
	table, err := schema.Open(db.Client(), "app")
	if err != nil {
		log.Fatal(err)
	}
	s := Session{Token: "t1", User: "ada", ExpiresAt: db.Clock().Now().UTC().Add(time.Hour)}
	// Create enables time to live.
	err = errors.Join(table.Create(ctx), sessions.In(table).Create(ctx, &s))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.ExpiresAt.Sub(s.CreatedAt).Round(time.Minute))

	db.Clock().Advance(2 * time.Hour)
	_, err = sessions.In(table).Get(ctx, Session{Token: "t1"})
	fmt.Println(errors.Is(err, trestle.ErrNotFound))
	// Output:
	// 1h0m0s
	// true
}

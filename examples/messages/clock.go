package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/examples/internal/program"
)

const day = 24 * time.Hour

// clocked makes the steps that need a clock in a new in-process database. It deletes expired items
// after 36 hours. DynamoDB may take days.
func clocked(ctx context.Context, out program.Tour) error {
	db := ddbtest.New(ddbtest.Options{TTLDelay: 36 * time.Hour})
	defer db.Close()
	client := db.Client()
	schema, messages := newSchema(db.Now)
	table, err := schema.Open(client, "messages")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil {
		return err
	}
	if err := enableStream(ctx, client, table.Name()); err != nil {
		return err
	}
	t := clockTour{tour{out, NewStore(messages.In(table), db.Now)}, db}
	return program.RunSteps(ctx, t.sixDays, t.expired, t.deleted, t.archive)
}

// clockTour is a tour of a database whose clock the program moves.
type clockTour struct {
	tour
	db *ddbtest.DB
}

// sixDays sends messages on different days, and keeps one of them for longer.
func (t clockTour) sixDays(ctx context.Context) error {
	send := func(number int, text string) error {
		return t.store.Send(ctx, &Message{Conversation: conversation, Number: number, From: "ann", Text: text})
	}
	if err := errors.Join(send(1, "My new address is ..."), send(2, "Lunch?")); err != nil {
		return err
	}
	t.Printf("\nIn a database whose clock can be moved:")
	t.Printf("day 0: ann sends the messages 1 and 2")
	t.db.Advance(3 * day)
	if err := send(3, "See you!"); err != nil {
		return err
	}
	t.Printf("day 3: she sends message 3")
	t.db.Advance(3 * day)
	if err := t.store.Keep(ctx, conversation, 1); err != nil {
		return err
	}
	t.Printf("day 6: she keeps message 1 for seven more days")
	return nil
}

// expired shows what happens to a message between its expiry and its deletion.
func (t clockTour) expired(ctx context.Context) error {
	t.db.Advance(day)
	t.Printf("day 7: message 2 has expired")
	t.Printf("  stored: %s", program.List(t.store.Stored(ctx, conversation), number))
	t.Printf("  shown by a query: %s", program.List(t.store.Conversation(ctx, conversation), number))
	_, err := t.store.Message(ctx, conversation, 2)
	if !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("message 2 can be read: %w", err)
	}
	t.Printf("  message 2 by its key: %s", program.ErrorText(err))
	err = t.store.Edit(ctx, conversation, 2, "Dinner?")
	if !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("message 2 was changed: %w", err)
	}
	t.Printf("  a change of message 2: %s", program.ErrorText(err))
	return nil
}

// deleted deletes one message, and time to live another.
func (t clockTour) deleted(ctx context.Context) error {
	t.db.Advance(day)
	if err := t.store.Remove(ctx, conversation, 3); err != nil {
		return err
	}
	t.Printf("day 8: ann deletes message 3")
	t.db.Advance(day / 2)
	t.Printf("half a day later, time to live deletes message 2")
	t.Printf("  stored: %s", program.List(t.store.Stored(ctx, conversation), number))
	return nil
}

// archive reads the stream of the table, and keeps the messages that time to live has deleted.
func (t clockTour) archive(ctx context.Context) error {
	records, err := lastDay(ctx, t.db.StreamsClient(), "messages")
	if err != nil {
		return err
	}
	t.Printf("the stream of the last day:")
	for _, r := range records {
		m, err := oldMessage(r)
		if err != nil {
			return err
		}
		if isTTLDeletion(r) {
			t.Printf("  %s of message %s by %s: archived", r.EventName, describe(m), *r.UserIdentity.PrincipalId)
			continue
		}
		t.Printf("  %s of message %s by a user", r.EventName, describe(m))
	}
	return nil
}

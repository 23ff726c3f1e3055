package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/examples/internal/program"
)

// run creates the table and makes every request. It prints what each request does and returns.
func run(ctx context.Context, client trestle.Client, out io.Writer) error {
	table, err := Schema.Open(client, "messages")
	if err != nil {
		return err
	}
	if err := table.Create(ctx); err != nil { // enables time to live
		return err
	}
	t := tour{Tour: program.Tour{Out: out}, store: NewStore(Messages.In(table), time.Now)}
	if err := program.RunSteps(ctx, t.send, t.edit); err != nil {
		return err
	}
	if program.Database(client) == nil {
		return nil // nobody can move the clock of a server
	}
	return clocked(ctx, t.Tour)
}

// tour is one run of the program.
type tour struct {
	program.Tour
	store Store
}

const conversation = "ann+bob"

func (t tour) send(ctx context.Context) error {
	for i, text := range []string{"Lunch?", "At noon.", "See you!"} {
		m := Message{Conversation: conversation, Number: i + 1, From: []string{"ann", "bob"}[i%2], Text: text}
		if err := t.store.Send(ctx, &m); err != nil {
			return err
		}
		if i == 0 {
			days := m.ExpiresAt.Sub(t.store.now()).Round(time.Hour).Hours() / 24
			t.Printf("ann sends message %d, which expires in %g days", m.Number, days)
		}
	}
	t.Printf("the messages: %s", program.List(t.store.Conversation(ctx, conversation), describe))
	x, err := t.store.unexpired(conversation).Explain()
	if err != nil {
		return err
	}
	t.Printf("the query hides expired messages: %s", x.Filter)
	t.Printf("  they are %s", x.Expired)
	return nil
}

func (t tour) edit(ctx context.Context) error {
	if err := t.store.Edit(ctx, conversation, 2, "At one."); err != nil {
		return err
	}
	m, err := t.store.Message(ctx, conversation, 2)
	if err != nil {
		return err
	}
	t.Printf("bob edits message %s", describe(m))
	if _, err := t.store.Message(ctx, conversation, 9); !errors.Is(err, trestle.ErrNotFound) {
		return fmt.Errorf("message 9 was found: %w", err)
	}
	t.Printf("there is no message 9")
	return nil
}

func describe(m Message) string { return strconv.Itoa(m.Number) + " " + strconv.Quote(m.Text) }

func number(m Message) string { return strconv.Itoa(m.Number) }

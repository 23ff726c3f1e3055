package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// lifetime is the time from sending a message to its expiry.
const lifetime = 7 * 24 * time.Hour

// ErrExpired means that a message has expired. It may still be stored.
var ErrExpired = errors.New("the message has expired")

// Store is the data access object. The rest of the service uses only its methods. It compares the
// time itself, because expired messages remain stored for a while.
type Store struct {
	messages *entity.Repo[Message]
	now      func() time.Time
}

func NewStore(t *entity.Table, now func() time.Time) Store { return Store{Messages.In(t), now} }

// Send stores a new message for seven days.
func (s Store) Send(ctx context.Context, m *Message) error {
	m.ExpiresAt = s.now().Add(lifetime)
	return s.messages.Create(ctx, m)
}

// Message returns a message unless it has expired.
func (s Store) Message(ctx context.Context, conversation string, number int) (Message, error) {
	m, err := s.messages.Get(ctx, Message{Conversation: conversation, Number: number})
	if err == nil && !m.ExpiresAt.After(s.now()) {
		return Message{}, ErrExpired
	}
	return m, err
}

// Conversation returns the messages that have not expired. A read costs the same with the filter.
func (s Store) Conversation(ctx context.Context, conversation string) iter.Seq2[Message, error] {
	return s.unexpired(conversation).All(ctx)
}

func (s Store) unexpired(conversation string) query.Query[Message] {
	return s.stored(conversation).Filter(ExpiresAt.Gt(s.now()))
}

// Stored returns all stored messages, also expired ones.
func (s Store) Stored(ctx context.Context, conversation string) iter.Seq2[Message, error] {
	return s.stored(conversation).All(ctx)
}

func (s Store) stored(conversation string) query.Query[Message] {
	return query.Of(s.messages, Message{Conversation: conversation})
}

// Edit changes the text of a message that has not expired.
func (s Store) Edit(ctx context.Context, conversation string, number int, text string) error {
	return s.change(ctx, conversation, number, Text.Set(text))
}

// Keep lets a message that has not expired live for seven days from now on.
func (s Store) Keep(ctx context.Context, conversation string, number int) error {
	return s.change(ctx, conversation, number, ExpiresAt.Set(s.now().Add(lifetime)))
}

// change updates a message on condition that it has not expired: DynamoDB would also update an
// expired one.
func (s Store) change(ctx context.Context, conversation string, number int, change attr.Change[Message]) error {
	_, err := s.messages.Update(ctx, Message{Conversation: conversation, Number: number}, change, attr.If(ExpiresAt.Gt(s.now())))
	if errors.Is(err, trestle.ErrCondition) {
		return fmt.Errorf("%w: %w", ErrExpired, err)
	}
	return err
}

func (s Store) Remove(ctx context.Context, conversation string, number int) error {
	return s.messages.Delete(ctx, Message{Conversation: conversation, Number: number})
}

package main

import (
	"context"
	"iter"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// Store is the data access object. The rest of the service uses only its methods. It compares no
// times: a message that has expired is not found, although it remains stored for a while.
type Store struct {
	messages *entity.Repo[Message]
	now      func() time.Time
}

func NewStore(messages *entity.Repo[Message], now func() time.Time) Store {
	return Store{messages, now}
}

// Send stores a new message for seven days, and sets the time in m.
func (s Store) Send(ctx context.Context, m *Message) error { return s.messages.Create(ctx, m) }

// Message returns a message. The error is trestle.ErrNotFound if it has expired.
func (s Store) Message(ctx context.Context, conversation string, number int) (Message, error) {
	return s.messages.Get(ctx, Message{Conversation: conversation, Number: number})
}

// Conversation returns the messages that have not expired. Expired ones cost the same until
// DynamoDB deletes them.
func (s Store) Conversation(ctx context.Context, conversation string) iter.Seq2[Message, error] {
	return s.unexpired(conversation).All(ctx)
}

func (s Store) unexpired(conversation string) query.Query[Message] {
	return query.Of(s.messages, Message{Conversation: conversation})
}

// Stored returns all stored messages, also expired ones.
func (s Store) Stored(ctx context.Context, conversation string) iter.Seq2[Message, error] {
	return s.stored(conversation).All(ctx)
}

func (s Store) stored(conversation string) query.Query[Message] {
	return query.Of(s.messages.With(entity.ShowExpired()), Message{Conversation: conversation})
}

// Edit changes the text of a message. The error is trestle.ErrNotFound if it has expired: DynamoDB
// itself would update it.
func (s Store) Edit(ctx context.Context, conversation string, number int, text string) error {
	_, err := s.messages.Update(ctx, Message{Conversation: conversation, Number: number}, Text.Set(text))
	return err
}

// Keep lets a message that has not expired live for seven days from now on.
func (s Store) Keep(ctx context.Context, conversation string, number int) error {
	_, err := s.messages.Update(ctx, Message{Conversation: conversation, Number: number}, ExpiresAt.Set(s.inSevenDays()))
	return err
}

func (s Store) inSevenDays() time.Time { return s.now().Add(7 * 24 * time.Hour) }

func (s Store) Remove(ctx context.Context, conversation string, number int) error {
	return s.messages.Delete(ctx, Message{Conversation: conversation, Number: number})
}

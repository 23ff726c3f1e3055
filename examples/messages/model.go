package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Message is a message of a conversation, which expires after seven days. From then on, it counts
// as none, although DynamoDB deletes it later, typically within a few days.
type Message struct {
	_            entity.Key `type:"message" pk:"CONVERSATION#<conversation>" sk:"MESSAGE#<number:06>" lifetime:"168h"`
	Conversation string     `dynamodbav:"conversation"`
	Number       int        `dynamodbav:"number"`
	From         string     `dynamodbav:"from"`
	Text         string     `dynamodbav:"text"`
	ExpiresAt    time.Time  `dynamodbav:"expires_at" entity:"ttl"` // stored in seconds since 1970
}

var (
	Schema, Messages = newSchema(time.Now)

	Text      = attr.Must(func(m *Message) *string { return &m.Text })
	ExpiresAt = attr.Must(func(m *Message) *time.Time { return &m.ExpiresAt })
)

// newSchema returns the schema with a clock, which decides what has expired.
func newSchema(clock func() time.Time) (*entity.Schema, *entity.Type[Message]) {
	s := entity.NewSchema(entity.Config{Clock: clock})
	return s, entity.Define[Message](s)
}

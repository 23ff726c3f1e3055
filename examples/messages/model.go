package main

import (
	"time"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
)

// Message is a message of a conversation. DynamoDB deletes it after ExpiresAt, typically within a
// few days. Until then it can be read and changed.
type Message struct {
	_            entity.Key `type:"message" pk:"CONVERSATION#<conversation>" sk:"MESSAGE#<number:06>"`
	Conversation string     `dynamodbav:"conversation"`
	Number       int        `dynamodbav:"number"`
	From         string     `dynamodbav:"from"`
	Text         string     `dynamodbav:"text"`
	ExpiresAt    time.Time  `dynamodbav:"expires_at" entity:"ttl"` // stored in seconds since 1970
}

var (
	Schema   = entity.NewSchema(entity.Config{})
	Messages = entity.Define[Message](Schema)

	Text      = attr.Must(func(m *Message) *string { return &m.Text })
	ExpiresAt = attr.Must(func(m *Message) *time.Time { return &m.ExpiresAt })
)

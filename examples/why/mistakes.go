package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
)

// Invoice has a mistake in nearly every line.
type Invoice struct {
	_        entity.Key   `type:"invoice" pk:"CUSTOMER#<custommer>" sk:"INVOICE#<number>"`
	_        entity.Index `name:"by-due" on:"GSI1" pk:"DUE#<due:mont>" sk:"INVOICE#<number:06>"`
	Customer string       `dynamodbav:"customer"`
	Number   int          `dynamodbav:"number"`
	Due      time.Time    `dynamodbav:"due"`
	Version  int64        `dynamodbav:"version" entity:"verson"`
}

// Receipt and Refund have the same keys.
type (
	Receipt struct {
		_  entity.Key `type:"receipt" pk:"CUSTOMER#<id>" sk:"R#<id>"`
		ID string     `dynamodbav:"id"`
	}
	Refund struct {
		_  entity.Key `type:"refund" pk:"CUSTOMER#<id>" sk:"R#<id>"`
		ID string     `dynamodbav:"id"`
	}
)

// mistakes opens a schema with these types.
func (t tour) mistakes(context.Context) error {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	entity.Define[Invoice](s)
	entity.Define[Receipt](s)
	entity.Define[Refund](s)
	_, err := s.Open(t.client, "why")
	var invalid *trestle.DefinitionError
	if !errors.As(err, &invalid) {
		return fmt.Errorf("the invalid schema was accepted: %w", err)
	}
	t.Printf("\n2. A schema with mistakes")
	t.Printf("   Schema.Open reports all %d mistakes at once. It sends no request:", len(invalid.Issues))
	for line := range strings.Lines(strings.TrimSpace(invalid.Error())) {
		t.Printf("     %s", strings.TrimRight(line, "\n"))
	}
	return nil
}

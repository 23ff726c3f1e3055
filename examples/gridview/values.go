package main

import (
	"context"
	"strconv"
	"time"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// DateValue is the date of an issue in a field. Each value copies the issue's number, which sorts
// equal values in the index.
type DateValue struct {
	_       entity.Key   `type:"date" pk:"ISSUE#<issue_id>" sk:"XDATE#<field_id>"`
	_       entity.Index `name:"by-date" on:"Related" sk:"<value:day>#<number:06>"`
	IssueID string       `dynamodbav:"issue_id"`
	FieldID string       `dynamodbav:"field_id"`
	Number  int          `dynamodbav:"number"`
	Value   time.Time    `dynamodbav:"value"`
}

// IntValue is the integer of an issue in a field. It may have any size and sign.
type IntValue struct {
	_       entity.Key   `type:"int" pk:"ISSUE#<issue_id>" sk:"XINT#<field_id>"`
	_       entity.Index `name:"by-int" on:"Related" sk:"<value:ord>#<number:06>"`
	IssueID string       `dynamodbav:"issue_id"`
	FieldID string       `dynamodbav:"field_id"`
	Number  int          `dynamodbav:"number"`
	Value   int64        `dynamodbav:"value"`
}

// TextValue is the text of an issue in a field. It may contain any characters.
type TextValue struct {
	_       entity.Key   `type:"text" pk:"ISSUE#<issue_id>" sk:"XTEXT#<field_id>"`
	_       entity.Index `name:"by-text" on:"Related" sk:"<value>#<number:06>"`
	IssueID string       `dynamodbav:"issue_id"`
	FieldID string       `dynamodbav:"field_id"`
	Number  int          `dynamodbav:"number"`
	Value   string       `dynamodbav:"value"`
}

var (
	Dates = entity.Define[DateValue](Schema)
	Ints  = entity.Define[IntValue](Schema)
	Texts = entity.Define[TextValue](Schema)
)

// values are the operations of the grid on values of one kind.
type values interface {
	// issues returns the issues that have the field, sorted by its value and then by number.
	issues(ctx context.Context, field string, size int, cursor string) (ids []string, next string, err error)
	// missing returns the issues that do not have the field.
	missing(ctx context.Context, field string, of []Issue) ([]Issue, error)
	ref(issue, field string) query.ItemRef
}

// valuesOf implements values for the type V.
type valuesOf[V any] struct {
	repo   *entity.Repo[V]
	access string // the access pattern that sorts by value
	key    func(issue, field string) V
	issue  func(V) string
}

func (v valuesOf[V]) issues(ctx context.Context, field string, size int, cursor string) ([]string, string, error) {
	page, err := query.On(v.repo, v.access, v.key("", field)).Limit(size).Page(ctx, cursor)
	if err != nil {
		return nil, "", err
	}
	ids := make([]string, len(page.Items))
	for i, value := range page.Items {
		ids[i] = v.issue(value)
	}
	return ids, page.Next, nil
}

func (v valuesOf[V]) missing(ctx context.Context, field string, of []Issue) ([]Issue, error) {
	keys := make([]V, len(of))
	for i, issue := range of {
		keys[i] = v.key(issue.ID, field)
	}
	found, err := v.repo.GetMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	var missing []Issue
	for i, value := range found {
		if value == nil {
			missing = append(missing, of[i])
		}
	}
	return missing, nil
}

func (v valuesOf[V]) ref(issue, field string) query.ItemRef {
	return query.Ref(v.repo, v.key(issue, field))
}

// text returns a value as the text of a cell.
func text(value any) string {
	switch v := value.(type) {
	case DateValue:
		return v.Value.Format(time.DateOnly)
	case IntValue:
		return strconv.FormatInt(v.Value, 10)
	case TextValue:
		return v.Value
	default:
		return ""
	}
}

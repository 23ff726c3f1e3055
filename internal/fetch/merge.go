package fetch

import (
	"bytes"
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
)

// merge passes the rows of all streams to the sink, ordered by sort key, until a stream needs its
// next page. Rows with equal sort keys are ordered by stream.
func (r *Run) merge(ctx context.Context) bool {
	if !r.fill(ctx) {
		r.done = true
		return false
	}
	r.last = nil
	for !r.Ended() && r.left != 0 {
		s := r.least()
		row, _ := s.row()
		if !r.pass(s, row) {
			r.stopAll()
			return true
		}
		if _, more := s.row(); !more {
			r.endPage(s)
			if !s.ended {
				break
			}
		}
	}
	r.stopAll()
	return true
}

// fill reads a page of each stream that has no rows left. It returns false after an error, and when
// a budget is used up or no stream has any rows.
func (r *Run) fill(ctx context.Context) bool {
	for {
		missing := 0
		for _, s := range r.streams {
			if _, ok := s.row(); ok {
				continue
			}
			if missing++; r.spent() {
				return false
			}
			r.request(ctx, s)
		}
		if missing == 0 {
			return !r.Ended()
		}
		for s := r.arrival(); s != nil; s = r.arrival() {
			if !r.account(s) {
				return false
			}
			if s.page.Rows.Len() == 0 {
				r.endPage(s)
			}
		}
	}
}

// stopAll moves the positions of all streams after the last rows that were passed.
func (r *Run) stopAll() {
	for _, s := range r.streams {
		r.stopAt(s)
	}
}

// least returns the stream whose next row comes first.
func (r *Run) least() *stream {
	sort := r.plan.Schema.SortKey()
	if r.plan.Index != nil {
		sort = r.plan.Index.Sort
	}
	first := r.streams[0]
	for _, s := range r.streams[1:] {
		a, _ := s.row()
		b, _ := first.row()
		if order := compareRows(sort, a, b); order < 0 && !r.plan.Desc || order > 0 && r.plan.Desc {
			first = s
		}
	}
	return first
}

func compareRows(sort []core.Attribute, a, b core.Row) int {
	for _, k := range sort {
		if order := compareKeys(a.Attribute(k.Name), b.Attribute(k.Name)); order != 0 {
			return order
		}
	}
	return 0
}

// compareKeys compares two values of a key attribute in DynamoDB's order.
func compareKeys(a, b types.AttributeValue) int {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(a.Value, b.Value)
		}
	case *types.AttributeValueMemberB:
		if b, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(a.Value, b.Value)
		}
	case *types.AttributeValueMemberN:
		if b, ok := b.(*types.AttributeValueMemberN); ok {
			return keyspace.CompareNumbers(a.Value, b.Value)
		}
	}
	return 0
}

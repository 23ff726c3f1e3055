package fetch

import (
	"context"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
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

// compareRows compares two rows by the attributes of a sort key, in DynamoDB's order. An attribute
// that a row lacks does not count.
func compareRows(sort []core.Attribute, a, b core.Row) int {
	for _, k := range sort {
		x, inA := core.KeyText(k.Type, a.Attribute(k.Name))
		y, inB := core.KeyText(k.Type, b.Attribute(k.Name))
		compare := strings.Compare
		if k.Type == keys.N {
			compare = keyspace.CompareNumbers
		}
		if order := compare(x, y); order != 0 && inA && inB {
			return order
		}
	}
	return 0
}

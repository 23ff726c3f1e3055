package fetch

import (
	"context"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/read"
	"github.com/trestledb/trestle/keys"
)

// merge passes the rows of the streams of one group to the sink, ordered by sort key, until one of
// the streams needs its next page. Rows with equal sort keys are ordered by stream.
func (r *Run) merge(ctx context.Context) bool {
	group := r.group()
	if !r.fill(ctx, group) {
		r.done = true
		return false
	}
	r.last = nil
	for group = open(group); len(group) > 0 && r.left != 0; group = open(group) {
		s := r.least(group)
		row, _ := s.row()
		goesOn := r.pass(s, row)
		if r.stuck == nil {
			r.base, r.baseRow, s.ahead = s.index, row, false
		}
		if !goesOn {
			break
		}
		if s.skip(); s.hasRow() {
			continue
		}
		if r.endPage(s); !s.ended {
			r.requestNext(ctx, s)
			break
		}
	}
	r.settle()
	return true
}

// group returns the streams that are merged now: those of the first group that has not ended.
func (r *Run) group() []*stream {
	for i, s := range r.streams {
		if r.groupOf(s) != r.groupOf(r.streams[0]) {
			return r.streams[:i]
		}
	}
	return r.streams
}

// groupOf returns the number of a stream's group.
func (r *Run) groupOf(s *stream) int { return s.index / r.plan.Shards }

// open returns the streams that have not ended.
func open(group []*stream) []*stream {
	left := group[:0:0]
	for _, s := range group {
		if !s.ended {
			left = append(left, s)
		}
	}
	return left
}

// fill reads a page of each stream of the group that has no rows left, and of the groups that are
// read at the same time. It returns false after an error, when a budget is used up, and at the end.
func (r *Run) fill(ctx context.Context, group []*stream) bool {
	for {
		missing := slices.DeleteFunc(open(group), (*stream).hasRow)
		if len(missing) == 0 {
			return !r.Ended()
		}
		all := r.requestEach(ctx, missing)
		r.requestBeside(ctx, r.groupOf(group[0]))
		if !r.receive(missing) || !all {
			return false
		}
	}
}

// requestEach requests a page of each stream without a running request. It returns false if a budget
// prevents one of them. The others still move their positions if their pages have no rows.
func (r *Run) requestEach(ctx context.Context, streams []*stream) bool {
	for _, s := range streams {
		if s.running != nil {
			continue
		}
		if !r.mayRequest(s) {
			return false
		}
		r.request(ctx, s)
	}
	return true
}

// mayRequest reports whether no budget prevents the next request of a stream. The first request of
// each stream has no budget in units: otherwise a run with a small one would never return an item.
func (r *Run) mayRequest(s *stream) bool {
	if s.requested {
		return !r.spent()
	}
	return r.bounds.Requests == 0 || r.sent < r.bounds.Requests
}

// requestBeside requests the first pages of the groups that are read at the same time as a group.
func (r *Run) requestBeside(ctx context.Context, group int) {
	for _, s := range r.streams {
		if g := r.groupOf(s); g > group && g < group+r.bounds.AtOnce && !s.requested && !r.spent() {
			r.request(ctx, s)
		}
	}
}

// requestNext requests the next page of a stream before the caller needs it.
func (r *Run) requestNext(ctx context.Context, s *stream) {
	if r.bounds.Ahead && r.left != 0 && !r.spent() {
		r.request(ctx, s)
	}
}

// receive waits until no request of the streams is running. It returns false after an error.
func (r *Run) receive(streams []*stream) bool {
	for slices.ContainsFunc(streams, func(s *stream) bool { return s.running != nil }) {
		s := r.arrival()
		if !r.account(s) {
			return false
		}
		r.settleLimit(s)
		if s.skip(); !s.hasRow() {
			r.endPage(s)
		}
	}
	return true
}

// settle moves the positions of all streams after the last rows that were passed.
func (r *Run) settle() {
	for _, s := range r.streams {
		r.stopAt(s)
	}
	if !r.baseRow.Empty() {
		if _, ok := r.baseRow.Attributes(r.plan.Position); !ok {
			r.stuck = r.call.Fail(errs.Undecodable(errNoKey))
		}
	}
}

// least returns the stream whose next row comes first.
func (r *Run) least(group []*stream) *stream {
	first := group[0]
	for _, s := range group[1:] {
		a, _ := s.row()
		b, _ := first.row()
		if compareOrder(r.plan, a, b) < 0 {
			first = s
		}
	}
	return first
}

// compareOrder compares two rows in the order of a read.
func compareOrder(p *read.Plan, a, b core.Row) int {
	sort := p.Schema.SortKey()
	if p.Index != nil {
		sort = p.Index.Sort
	}
	if p.Desc {
		a, b = b, a
	}
	return compareRows(sort, a, b)
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

package fetch

import (
	"context"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
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
		goesOn := r.pass(ctx, s, row)
		if r.stuck == nil && !r.halted {
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
		complete := r.requestMissing(ctx, missing)
		if complete {
			r.requestBeside(ctx, r.groupOf(group[0]))
		}
		if !r.receive(missing) || !complete {
			return false
		}
	}
}

// requestMissing requests the next page of streams, a limited number at the same time. It returns
// false if a budget is used up before all of them are requested.
func (r *Run) requestMissing(ctx context.Context, missing []*stream) bool {
	for _, s := range missing {
		switch {
		case s.running != nil:
			continue
		case !r.mayRequest(s):
			return false
		case r.running() >= maxRunning && !r.receiveOne():
			return false
		}
		r.request(ctx, s)
	}
	return true
}

// mayRequest reports whether no budget prevents the next request of a stream. The first request of
// each stream of the first group has no budget in units: otherwise a run with a small one would
// never return an item.
func (r *Run) mayRequest(s *stream) bool {
	if s.requested || r.groupOf(s) > r.from.Stream/r.plan.Shards {
		return !r.spent()
	}
	return !r.spentRequests()
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
		if !r.receiveOne() {
			return false
		}
	}
	return true
}

// receiveOne waits for the next page of any stream. It returns false after an error.
func (r *Run) receiveOne() bool {
	s := r.arrival()
	if !r.account(s) {
		return false
	}
	r.limits += s.page.Scanned - s.asked
	if s.skip(); !s.hasRow() {
		r.endPage(s)
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
	sort, _ := r.plan.SortAttribute()
	first := group[0]
	for _, s := range group[1:] {
		if order := compareKeys(sort, s.head(sort), first.head(sort)); order < 0 && !r.plan.Desc || order > 0 && r.plan.Desc {
			first = s
		}
	}
	return first
}

// head returns the text of the next row's sort key. It is empty if the row lacks the attribute.
func (s *stream) head(sort core.Attribute) string {
	if s.headOf != s.next+1 {
		row, _ := s.row()
		s.headText, _ = row.KeyText(sort)
		s.headOf = s.next + 1
	}
	return s.headText
}

// compareKeys compares two sort keys in DynamoDB's order. An absent one does not count.
func compareKeys(sort core.Attribute, a, b string) int {
	switch {
	case a == "" || b == "":
		return 0
	case sort.Type == keys.N:
		return keyspace.CompareNumbers(a, b)
	default:
		return strings.Compare(a, b)
	}
}

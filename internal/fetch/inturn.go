package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/cursor"
)

// single is what the orders have in common whose pages are of one stream.
type single struct{ *Run }

// begin makes the streams that a cursor has a position of. A run in turn has one position: the
// streams before it have ended, and those after it have not begun.
func (r *Run) begin(from []cursor.Position, inTurn bool) single {
	for i := range r.plan.Streams() {
		s := &stream{index: i, part: r.plan.Partition(i)}
		left := len(from) == 0 || inTurn && i > from[0].Stream
		for _, at := range from {
			if at.Stream == i {
				left, s.after, s.position, s.resumed = true, at.After, at.After, len(at.After) > 0
			}
		}
		if left && !s.part.Empty {
			r.streams = append(r.streams, s)
		}
	}
	return single{r}
}

// take takes the page of the only stream of a group as that of the run. It returns false if the
// request failed.
func (r single) take(group []*stream) bool {
	s := group[0]
	r.page = page{group: group, before: s.position}
	if !r.receive(s) {
		return false
	}
	if r.plan.Counts {
		r.call.Items += r.count(s.page.Count)
	}
	if sink, ok := r.sink.(interface{ Expect(items int) }); ok && r.plan.Fetch == nil {
		sink.Expect(r.bounded(s.page.Rows.Len()))
	}
	return true
}

func (r single) limit(*stream) int {
	return r.Bounds.limit(r.plan, r.left, r.doublings(r.call.Requests))
}

// settlePage moves the position after the last row that was passed.
func (r single) settlePage() {
	if s := r.page.group[0]; s.hasRow() {
		r.settle(s)
	} else {
		s.release()
	}
}

// inTurn reads one stream after the other. It requests a page in the caller's goroutine.
type inTurn struct{ single }

func (r inTurn) next(ctx context.Context) bool {
	s := r.streams[0]
	switch {
	case s.running != nil:
		r.arrival()
	case r.spent():
		return false
	default:
		r.sent++
		query, scan := s.inputs(r.call.Config.Table, r.plan, r.limit(s))
		s.page = r.call.Config.Page(ctx, query, scan)
	}
	return r.take(r.streams[:1:1])
}

func (r inTurn) end(ctx context.Context) {
	if r.settlePage(); r.Ahead && r.goesOn() && !r.spent() {
		r.request(ctx, r.streams[0])
	}
}

func (r inTurn) positions() []cursor.Position {
	if r.Ended() {
		return []cursor.Position{}
	}
	return []cursor.Position{r.streams[0].at()}
}

package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/read"
)

// Scanner is one run of a scan. It reads its segments in parallel, and returns one page at a time.
type Scanner struct {
	plan     *read.ScanPlan
	feed     feeder
	bounds   Bounds
	segments int
	call     exec.Read

	at       map[int]cursor.Position // positions of the unfinished segments
	resumed  map[int]bool            // segments at a cursor's position that have not been read yet
	sent     int                     // requests, including running ones
	underway int
	pages    chan segmentPage
}

// segmentPage is a page of a segment.
type segmentPage struct {
	segment int
	answer  exec.Answer
}

// NewScanner returns a run of a scan into the sink, with that many segments. If from is nil, it
// starts at the beginning; otherwise it continues the segments in from at their positions.
func NewScanner(e *exec.Config, p *read.ScanPlan, s core.Sink, b Bounds, segments int, from []cursor.Position) *Scanner {
	info := exec.Info{Operation: "scan", Table: e.Table, Access: p.Access}
	if p.Index != nil {
		info.Index = p.Index.Name
	}
	r := &Scanner{
		plan: p, bounds: b, segments: segments, at: make(map[int]cursor.Position, segments), pages: make(chan segmentPage, segments),
		call: exec.NewRead(e, info, p.Entity),
	}
	r.feed = feeder{schema: p.Schema, plan: p.Entity, strict: true, sink: s, call: &r.call}
	if from == nil {
		for i := range segments {
			r.at[i] = cursor.Position{Part: i}
		}
	}
	r.resumed = make(map[int]bool, len(from))
	for _, p := range from {
		r.at[p.Part], r.resumed[p.Part] = p, len(p.After) > 0
	}
	return r
}

// Each reads all pages, or until a budget is used up. It calls page for each page that it has
// passed to the sink. An error of page ends the scan, and the position stays before that page.
// After each other page, it calls passed unless passed is nil. The error is that of page, or a
// *exec.Failure.
func (r *Scanner) Each(ctx context.Context, page func() error, passed func()) error {
	return r.call.Observe(ctx, func(ctx context.Context) error { return r.each(ctx, page, passed) })
}

func (r *Scanner) each(ctx context.Context, page func() error, passed func()) error {
	sending, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for ; r.underway > 0; r.underway-- {
			p := <-r.pages
			_ = r.call.Account(&p.answer) // the request was sent, so its cost counts
		}
	}()
	for segment := range r.segments {
		if at, ok := r.at[segment]; ok {
			r.send(sending, at)
		}
	}
	for r.underway > 0 {
		p := <-r.pages
		r.underway--
		moved, err := r.take(sending, &p, page)
		if moved && passed != nil {
			passed()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// send requests the next page of a segment, unless a budget is used up.
func (r *Scanner) send(ctx context.Context, at cursor.Position) {
	b := r.bounds
	if b.Requests > 0 && r.sent >= b.Requests || b.Units > 0 && r.call.Capacity.Read >= b.Units {
		return
	}
	r.sent++
	r.underway++
	in := r.plan.ScanInput(r.call.Env.Table, at.Part, r.segments, at.After, b.PageSize)
	go func() { r.pages <- segmentPage{at.Part, r.call.Env.Scan(ctx, in)} }()
}

// take passes a page to the sink, requests the segment's next page, and calls page. It reports
// whether the segment's position has moved.
func (r *Scanner) take(ctx context.Context, p *segmentPage, page func() error) (moved bool, err error) {
	if err := r.call.Account(&p.answer); err != nil {
		return false, r.failed(p, err)
	}
	r.resumed[p.segment] = false
	for i, item := range p.answer.Items {
		if _, err := r.feed.feed(item); err != nil {
			return r.stuckAt(p, i, r.call.FailAt(r.feed.schema.KeyIn(item), err), page)
		}
	}
	next := cursor.Position{Part: p.segment, After: p.answer.Last}
	if len(next.After) > 0 {
		r.send(ctx, next)
	}
	if err := page(); err != nil {
		return false, err
	}
	if r.at[p.segment] = next; len(next.After) == 0 {
		delete(r.at, p.segment)
	}
	return true, nil
}

// failed returns the error of a segment's failed request. DynamoDB rejects a start key of another
// segment. If the key comes from a cursor, the cursor does not belong to this scan.
func (r *Scanner) failed(p *segmentPage, err error) error {
	if r.segments == 1 || !r.resumed[p.segment] || !p.answer.Invalid() {
		return err
	}
	return r.call.Fail(errs.Cursor)
}

// stuckAt returns the items before an item that cannot be read, and moves the segment's position
// before that item.
func (r *Scanner) stuckAt(p *segmentPage, i int, bad error, page func() error) (moved bool, err error) {
	if i == 0 {
		return false, bad
	}
	if err := page(); err != nil {
		return false, err
	}
	after, ok := placeOf(r.plan.Position, p.answer.Items[i-1])
	if ok {
		r.at[p.segment] = cursor.Position{Part: p.segment, After: after}
	}
	return ok, bad
}

// Ended reports whether every segment has reached its end.
func (r *Scanner) Ended() bool { return len(r.at) == 0 }

// Positions returns the positions of the unfinished segments, in order.
func (r *Scanner) Positions() []cursor.Position {
	positions := make([]cursor.Position, 0, len(r.at))
	for i := range r.segments {
		if p, ok := r.at[i]; ok {
			positions = append(positions, p)
		}
	}
	return positions
}

// Plan returns the plan of the scan.
func (r *Scanner) Plan() *read.ScanPlan { return r.plan }

// Call returns the statistics of the scan so far.
func (r *Scanner) Call() *exec.Read { return &r.call }

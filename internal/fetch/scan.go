package fetch

import (
	"context"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/read"
)

// Scanner is one run of a scan: its segments are read at the same time, and their pages come one after the other.
type Scanner struct {
	plan     *read.ScanPlan
	feed     feeder
	bounds   Bounds
	segments int
	call     call.Read

	at       map[int]cursor.Position // where the segments stand that are not at their end
	resumed  map[int]bool            // the segments whose position is a cursor's: not yet read from there
	sent     int                     // requests, those under way included
	underway int
	pages    chan segmentPage
}

// segmentPage is a page of a segment.
type segmentPage struct {
	segment int
	answer  call.Answer
}

// NewScanner makes a run of a scan into the sink, in so many segments; from nil it starts at the beginning, else where these segments stand.
func NewScanner(e *call.Env, p *read.ScanPlan, s core.Sink, b Bounds, segments int, from []cursor.Position) *Scanner {
	info := call.Info{Operation: "scan", Table: e.Table, Access: p.Access}
	if p.Index != nil {
		info.Index = p.Index.Name
	}
	r := &Scanner{
		plan: p, bounds: b, segments: segments, at: make(map[int]cursor.Position, segments), pages: make(chan segmentPage, segments),
		call: call.NewRead(e, info, p.Entity),
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

// Each reads page after page until the end, or until a budget is used up. It hands each page on by calling page; what page returns ends
// the scan, and that page counts as not read. After each page that counts it calls passed, unless that is nil. The error is page's, or a
// *call.Failure.
func (r *Scanner) Each(ctx context.Context, page func() error, passed func()) error {
	return r.call.Observe(ctx, func(ctx context.Context) error { return r.each(ctx, page, passed) })
}

func (r *Scanner) each(ctx context.Context, page func() error, passed func()) error {
	sending, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for ; r.underway > 0; r.underway-- {
			p := <-r.pages
			_ = r.call.Account(&p.answer) // it was sent, whatever became of it
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

// send asks for a segment's next page, unless a budget is used up.
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

// take feeds a page, hands it on, and moves its segment on: it reports whether it has. The next page is under way meanwhile.
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

// failed is why a segment's request failed. Only the service knows which segment an item is in:
// a position from a cursor that the service refuses is not one of this scan.
func (r *Scanner) failed(p *segmentPage, err error) error {
	if r.segments == 1 || !r.resumed[p.segment] || !p.answer.Invalid() {
		return err
	}
	return r.call.Fail(fail.Cursor)
}

// stuckAt hands on what came before an item that cannot be read, and has the segment stand there.
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

// Ended reports whether every segment has come to its end.
func (r *Scanner) Ended() bool { return len(r.at) == 0 }

// Positions is where the segments stand that are not at their end, in their order.
func (r *Scanner) Positions() []cursor.Position {
	positions := make([]cursor.Position, 0, len(r.at))
	for i := range r.segments {
		if p, ok := r.at[i]; ok {
			positions = append(positions, p)
		}
	}
	return positions
}

// Plan is what is run.
func (r *Scanner) Plan() *read.ScanPlan { return r.plan }

// Call is what the scan has used and met so far.
func (r *Scanner) Call() *call.Read { return &r.call }

// Package fetch reads the pages of a planned read and feeds their items to a sink, in order, as long as somebody wants them, and knows
// at all times where the read stands.
package fetch

import (
	"context"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Bounds say how much a read may bring and cost. A zero is no bound.
type Bounds struct {
	Items    int     // wanted
	PageSize int     // items that one request passes at the most, filtered ones included
	Requests int     // budgets: when one is used up, the read ends where it stands
	Units    float64 // read capacity units
	Ahead    bool    // the next page is read while the caller looks at one
}

// Reader is one run of a plan.
type Reader struct {
	plan   *read.Plan
	feed   feeder
	bounds Bounds
	call   call.Read

	at cursor.Position // where the next request starts
	// position is where another run can go on. It is never behind a key outside the range.
	position cursor.Position
	ended    bool // there is nothing from there on
	stuck    bool // the item there cannot be read
	left     int  // items still wanted; below 0: all
}

// New makes a run of the plan into the sink, from a position: the zero value is the beginning.
func New(e *call.Env, p *read.Plan, s core.Sink, b Bounds, from cursor.Position) *Reader {
	info := call.Info{Operation: p.Name, Table: e.Table, Access: p.Access}
	if p.Index != nil {
		info.Index = p.Index.Name
	}
	r := &Reader{plan: p, bounds: b, at: from, left: -1, call: call.NewRead(e, info, p.Entity)}
	r.feed = feeder{schema: p.Entity.Schema, plan: p.Entity, only: p.Only, strict: p.Vague, sink: s, call: &r.call}
	if p.Mixed {
		r.feed.plan = nil
	}
	if b.Items > 0 {
		r.left = b.Items
	}
	r.skipEmpty()
	return r
}

// Each reads page after page, partition after partition, until it has what is wanted or a budget is used up. After each page it asks more
// whether to go on. The error is a *call.Failure.
func (r *Reader) Each(ctx context.Context, more func() bool) error {
	return r.call.Observe(ctx, func(ctx context.Context) error { return r.each(ctx, more) })
}

func (r *Reader) each(ctx context.Context, more func() bool) error {
	var next page
	defer func() {
		if out, ok := next.drop(); ok {
			_ = r.call.Account(&out) // it was sent, whatever became of it
		}
	}()
	for r.wants() {
		if next.wait == nil {
			next = r.request(ctx)
		}
		out := next.wait()
		next = page{}
		if err := r.call.Account(&out); err != nil {
			return err
		}
		bad := r.take(&out)
		if r.bounds.Ahead && bad == nil && r.wants() {
			next = r.ahead(ctx)
		}
		if !more() {
			return nil
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// wants reports whether another request is to be made.
func (r *Reader) wants() bool { return !r.ended && r.left != 0 && !r.Spent() }

// Spent reports whether a budget is used up.
func (r *Reader) Spent() bool {
	b := r.bounds
	return b.Requests > 0 && r.call.Requests >= b.Requests || b.Units > 0 && r.call.Capacity.Read >= b.Units
}

// Ended reports whether the read has come to its end, rather than to a bound.
func (r *Reader) Ended() bool { return r.ended }

// Short reports whether a budget ended the read before it had all that is wanted.
func (r *Reader) Short() bool { return !r.ended && r.left != 0 }

// FirstInput is the input of the first request of a read that sends one.
func FirstInput(e *call.Env, p *read.Plan, b Bounds) *dynamodb.QueryInput {
	return p.QueryInput(e.Table, p.From(0), nil, b.limit(p, b.Items, 0))
}

// Position is where the read stands: behind the last item that was taken. A page that passed
// nothing, and ends at a key outside of the read's range, leaves it where it was.
func (r *Reader) Position() cursor.Position { return r.position }

// Call is what the read has used and met so far.
func (r *Reader) Call() *call.Read { return &r.call }

// page is a page on its way.
type page struct {
	wait func() call.Answer
	stop func() // nil: nothing is under way
}

// drop ends what is under way, and waits for its end.
func (p *page) drop() (out call.Answer, dropped bool) {
	if p.stop == nil {
		return out, false
	}
	p.stop()
	return p.wait(), true
}

// request asks for the next page when it is waited for.
func (r *Reader) request(ctx context.Context) page {
	in := r.plan.QueryInput(r.call.Env.Table, r.at.Part, r.at.After, r.bounds.limit(r.plan, r.left, r.doublings()))
	return page{wait: func() call.Answer { return r.call.Env.Query(ctx, in) }}
}

// ahead asks for the next page at once.
func (r *Reader) ahead(ctx context.Context) page {
	ctx, cancel := context.WithCancel(ctx)
	p := r.request(ctx)
	var out call.Answer
	done := make(chan struct{})
	go func() {
		defer close(done)
		out = p.wait()
	}()
	return page{
		wait: func() call.Answer {
			<-done
			cancel()
			return out
		},
		stop: func() {
			cancel()
			<-done
		},
	}
}

// doublings is how many times what a request passes has doubled: with each, where types share the key or others' items have come.
func (r *Reader) doublings() int {
	if !r.plan.Shared && r.call.Unknown+r.call.Skipped == 0 {
		return 0
	}
	return min(r.call.Requests, 10)
}

// limit is how many items the next request may pass: where whatever is read is wanted, no more than that.
func (b *Bounds) limit(p *read.Plan, left, doublings int) int {
	if left <= 0 || p.Filtered {
		return b.PageSize
	}
	left = min(left, math.MaxInt32) << doublings
	if b.PageSize == 0 || left < b.PageSize {
		return left
	}
	return b.PageSize
}

// take feeds a page's items up to the last that is wanted, or the first that cannot be read, and moves on behind what was taken. The error is a
// *call.Failure.
func (r *Reader) take(out *call.Answer) error {
	if r.plan.Counts {
		r.tally(out.Count)
	}
	if s, ok := r.feed.sink.(roomy); ok {
		s.Expect(r.bounded(len(out.Items)))
	}
	for i, item := range out.Items {
		taken, err := r.feed.feed(item)
		if err != nil {
			return r.stuckAt(out.Items, i, err)
		}
		if taken {
			r.left--
		}
		if r.left == 0 && i < len(out.Items)-1 {
			return r.stand(item)
		}
	}
	r.at.After = out.Last
	if out.Scanned > 0 || r.plan.Allows(r.at.Part, out.Last) {
		r.position = r.at
	}
	// Only an absent key means the end; a page may be empty and yet have one.
	if len(out.Last) == 0 {
		r.at = cursor.Position{Part: r.at.Part + 1}
		r.skipEmpty()
	}
	return nil
}

// stuckAt puts the position before an item that cannot be read, so that nothing before it comes again.
func (r *Reader) stuckAt(items []op.Item, i int, err error) error {
	r.stuck = true
	if i > 0 {
		if err := r.stand(items[i-1]); err != nil {
			return err
		}
	}
	return r.call.FailAt(r.feed.schema.KeyIn(items[i]), err)
}

// Stuck reports whether the item that comes next cannot be read.
func (r *Reader) Stuck() bool { return r.stuck }

// roomy is a sink that makes room for a page at once.
type roomy interface{ Expect(items int) }

// bounded is a number of items, or what is still wanted where that is less.
func (r *Reader) bounded(n int) int {
	if r.left >= 0 {
		return min(n, r.left)
	}
	return n
}

// tally takes so many items that the service has counted, up to what is wanted.
func (r *Reader) tally(n int) {
	n = r.bounded(n)
	if r.left > 0 {
		r.left -= n
	}
	r.call.Items += n
}

// skipEmpty passes over partitions in which no key can match.
func (r *Reader) skipEmpty() {
	r.at.Part = r.plan.From(r.at.Part)
	r.ended = r.at.Part >= r.plan.Parts()
	r.position = r.at
}

// stand puts the position behind an item.
func (r *Reader) stand(item op.Item) error {
	after, ok := placeOf(r.plan.Position, item)
	if !ok {
		return r.call.Fail(fail.Unreadable(errNoKey))
	}
	r.at.After = after
	r.position = r.at
	return nil
}

// placeOf is where an item stands in a read; false where it lacks a part of the key.
func placeOf(position []core.Attribute, item op.Item) (op.Item, bool) {
	place := make(op.Item, len(position))
	for _, a := range position {
		av, ok := item[a.Name]
		if !ok {
			return nil, false
		}
		place[a.Name] = av
	}
	return place, true
}

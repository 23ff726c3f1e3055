// Package fetch reads the pages of a planned read and passes their items to a sink, in order, until
// the caller stops or a bound is reached. A read can report its position at any time.
package fetch

import (
	"context"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Bounds limit the results and the cost of a read. Zero means unbounded.
type Bounds struct {
	Items    int     // maximum number of results
	PageSize int     // maximum number of items that one request reads, before filters
	Requests int     // a budget: the read ends when it is used up
	Units    float64 // a budget in read capacity units
	Ahead    bool    // read the next page while the caller processes a page
}

// Reader is one run of a plan.
type Reader struct {
	plan   *read.Plan
	feed   feeder
	bounds Bounds
	call   exec.Read

	at cursor.Position // where the next request starts
	// position is where another run can continue. It is never after a key outside the range.
	position cursor.Position
	ended    bool // no items follow
	stuck    bool // the next item cannot be read
	left     int  // items still wanted; below 0: all
}

// New returns a run of the plan into the sink, from a position. The zero Position is the beginning.
func New(e *exec.Config, p *read.Plan, s core.Sink, b Bounds, from cursor.Position) *Reader {
	info := exec.Info{Operation: p.Name, Table: e.Table, Access: p.Access}
	if p.Index != nil {
		info.Index = p.Index.Name
	}
	r := &Reader{plan: p, bounds: b, at: from, left: -1, call: exec.NewRead(e, info, p.Entity)}
	r.feed = feeder{schema: p.Entity.Schema, plan: p.Entity, only: p.Only, strict: p.TypeUndetermined, sink: s, call: &r.call}
	if p.AllTypes {
		r.feed.plan = nil
	}
	if b.Items > 0 {
		r.left = b.Items
	}
	r.skipEmpty()
	return r
}

// Each reads the pages of one partition after the other. It ends after the last page, when it has
// the wanted number of items, or when a budget is used up. It calls more after each page and stops
// if more returns false. The error is a *exec.Failure.
func (r *Reader) Each(ctx context.Context, more func() bool) error {
	return r.call.Observe(ctx, func(ctx context.Context) error { return r.each(ctx, more) })
}

func (r *Reader) each(ctx context.Context, more func() bool) error {
	var next page
	defer func() {
		if out, ok := next.drop(); ok {
			_ = r.call.Account(&out) // the request was sent, so its cost counts
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

// wants reports whether the read needs another request.
func (r *Reader) wants() bool { return !r.ended && r.left != 0 && !r.Spent() }

// Spent reports whether a budget is used up.
func (r *Reader) Spent() bool {
	b := r.bounds
	return b.Requests > 0 && r.call.Requests >= b.Requests || b.Units > 0 && r.call.Capacity.Read >= b.Units
}

// Ended reports whether the read has reached the end of the last partition.
func (r *Reader) Ended() bool { return r.ended }

// Short reports whether a budget ended the read before it had all wanted items.
func (r *Reader) Short() bool { return !r.ended && r.left != 0 }

// FirstInput returns the input of the first request. At least one partition of the plan must not be
// empty.
func FirstInput(e *exec.Config, p *read.Plan, b Bounds) *dynamodb.QueryInput {
	return p.QueryInput(e.Table, p.From(0), nil, b.limit(p, b.Items, 0))
}

// Position returns the position after the last item that was taken. A page that read no items and
// ends at a key outside of the read's range does not change it.
func (r *Reader) Position() cursor.Position { return r.position }

// Call returns the statistics of the read so far.
func (r *Reader) Call() *exec.Read { return &r.call }

// page is a requested page.
type page struct {
	wait func() exec.Answer
	stop func() // nil: no request is running
}

// drop cancels the running request and waits for its end.
func (p *page) drop() (out exec.Answer, dropped bool) {
	if p.stop == nil {
		return out, false
	}
	p.stop()
	return p.wait(), true
}

// request returns the next page. The request is sent when wait is called.
func (r *Reader) request(ctx context.Context) page {
	in := r.plan.QueryInput(r.call.Env.Table, r.at.Part, r.at.After, r.bounds.limit(r.plan, r.left, r.doublings()))
	return page{wait: func() exec.Answer { return r.call.Env.Query(ctx, in) }}
}

// ahead returns the next page and sends the request immediately.
func (r *Reader) ahead(ctx context.Context) page {
	ctx, cancel := context.WithCancel(ctx)
	p := r.request(ctx)
	var out exec.Answer
	done := make(chan struct{})
	go func() {
		defer close(done)
		out = p.wait()
	}()
	return page{
		wait: func() exec.Answer {
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

// doublings returns how often the limit of a request has doubled. The limit doubles with each
// request, at most 10 times, if types share the key or if the read has dropped items of other types
// or of the library.
func (r *Reader) doublings() int {
	if !r.plan.Shared && r.call.Unknown+r.call.Skipped == 0 {
		return 0
	}
	return min(r.call.Requests, 10)
}

// limit returns the maximum number of items for the next request; 0 is unbounded. Without a filter
// it is the number of items still wanted, multiplied by 2 for each doubling, but at most PageSize.
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

// take passes the items of a page to the sink and moves the position after them. It stops after the
// last wanted item and before an item that cannot be read. The error is a *exec.Failure.
func (r *Reader) take(out *exec.Answer) error {
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
	// Only an absent key marks the end. A page may be empty and still have one.
	if len(out.Last) == 0 {
		r.at = cursor.Position{Part: r.at.Part + 1}
		r.skipEmpty()
	}
	return nil
}

// stuckAt moves the position before an item that cannot be read, so that a later run does not
// repeat the items before it.
func (r *Reader) stuckAt(items []op.Item, i int, err error) error {
	r.stuck = true
	if i > 0 {
		if err := r.stand(items[i-1]); err != nil {
			return err
		}
	}
	return r.call.FailAt(r.feed.schema.KeyIn(items[i]), err)
}

// Stuck reports whether the next item cannot be read.
func (r *Reader) Stuck() bool { return r.stuck }

// roomy is a sink that allocates space for a page at once.
type roomy interface{ Expect(items int) }

// bounded returns n, or the number of items still wanted if that is less.
func (r *Reader) bounded(n int) int {
	if r.left >= 0 {
		return min(n, r.left)
	}
	return n
}

// tally counts n items that DynamoDB counted, up to the wanted number.
func (r *Reader) tally(n int) {
	n = r.bounded(n)
	if r.left > 0 {
		r.left -= n
	}
	r.call.Items += n
}

// skipEmpty skips partitions in which no key can match.
func (r *Reader) skipEmpty() {
	r.at.Part = r.plan.From(r.at.Part)
	r.ended = r.at.Part >= r.plan.Parts()
	r.position = r.at
}

// stand moves the position after an item.
func (r *Reader) stand(item op.Item) error {
	after, ok := placeOf(r.plan.Position, item)
	if !ok {
		return r.call.Fail(errs.Undecodable(errNoKey))
	}
	r.at.After = after
	r.position = r.at
	return nil
}

// placeOf returns the position of an item. It returns false if the item lacks a key attribute.
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

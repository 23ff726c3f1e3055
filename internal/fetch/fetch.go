// Package fetch reads the pages of a planned read and feeds their items to a sink, in order, as long as somebody wants them, and knows
// at all times where the read stands.
package fetch

import (
	"context"

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

	at    cursor.Position // where the next request starts
	ended bool            // there is nothing from there on
	left  int             // items still wanted; below 0: all
}

// New makes a run of the plan into the sink, from a position: the zero value is the beginning.
func New(e *call.Env, p *read.Plan, s core.Sink, b Bounds, from cursor.Position) *Reader {
	r := &Reader{plan: p, bounds: b, at: from, left: -1, call: call.Read{Env: e, Name: p.Name, Plan: p.Entity, Access: p.Access}}
	schema := p.Entity.Schema
	r.feed = feeder{schema: schema, plan: p.Entity, strict: p.Index != nil && schema.TypeAttr == "", sink: s, call: &r.call}
	if p.Mixed {
		r.feed.plan = nil
	}
	if b.Items > 0 {
		r.left = b.Items
	}
	if p.Index != nil {
		r.call.Index = p.Index.Name
	}
	r.skipEmpty()
	return r
}

// Each reads page after page, partition after partition, until it has what is wanted or a budget is used up. After each page it asks more
// whether to go on. The error is a *call.Failure.
func (r *Reader) Each(ctx context.Context, more func() bool) (err error) {
	r.call.Begin()
	defer func() { r.call.End(ctx, err) }()
	var next page
	defer func() { next.drop() }()
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
			return r.call.Fail(bad)
		}
	}
	return nil
}

// wants reports whether another request is to be made.
func (r *Reader) wants() bool { return !r.ended && r.left != 0 && !r.Spent() }

// Spent reports whether a budget is used up.
func (r *Reader) Spent() bool {
	b := r.bounds
	return b.Requests > 0 && r.call.Requests() >= b.Requests || b.Units > 0 && r.call.Capacity().Read >= b.Units
}

// Ended reports whether the read has come to its end, rather than to a bound.
func (r *Reader) Ended() bool { return r.ended }

// Short reports whether a budget ended the read before it had all that is wanted.
func (r *Reader) Short() bool { return !r.ended && r.left != 0 }

// FirstInput is the input of a read's first request.
func FirstInput(e *call.Env, p *read.Plan, b Bounds) *dynamodb.QueryInput {
	first := p.From(0)
	if first == len(p.Partitions) {
		first = 0 // nothing would be sent
	}
	return p.QueryInput(e.Table, first, nil, b.limit(p, b.Items))
}

// Position is where the read stands: behind the last item that was taken.
func (r *Reader) Position() cursor.Position { return r.at }

// Call is what the read has used and met so far.
func (r *Reader) Call() *call.Read { return &r.call }

// page is a page on its way.
type page struct {
	wait func() call.Answer
	stop func() // nil: nothing is under way
}

// drop ends what is under way, and waits for its end.
func (p *page) drop() {
	if p.stop != nil {
		p.stop()
	}
}

// request asks for the next page when it is waited for.
func (r *Reader) request(ctx context.Context) page {
	in := r.plan.QueryInput(r.call.Env.Table, r.at.Part, r.at.After, r.bounds.limit(r.plan, r.left))
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

// limit is how many items the next request may pass. Where whatever is read is wanted, it is no more than that.
func (b *Bounds) limit(p *read.Plan, left int) int {
	if left > 0 && p.Filter == "" && !p.Sifts && (b.PageSize == 0 || left < b.PageSize) {
		return left
	}
	return b.PageSize
}

// take feeds a page's items up to the last that is wanted, or the first that cannot be read, and moves on behind what was taken.
func (r *Reader) take(out *call.Answer) error {
	if r.plan.Counts {
		r.tally(out.Count)
	}
	for i, item := range out.Items {
		taken, err := r.feed.feed(item)
		if err != nil {
			return err
		}
		if taken {
			r.left--
		}
		if r.left == 0 && i < len(out.Items)-1 {
			return r.stand(item)
		}
	}
	r.at.After = out.Last
	// Only an absent key means the end; a page may be empty and yet have one.
	if len(out.Last) == 0 {
		r.at = cursor.Position{Part: r.at.Part + 1}
		r.skipEmpty()
	}
	return nil
}

// tally takes so many items that the service has counted, up to what is wanted.
func (r *Reader) tally(n int) {
	if r.left > 0 {
		n = min(n, r.left)
		r.left -= n
	}
	r.call.Items += n
}

// skipEmpty passes over partitions in which no key can match.
func (r *Reader) skipEmpty() {
	r.at.Part = r.plan.From(r.at.Part)
	r.ended = r.at.Part >= len(r.plan.Partitions)
}

// stand puts the position behind an item.
func (r *Reader) stand(item op.Item) error {
	r.at.After = make(op.Item, len(r.plan.Position))
	for _, a := range r.plan.Position {
		av, ok := item[a.Name]
		if !ok {
			return fail.Unreadable(errNoKey)
		}
		r.at.After[a.Name] = av
	}
	return nil
}

package fetch

import (
	"cmp"
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Run is one run of a plan. It reads page after page into a sink:
//
//	ctx = run.Start(ctx)
//	defer run.Close(ctx)
//	for run.Next(ctx) { … }
//	return run.Err()
type Run struct {
	delivery // the plan, the call and the sink
	budget
	order   order
	streams []*stream    // those that have not ended, in order
	arrived chan *stream // streams whose request has ended
	page    page         // that the last Next read
	ending  ending
}

// page is what a run passes to the sink between two requests.
type page struct {
	group  []*stream // the streams whose rows are passed, merged by sort key
	before op.Item   // the position of the only stream before the page
	last   *stream   // that of the last row that was passed; nil: none was
	row    core.Row  // that row
}

// ending is why a run ends.
type ending struct {
	halted    bool  // before the next item
	stuck     error // the next item cannot be read
	unfetched error // why the last batch read failed
	err       error
	done      bool // the caller needs no more pages, or there are none
}

// New returns a run of the plan into the sink. It begins at the positions of a cursor, or at the
// beginning if there are none.
func New(c *exec.Config, p *read.Plan, s core.Sink, b Bounds, o Order, from []cursor.Position) *Run {
	info := trestle.OperationInfo{Operation: p.Name, Table: c.Table, Access: p.Access}
	if p.Index != nil {
		info.Index = p.Index.Name
	}
	r := &Run{
		delivery: newDelivery(p, s, exec.NewCall(c, info, p.Entity, trestle.NoWrite)),
		budget:   budget{Bounds: b, left: -1},
	}
	if b.Items > 0 {
		r.left = b.Items
	}
	if p.Fetch != nil {
		r.reserve, r.PageSize = 1, cmp.Or(b.PageSize, read.FetchPage)
	}
	switch _, sorted := p.SortAttribute(); {
	case o == AnyOrder, o == Merged && p.Counts: // there are no rows to merge
		r.order = anyOrder{r.begin(from, false)}
	case o == Merged && sorted:
		r.order = beginMerged(r, from)
	default: // there is one row of each stream, if they have no sort key
		r.order = inTurn{r.begin(from, true)}
	}
	return r
}

// Start notifies the observer. It returns the context for Next and Close.
func (r *Run) Start(ctx context.Context) context.Context { return r.call.Start(ctx) }

// Next reads the next page into the sink. It returns false after the last page, after an error, and
// when a bound is reached. A page may have no items.
func (r *Run) Next(ctx context.Context) bool {
	e := &r.ending
	if e.stuck != nil {
		e.err = e.stuck
	}
	if e.done || e.halted || e.err != nil || r.Ended() || r.left == 0 || !r.order.next(ctx) {
		e.done = true
		return false
	}
	for s := r.head(); s != nil && r.pass(ctx, s); s = r.head() {
	}
	r.order.end(ctx)
	return true
}

// head returns the stream whose row comes next, or nil if a stream needs its next page, and if all
// streams have ended.
func (r *Run) head() (first *stream) {
	for _, s := range r.page.group {
		switch {
		case s.ended:
		case !s.hasRow():
			return nil
		case first == nil || r.precedes(s, first):
			first = s
		}
	}
	return first
}

// pass passes the next row of a stream to the sink. It returns false if the run ends before the end
// of the page.
func (r *Run) pass(ctx context.Context, s *stream) bool {
	row, _ := s.row()
	var taken bool
	var err error
	if r.plan.Fetch == nil || !r.needsItem(row) {
		taken, err = r.deliver(row)
	} else if item, ok := r.fetched(ctx, s); ok {
		taken, err = r.deliverItem(row, item)
	} else {
		r.halt(r.ending.unfetched)
		return false
	}
	if err != nil {
		r.halt(r.call.FailAt(r.plan.Schema.KeyOf(row), err))
		return false
	}
	s.next++
	s.returned++
	s.ahead = false
	r.page.last, r.page.row = s, row
	if taken {
		r.left--
	}
	if r.left != 0 || !s.hasRow() {
		r.skip(s)
	}
	return r.left != 0
}

// halt ends the run before the next item, which cannot be read if err is not nil.
func (r *Run) halt(err error) { r.ending.halted, r.ending.stuck = true, err }

// receive takes the page of a stream, whose request has ended. It returns false if it failed.
func (r *Run) receive(s *stream) bool {
	r.ending.err = r.call.Account(&s.page)
	// DynamoDB rejects a start key of another segment. If the key comes from a cursor, the cursor
	// does not belong to this scan.
	if r.ending.err != nil && r.plan.Segments > 1 && s.resumed && s.page.Invalid() {
		r.ending.err = r.call.Fail(errs.Cursor)
	}
	s.resumed, s.next, s.headOf, s.items = false, 0, 0, nil
	if r.ending.err != nil {
		return false
	}
	r.setExpiry()
	r.dropped = r.dropped || r.plan.HidesExpired && s.page.Count < s.page.Scanned // the filter dropped some
	r.skip(s)
	return true
}

// skip passes over rows that the run does not return, and moves the position of the stream to the
// end of the page if no row is left.
func (r *Run) skip(s *stream) {
	if s.skip() {
		return
	}
	if s.endPage(r.plan); s.ended {
		r.streams = slices.DeleteFunc(slices.Clone(r.streams), func(o *stream) bool { return o == s })
	}
}

// settle moves the position of a stream after the last row that was passed.
func (r *Run) settle(s *stream) {
	if err := s.stopAt(r.plan); err != nil {
		r.halt(r.call.Fail(err))
	}
}

// goesOn reports whether the run needs further items.
func (r *Run) goesOn() bool { return !r.ending.halted && r.left != 0 && !r.Ended() }

// Stop ends the run before its last page.
func (r *Run) Stop() { r.ending.done = true }

// Close ends the requests that are still running and notifies the observer. A run that is closed
// before Next returned false, and without Stop, counts as aborted by a panic.
func (r *Run) Close(ctx context.Context) {
	if r.arrived != nil {
		r.drain()
	}
	err := r.ending.err
	if !r.ending.done {
		err = exec.ErrAborted
	}
	r.call.End(ctx, err)
}

// Undo moves the position back before the last page, of one stream. It does nothing in a merged
// run, whose pages are of several streams.
func (r *Run) Undo() {
	if _, merges := r.order.(*merged); merges || r.page.group == nil {
		return
	}
	s := r.page.group[0]
	s.position = r.page.before
	if s.ended {
		s.ended = false
		r.streams = append(r.streams, s)
		slices.SortFunc(r.streams, func(a, b *stream) int { return cmp.Compare(a.index, b.index) })
	}
}

// Err returns the error that ended the run. It is a *trestle.OpError.
func (r *Run) Err() error { return r.ending.err }

// Stuck reports whether the next item cannot be read.
func (r *Run) Stuck() bool { return r.ending.stuck != nil }

// Ended reports whether all streams have reached their end.
func (r *Run) Ended() bool { return len(r.streams) == 0 }

// Short reports whether a budget ended the read before it had all wanted items.
func (r *Run) Short() bool { return !r.Ended() && r.left != 0 }

// Positions returns where another run can continue, in the form that New takes.
func (r *Run) Positions() []cursor.Position { return r.order.positions() }

// Event returns the statistics of the run so far.
func (r *Run) Event() *trestle.Event { return &r.call.Event }

// Plan returns the plan of the run.
func (r *Run) Plan() *read.Plan { return r.plan }

// FirstInputs returns the inputs of the first requests of a query: one for each partition that is
// not empty.
func FirstInputs(c *exec.Config, p *read.Plan, b Bounds, o Order) []*dynamodb.QueryInput {
	r := New(c, p, nil, b, o, nil)
	inputs := make([]*dynamodb.QueryInput, 0, len(r.streams))
	for _, s := range r.streams {
		in, _ := s.inputs(c.Table, p, r.order.limit(s))
		inputs = append(inputs, in)
	}
	return inputs
}

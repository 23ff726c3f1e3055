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

// Order is the order in which a run returns the items of its streams.
type Order uint8

const (
	// InTurn reads one stream after the other.
	InTurn Order = iota
	// AnyOrder reads all streams at the same time, and returns pages as they arrive.
	AnyOrder
	// Merged returns the items of all streams in the order of their sort keys.
	Merged
)

// Run is one run of a plan. It reads page after page into a sink:
//
//	ctx = run.Start(ctx)
//	defer run.Close(ctx)
//	for run.Next(ctx) { … }
//	return run.Err()
type Run struct {
	call     exec.Call
	delivery delivery
	plan     *read.Plan
	bounds   Bounds
	order    Order
	streams  []*stream    // those that have not ended, in order
	left     int          // items still wanted; below 0: all
	sent     int          // requests, including running ones
	arrived  chan *stream // streams whose request has ended

	batches   int   // requests of batch reads, of a run that fetches items
	unfetched error // why the last batch read failed

	limited int             // the group that limits and wanted are of, of a run that merges
	limits  int             // the items that its requests have read, or may read
	wanted  int             // the items that were wanted when its first page was requested
	from    cursor.Position // where a run that merges began
	base    int             // the stream of the last row that was passed, of a run that merges
	baseRow core.Row        // that row

	last   *stream // the stream of the last page, with its position before that page
	before op.Item
	stuck  error // the next item cannot be read
	halted bool  // the run ends before the next item
	err    error
	done   bool // the caller needs no more pages, or there are none
}

// New returns a run of the plan into the sink. It begins at the positions of a cursor, or at the
// beginning if there are none.
func New(c *exec.Config, p *read.Plan, s core.Sink, b Bounds, order Order, from []cursor.Position) *Run {
	info := trestle.OperationInfo{Operation: p.Name, Table: c.Table, Access: p.Access}
	if p.Index != nil {
		info.Index = p.Index.Name
	}
	r := &Run{plan: p, bounds: b, order: order, left: -1, limited: -1, call: exec.NewCall(c, info, p.Entity, trestle.NoWrite)}
	if p.Fetch != nil && r.bounds.PageSize == 0 {
		r.bounds.PageSize = read.FetchPage
	}
	r.delivery = delivery{plan: p, sink: s, call: &r.call}
	if _, sorted := p.SortAttribute(); order == Merged && !sorted {
		r.order = InTurn // one row of each stream, in the order of the streams
	}
	if p.Counts && r.order == Merged {
		r.order = AnyOrder // there are no rows to merge
	}
	if b.Items > 0 {
		r.left = b.Items
	}
	if r.order == Merged {
		r.beginMerged(from)
	} else {
		r.begin(from)
	}
	return r
}

// begin makes the streams. A run in turn has one position: the streams before it have ended, and
// those after it have not begun. Any other run has the position of each stream that has not ended.
func (r *Run) begin(from []cursor.Position) {
	at := make(map[int]op.Item, len(from))
	for _, p := range from {
		at[p.Stream] = p.After
	}
	for i := range r.plan.Streams() {
		after, listed := at[i]
		switch {
		case r.plan.Partition(i).Empty:
		case len(from) == 0, listed, r.order == InTurn && i > from[0].Stream:
			r.streams = append(r.streams, &stream{index: i, part: r.plan.Partition(i), after: after, position: after, resumed: len(after) > 0})
		}
	}
}

// Start notifies the observer. It returns the context for Next and Close.
func (r *Run) Start(ctx context.Context) context.Context { return r.call.Start(ctx) }

// Next reads the next page into the sink. It returns false after the last page, after an error, and
// when a bound is reached. A page may have no items.
func (r *Run) Next(ctx context.Context) bool {
	if r.stuck != nil {
		r.err = r.stuck
	}
	if r.done || r.halted || r.err != nil || len(r.streams) == 0 || r.left == 0 {
		r.done = true
		return false
	}
	if r.order == Merged {
		return r.merge(ctx)
	}
	s := r.await(ctx)
	if s == nil && r.order == InTurn && !r.spent() {
		s = r.streams[0]
		r.sent++
		query, scan := s.inputs(r.call.Config.Table, r.plan, r.limit(s))
		s.page = r.call.Config.Page(ctx, query, scan)
	}
	if s == nil || !r.account(s) {
		r.done = true
		return false
	}
	r.take(ctx, s)
	if r.stuck == nil && !r.halted {
		r.readAhead(ctx)
	}
	return true
}

// spent reports whether a budget is used up: no request of a page may be sent. A run that fetches
// items keeps one request for those of the page.
func (r *Run) spent() bool { return r.spentRequests() || r.spentUnits() }

func (r *Run) spentRequests() bool {
	sent := r.sent
	if r.plan.Fetch != nil {
		sent++
	}
	return r.bounds.Requests > 0 && sent >= r.bounds.Requests
}

func (r *Run) spentUnits() bool { return r.bounds.Units > 0 && r.call.Capacity.Read >= r.bounds.Units }

// drops reports whether types share the key, or the read has dropped items: of other types, of the
// library, gone or expired ones.
func (r *Run) drops() bool {
	return r.plan.Shared || r.call.Unknown+r.call.Skipped+r.call.Gone > 0 || r.delivery.expired
}

// limit returns the maximum number of items of the next request of a stream. It doubles with each
// request, at most 10 times, if the read drops items.
func (r *Run) limit(s *stream) int {
	if r.order == Merged {
		return r.mergeLimit(s)
	}
	doublings := 0
	if r.drops() {
		doublings = min(r.call.Requests, 10)
	}
	return r.bounds.limit(r.plan, r.left, doublings)
}

// account adds the page of a stream to the statistics. It returns false if the request failed.
func (r *Run) account(s *stream) bool {
	r.err = r.call.Account(&s.page)
	// DynamoDB rejects a start key of another segment. If the key comes from a cursor, the cursor
	// does not belong to this scan.
	if r.err != nil && r.plan.Segments > 1 && s.resumed && s.page.Invalid() {
		r.err = r.call.Fail(errs.Cursor)
	}
	s.resumed, s.next, s.headOf, s.items = false, 0, 0, nil
	r.delivery.arrived(&s.page)
	return r.err == nil
}

// take passes a page to the sink and moves the position after it. It stops after the last wanted
// item and before an item that cannot be read.
func (r *Run) take(ctx context.Context, s *stream) {
	r.last, r.before = s, s.position
	if r.plan.Counts {
		r.count(s.page.Count)
	}
	if sink, ok := r.delivery.sink.(interface{ Expect(items int) }); ok && r.plan.Fetch == nil {
		sink.Expect(r.bounded(s.page.Rows.Len()))
	}
	for row, ok := s.row(); ok; row, ok = s.row() {
		if !r.pass(ctx, s, row) {
			return
		}
	}
	r.endPage(s)
	s.release()
}

// pass passes a row to the sink. It returns false if the run ends before the end of the page.
func (r *Run) pass(ctx context.Context, s *stream, row core.Row) bool {
	item, ok := r.fetched(ctx, s, row)
	if !ok {
		r.stopAt(s)
		return false
	}
	taken, err := r.delivery.deliverItem(row, item)
	if err != nil {
		r.stuck = r.call.FailAt(r.plan.Schema.KeyOf(row), err)
		r.stopAt(s)
		return false
	}
	s.next++
	s.returned++
	if taken {
		r.left--
	}
	if r.left == 0 && s.next < s.page.Rows.Len() {
		r.stopAt(s)
		return false
	}
	return true
}

// stopAt moves the position of a stream after the last row that was passed.
func (r *Run) stopAt(s *stream) {
	if err := s.stopAt(r.plan); err != nil {
		r.stuck = r.call.Fail(err)
	}
}

// endPage moves the position of a stream to the end of its page.
func (r *Run) endPage(s *stream) {
	if s.endPage(r.plan); s.ended {
		r.streams = slices.DeleteFunc(slices.Clone(r.streams), func(o *stream) bool { return o == s })
	}
}

// bounded returns n, or the number of items still wanted if that is less.
func (r *Run) bounded(n int) int {
	if r.left >= 0 {
		return min(n, r.left)
	}
	return n
}

// count counts n items that DynamoDB counted, up to the wanted number.
func (r *Run) count(n int) {
	n = r.bounded(n)
	if r.left > 0 {
		r.left -= n
	}
	r.call.Items += n
}

// Stop ends the run before its last page.
func (r *Run) Stop() { r.done = true }

// Close ends the requests that are still running and notifies the observer. A run that is closed
// before Next returned false, and without Stop, counts as aborted by a panic.
func (r *Run) Close(ctx context.Context) {
	r.drain()
	err := r.err
	if !r.done {
		err = exec.ErrAborted
	}
	r.call.End(ctx, err)
}

// Undo moves the position back before the last page, of one stream. It does nothing in a merged
// run, whose pages are of several streams.
func (r *Run) Undo() {
	s := r.last
	if s == nil {
		return
	}
	s.position = r.before
	if s.ended {
		s.ended = false
		r.streams = append(r.streams, s)
		slices.SortFunc(r.streams, func(a, b *stream) int { return cmp.Compare(a.index, b.index) })
	}
}

// Err returns the error that ended the run. It is a *trestle.OpError.
func (r *Run) Err() error { return r.err }

// Stuck reports whether the next item cannot be read.
func (r *Run) Stuck() bool { return r.stuck != nil }

// Ended reports whether all streams have reached their end.
func (r *Run) Ended() bool { return len(r.streams) == 0 }

// Short reports whether a budget ended the read before it had all wanted items.
func (r *Run) Short() bool { return !r.Ended() && r.left != 0 }

// Positions returns where another run can continue, in the form that New takes.
func (r *Run) Positions() []cursor.Position {
	if r.order == Merged {
		return r.mergedPositions()
	}
	positions := make([]cursor.Position, 0, len(r.streams))
	for _, s := range r.streams {
		positions = append(positions, s.at())
		if r.order == InTurn {
			break
		}
	}
	return positions
}

// Event returns the statistics of the run so far.
func (r *Run) Event() *trestle.Event { return &r.call.Event }

// Plan returns the plan of the run.
func (r *Run) Plan() *read.Plan { return r.plan }

// FirstInputs returns the inputs of the first requests of a query: one for each partition that is
// not empty.
func FirstInputs(c *exec.Config, p *read.Plan, b Bounds, order Order) []*dynamodb.QueryInput {
	r := New(c, p, nil, b, order, nil)
	inputs := make([]*dynamodb.QueryInput, 0, len(r.streams))
	for _, s := range r.streams {
		in, _ := s.inputs(c.Table, p, r.limit(s))
		inputs = append(inputs, in)
	}
	return inputs
}

// Valid reports whether a run of the plan in an order can begin at the positions of a cursor.
// Callers can forge positions in plain cursors.
func Valid(p *read.Plan, order Order, from []cursor.Position) bool {
	_, sorted := p.SortAttribute()
	switch {
	case len(from) == 0:
		return false
	case p.Scans():
		return validEach(p, from)
	case p.Shards > 1 && sorted && order == Merged:
		return validMerged(p, from)
	case p.Shards == 1 && from[0].Merged: // the caller may change how many periods are read at the same time
		return validMerged(p, from)
	default:
		return len(from) == 1 && validEach(p, from)
	}
}

// validEach reports whether each position is one of a stream of its own.
func validEach(p *read.Plan, from []cursor.Position) bool {
	seen := map[int]bool{}
	for _, at := range from {
		if at.Merged || seen[at.Stream] || at.Stream >= p.Streams() || at.After != nil && !p.Allows(at.Stream, at.After) {
			return false
		}
		seen[at.Stream] = true
	}
	return true
}

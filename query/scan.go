package query

import (
	"context"
	"errors"
	"iter"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fetch"
)

// TableScan reads the items of R from a whole table or a whole index. It reads every item and costs
// read units for all of them, also for those that it does not return. Only [Scan], [ScanTable] and
// [ScanStored] create scans. TableScan is an immutable value: every method returns a new one.
type TableScan[R any] struct{ q request }

// Scan reads all entities of a type, in no particular order. It leaves out expired items, unless
// [TableScan.ShowExpired] is set. If s comes from [entity.Repo.Strong],
// the read is strongly consistent.
func Scan[T any](s entity.Source[T]) TableScan[T] { return TableScan[T]{q: newScan(s)} }

// ScanTable reads all items of a table, of every type, in no particular order. It yields them in
// the form that [Items] yields. It leaves out expired items, unless [TableScan.ShowExpired] is set,
// and the library's own items, whose partition key begins with $U: guards of unique values,
// counters and their markers, locks, and the intents and chunks of documents.
func ScanTable(t *entity.Table) TableScan[any] { return TableScan[any]{q: newTableScan(t, false)} }

// ScanStored reads all items of a table, of every type, as they are stored: the result does not
// depend on the types that this program knows. It leaves out what [ScanTable] leaves out. To copy a
// table, use maintain.Copy, which leaves out nothing.
func ScanStored(t *entity.Table) TableScan[entity.Raw] {
	return TableScan[entity.Raw]{q: newTableScan(t, true)}
}

// On reads the index of an access pattern instead of the table. It returns only the items in that
// index.
//
//go:noinline
func (s TableScan[R]) On(access string) TableScan[R] {
	s.q.query.Access = access
	return s
}

// Strong makes the scan strongly consistent, for twice the read units. It is not available for a
// global index.
//
//go:noinline
func (s TableScan[R]) Strong() TableScan[R] {
	s.q.query.Strong = true
	return s
}

// ShowExpired lets the scan return expired items, like [entity.ShowExpired].
//
//go:noinline
func (s TableScan[R]) ShowExpired() TableScan[R] {
	s.q.expired = true
	return s
}

// Filter drops entities like [Query.Filter]. Use the function [Filter] for a scan of all types.
//
//go:noinline
func (s TableScan[R]) Filter(conds ...attr.Cond[R]) TableScan[R] {
	s.q.filterOwn(expr.CondsOf(conds))
	return s
}

// filterOwn adds conditions of the scan's type.
//
//go:noinline
func (r *request) filterOwn(conds []*expr.Cond) {
	if r.query.Plan == nil && len(conds) > 0 && r.query.Schema != nil {
		r.fault("a scan of all types has no attributes of its own", "filter it by the handles of a type, with query.Filter")
	}
	r.filter(r.query.Plan, conds)
}

//go:noinline
func (s TableScan[R]) filtered(entity reflect.Type, conds []*expr.Cond) TableScan[R] {
	if s.q.query.Plan != nil {
		s.q.fault("query.Filter is for reads of all types", "use the scan's own method Filter")
		return s
	}
	s.q.filter(s.q.planOf(entity), conds)
	return s
}

// MaxSegments is the maximum number of segments of a scan. It is a limit of this package: DynamoDB
// allows 1,000,000.
const MaxSegments = 1000

// Segments reads n segments of the table in parallel. n is 1 to [MaxSegments]. Each segment reads
// one page ahead of the caller. More segments do not help once the table's capacity is used up.
//
//go:noinline
func (s TableScan[R]) Segments(n int) TableScan[R] {
	s.q.segments(n)
	return s
}

//go:noinline
func (r *request) segments(n int) {
	if n < 1 || n > MaxSegments {
		r.fault("a scan has 1 to 1000 segments", "leave Segments out for one")
		n = 1
	}
	r.query.Segments = n
}

// PageSize sets the maximum number of items that one request reads. The default is 1 MB of items.
//
//go:noinline
func (s TableScan[R]) PageSize(n int) TableScan[R] {
	s.q.pageSize(n)
	return s
}

// MaxRequests is a budget: the scan ends after n requests.
//
//go:noinline
func (s TableScan[R]) MaxRequests(n int) TableScan[R] {
	s.q.maxRequests(n)
	return s
}

// MaxUnits is a budget: the scan sends no further request once it has consumed that many read
// units.
//
//go:noinline
func (s TableScan[R]) MaxUnits(units float64) TableScan[R] {
	s.q.maxUnits(units)
	return s
}

// Bind binds the scan's cursors to values of the caller like [Query.Bind].
//
//go:noinline
func (s TableScan[R]) Bind(parts ...string) TableScan[R] {
	s.q.bind(parts)
	return s
}

// Progress calls f after each page, including pages without items. For a page with items it calls f
// after the caller has received them. It calls f in the goroutine of the caller.
//
//go:noinline
func (s TableScan[R]) Progress(f func(Progress)) TableScan[R] {
	s.q.progress = f
	return s
}

// Progress is the progress of a scan or a query.
type Progress struct {
	Items   int // returned to the caller
	Scanned int // read from the table, or from the index
	Gone    int // of a query with Fetch: entries whose item is gone, as in [Page]
	// Misplaced counts the returned items that are stored under another key than the one that their
	// fields render to; see [trestle.Event]. ScanStored does not decode items, and counts none.
	Misplaced int
	// IgnoredTTL counts the returned items whose time to live DynamoDB ignores; see
	// [trestle.Event]. ScanStored counts none.
	IgnoredTTL int
	Requests   int
	Capacity   trestle.Capacity
	Segments   int // of a scan: not yet at their end

	cursor func() (string, error)
}

// Cursor returns a cursor for the position of the read at that moment. Pass it to [TableScan.Each]
// or [Query.Page] to continue it, such as after the program has stopped. It is empty at the end.
// Before the end, Cursor returns an error if the table was opened without cursors.
func (p Progress) Cursor() (string, error) {
	if p.cursor == nil {
		return "", nil
	}
	return p.cursor()
}

// All streams the entities. It yields an error last, with a zero R, after all items before the
// error. The error is [ErrBudget] if a budget ended the scan.
//
//go:noinline
func (s TableScan[R]) All(ctx context.Context) iter.Seq2[R, error] {
	return stream[R](ctx, scanRunner(&s.q))
}

// Each calls f for one page after the other, never with an empty page. It starts at the beginning
// if cursor is empty, else at a cursor from an earlier call. It returns the cursor to continue
// from. The cursor is empty if the scan is complete; otherwise it is the position where a budget,
// an error or f ended the scan. A scan that continues from there repeats the page for which f
// returned an error, and no other page. An item that cannot be read ends every attempt before that
// item. The [trestle.OpError] holds its key. A budget that is used up is no error of Each.
//
//go:noinline
func (s TableScan[R]) Each(ctx context.Context, cursor string, f func(page []R) error) (next string, err error) {
	var page []R
	var receive func() error
	if f != nil {
		receive = func() error { return f(page) }
	}
	return scanRunner(&s.q).eachPage(ctx, cursor, &page, receive)
}

//go:noinline
func scanRunner(r *request) *runner {
	sink := func(l *list) core.Sink { return entitySink{l} }
	switch {
	case r.query.Plan != nil:
	case r.stored:
		sink = func(l *list) core.Sink { return storedSink{&mixedSink{list: l, schema: r.query.Schema}} }
	default:
		sink = func(l *list) core.Sink { return &mixedSink{list: l, schema: r.query.Schema} }
	}
	return &runner{request: *r, sink: sink}
}

// eachPage calls receive for each page, which it reads into the slice that page points to. It
// returns the cursor to continue from.
func (r *runner) eachPage(ctx context.Context, token string, page any, receive func() error) (next string, err error) {
	if receive == nil {
		r.fault("there is no function to receive pages", "give one")
	}
	plan, from, err := r.resume(token)
	if err != nil {
		return "", err
	}
	ctx, p := r.openAt(ctx, plan, from, page)
	defer p.run.Close(ctx)
	for p.run.Next(ctx) {
		if p.trim(); p.filled > 0 {
			err = receive()
		}
		if err != nil {
			p.run.Undo()
			p.run.Stop()
			break
		}
		p.received()
		p.clear()
	}
	p.run.Close(ctx)
	if err == nil {
		err = p.run.Err()
	}
	next, bad := r.cursor(plan, p.run.Positions())
	switch {
	case bad == nil:
		return next, err
	case err == nil:
		return "", bad
	default:
		return "", errors.Join(err, bad)
	}
}

// progressOf returns the progress of a run.
func (r *request) progressOf(run *fetch.Run) Progress {
	e, at := run.Event(), run.Positions()
	return Progress{
		Items: e.Items, Scanned: e.Scanned, Gone: e.Gone, Misplaced: e.Misplaced, IgnoredTTL: e.IgnoredTTL,
		Requests: e.Requests, Capacity: e.Capacity, Segments: len(at),
		cursor: func() (string, error) { return r.cursor(run.Plan(), at) },
	}
}

package query

import (
	"context"
	"errors"
	"iter"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
)

// TableScan is a read of a whole table, or a whole index, for the items of R: it reads and pays for every item there is, whatever it
// returns. [Scan], [ScanTable] and [ScanStored] make it; nothing else ever scans. It is an immutable value: every method gives a new one.
type TableScan[R any] struct{ s scan }

// scan is a scan without its type.
type scan struct {
	kind     string
	env      *call.Env
	cursors  *cursor.Codec
	scan     read.Scan
	bounds   fetch.Bounds
	segments int
	bound    []string
	progress func(Progress)
	faults   fail.Problems
	err      error
}

// Scan reads all entities of a type, in no order. Through [entity.Repo.Strong] it is strongly consistent.
func Scan[T any](s entity.Source[T]) TableScan[T] {
	o := door.SourceOf(s)
	r := scan{kind: kindScan, env: o.Env, cursors: o.Cursors, err: o.Err, segments: 1, scan: read.Scan{Plan: o.Plan, Strong: o.Strong}}
	if o.Plan != nil {
		r.scan.Schema = o.Plan.Schema
	}
	return TableScan[T]{r}
}

// ScanTable reads all items of a table, of whatever types, as [Items] yields them, in no order. The library's own items, whose partition key begins
// with $U, are passed over.
func ScanTable(t *entity.Table) TableScan[any] {
	o := door.TableOf(t)
	return TableScan[any]{scan{kind: kindScanTable, env: o.Env, cursors: o.Cursors, err: o.Err, segments: 1, scan: read.Scan{Schema: o.Schema}}}
}

// ScanStored reads all items of a table as they are stored, of whatever types: what is copied away must not depend on what this program can read. The
// library's own items are passed over.
func ScanStored(t *entity.Table) TableScan[entity.Raw] {
	o := door.TableOf(t)
	return TableScan[entity.Raw]{scan{kind: kindScanStored, env: o.Env, cursors: o.Cursors, err: o.Err, segments: 1, scan: read.Scan{Schema: o.Schema}}}
}

// On reads the index of an access pattern instead of the table: only what is on it.
func (s TableScan[R]) On(access string) TableScan[R] {
	s.s.scan.Access = access
	return s
}

// Strong reads strongly consistent, for twice the units. A global index cannot be read so.
func (s TableScan[R]) Strong() TableScan[R] {
	s.s.scan.Strong = true
	return s
}

// Filter is [Query.Filter]. The function [Filter] does it for a scan of all types.
func (s TableScan[R]) Filter(conds ...attr.Cond[R]) TableScan[R] {
	if s.s.scan.Plan == nil && len(conds) > 0 && s.s.scan.Schema != nil {
		s.s.fault("a scan of all types has no attributes of its own", "filter it by the handles of a type, with query.Filter")
		return s
	}
	s.s.filterBy(s.s.scan.Plan, conds)
	return s
}

// filterBy adds conditions on a type's attributes; of none, where there is nothing to scan or a fault is noted already.
func (s *scan) filterBy(p *readPlan, conds any) {
	if p == nil {
		return
	}
	filters := s.scan.Filter[:len(s.scan.Filter):len(s.scan.Filter)]
	for _, c := range expr.CondsOf(conds) {
		filters = append(filters, read.Filter{Plan: p, Cond: c})
	}
	s.scan.Filter = filters
}

// MaxSegments is how many segments a scan may have.
const MaxSegments = 1000

// Segments reads n parts of the table at the same time, 1 to [MaxSegments], each a page ahead of what is handed on. More bring nothing where the table's
// capacity is used up.
func (s TableScan[R]) Segments(n int) TableScan[R] {
	if n < 1 || n > MaxSegments {
		s.s.fault("a scan has 1 to 1000 segments", "leave Segments out for one")
		n = 1
	}
	s.s.segments = n
	return s
}

// PageSize is how many items one request passes at the most; without it 1 MB.
func (s TableScan[R]) PageSize(n int) TableScan[R] {
	s.s.bounds.PageSize = s.s.positive("PageSize", n)
	return s
}

// MaxRequests is a budget: the scan ends after n requests.
func (s TableScan[R]) MaxRequests(n int) TableScan[R] {
	s.s.bounds.Requests = s.s.positive("MaxRequests", n)
	return s
}

// MaxUnits is a budget: the scan sends no further request when it has consumed that many read units.
func (s TableScan[R]) MaxUnits(units float64) TableScan[R] {
	if !(units > 0) { // NaN is not
		s.s.fault("MaxUnits is not above 0", "leave it out to read without that budget")
	}
	s.s.bounds.Units = units
	return s
}

// Bind is [Query.Bind].
func (s TableScan[R]) Bind(parts ...string) TableScan[R] {
	s.s.bound = append(s.s.bound[:len(s.s.bound):len(s.s.bound)], parts...)
	return s
}

// Progress calls f after each page whose items were handed on, and those without any, in the goroutine of the caller.
func (s TableScan[R]) Progress(f func(Progress)) TableScan[R] {
	s.s.progress = f
	return s
}

// Progress is how far a scan has come.
type Progress struct {
	Items    int // handed on
	Scanned  int // read
	Requests int
	Capacity entity.Capacity
	Segments int // not yet at their end

	cursor func() (string, error)
}

// Cursor is where the scan stood at that moment: what [TableScan.Each] goes on from should the program end there; empty at the end.
// A table that was opened without cursors gives none: that is an error until the end.
func (p Progress) Cursor() (string, error) {
	if p.cursor == nil {
		return "", nil
	}
	return p.cursor()
}

// All streams the entities. An error is yielded last, with a zero R, after all items that came before it; [ErrBudget] where a budget ended the scan.
func (s TableScan[R]) All(ctx context.Context) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		stopped := false
		var page []R
		run, err := s.s.each(ctx, nil, &page, func() error {
			for _, item := range page {
				if !yield(item, nil) {
					stopped = true
					return errStopped
				}
			}
			return nil
		})
		if err == nil && !run.Ended() {
			err = s.s.failed(fail.Budget, nil)
		}
		if err != nil && !stopped {
			var zero R
			yield(zero, err)
		}
	}
}

// Each hands page after page to f, one at a time and none empty, from the beginning or from a cursor that an earlier call gave. It returns the cursor to go on
// from: empty when the scan has come to its end, else where a budget, an error or f ended it. A page for which f returns an error comes again; every other
// came once. An item that cannot be read ends the scan before it, at each try: [entity.OpError] has its key.
func (s TableScan[R]) Each(ctx context.Context, cursor string, f func(page []R) error) (next string, err error) {
	if f == nil {
		s.s.fault("there is no function to hand pages to", "give one")
		f = func([]R) error { return nil }
	}
	if s.s.err == nil && s.s.cursors == nil {
		return "", s.s.failed(fail.Invalid, errNoCursors)
	}
	var page []R
	run, err := s.s.each(ctx, &cursor, &page, func() error { return f(page) })
	if run == nil || run.Ended() {
		return "", err
	}
	next, bad := s.s.cursor(run.Plan(), run.Positions())
	switch {
	case bad == nil:
		return next, err
	case err == nil:
		return "", bad
	default:
		return "", errors.Join(err, bad)
	}
}

package query

import (
	"context"
	"errors"
	"iter"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/cursor"
	"github.com/trestledb/trestle/internal/door"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fetch"
	"github.com/trestledb/trestle/internal/read"
)

// TableScan reads the items of R from a whole table or a whole index. It reads and pays for every
// item, whatever it returns. Only [Scan], [ScanTable] and [ScanStored] create scans. TableScan is
// an immutable value: every method returns a new one.
type TableScan[R any] struct{ s scan }

// scan is a scan without its type parameter.
type scan struct {
	kind     string
	env      *exec.Config
	cursors  *cursor.Codec
	scan     read.Scan
	bounds   fetch.Bounds
	segments int
	bound    []string
	progress func(Progress)
	faults   errs.Problems
	err      error
}

// Scan reads all entities of a type, in no particular order. If s comes from [entity.Repo.Strong],
// the read is strongly consistent.
func Scan[T any](s entity.Source[T]) TableScan[T] {
	o := door.SourceOf(s)
	r := scan{kind: kindScan, env: o.Env, cursors: o.Cursors, err: o.Err, segments: 1, scan: read.Scan{Plan: o.Plan, Strong: o.Strong}}
	if o.Plan != nil {
		r.scan.Schema = o.Plan.Schema
	}
	return TableScan[T]{r}
}

// ScanTable reads all items of a table, of every type, in no particular order. It yields them in
// the form that [Items] yields. It skips the library's own items, whose partition key begins with
// $U.
func ScanTable(t *entity.Table) TableScan[any] {
	o := door.TableOf(t)
	return TableScan[any]{scan{kind: kindScanTable, env: o.Env, cursors: o.Cursors, err: o.Err, segments: 1, scan: read.Scan{Schema: o.Schema}}}
}

// ScanStored reads all items of a table, of every type, as they are stored. Use it to copy a table:
// the result does not depend on the types that this program knows. It skips the library's own
// items.
func ScanStored(t *entity.Table) TableScan[entity.Raw] {
	o := door.TableOf(t)
	return TableScan[entity.Raw]{scan{kind: kindScanStored, env: o.Env, cursors: o.Cursors, err: o.Err, segments: 1, scan: read.Scan{Schema: o.Schema}}}
}

// On reads the index of an access pattern instead of the table. It returns only the items in that
// index.
func (s TableScan[R]) On(access string) TableScan[R] {
	s.s.scan.Access = access
	return s
}

// Strong makes the scan strongly consistent, for twice the read units. It is not available for a
// global index.
func (s TableScan[R]) Strong() TableScan[R] {
	s.s.scan.Strong = true
	return s
}

// Filter drops entities like [Query.Filter]. Use the function [Filter] for a scan of all types.
func (s TableScan[R]) Filter(conds ...attr.Cond[R]) TableScan[R] {
	if s.s.scan.Plan == nil && len(conds) > 0 && s.s.scan.Schema != nil {
		s.s.fault("a scan of all types has no attributes of its own", "filter it by the handles of a type, with query.Filter")
		return s
	}
	s.s.filterBy(s.s.scan.Plan, expr.CondsOf(conds))
	return s
}

// filterBy adds conditions on a type's attributes. It does nothing if p is nil, that is, if the
// scan has no source or a fault is already recorded.
func (s *scan) filterBy(p *readPlan, conds []*expr.Cond) {
	if p == nil {
		return
	}
	filters := s.scan.Filter[:len(s.scan.Filter):len(s.scan.Filter)]
	for _, c := range conds {
		filters = append(filters, read.Filter{Plan: p, Cond: c})
	}
	s.scan.Filter = filters
}

// MaxSegments is the maximum number of segments of a scan.
const MaxSegments = 1000

// Segments reads n segments of the table in parallel. n is 1 to [MaxSegments]. Each segment reads
// one page ahead of the caller. More segments do not help once the table's capacity is used up.
func (s TableScan[R]) Segments(n int) TableScan[R] {
	if n < 1 || n > MaxSegments {
		s.s.fault("a scan has 1 to 1000 segments", "leave Segments out for one")
		n = 1
	}
	s.s.segments = n
	return s
}

// PageSize sets the maximum number of items that one request reads. The default is 1 MB of items.
func (s TableScan[R]) PageSize(n int) TableScan[R] {
	s.s.bounds.PageSize = s.s.positive("PageSize", n)
	return s
}

// MaxRequests is a budget: the scan ends after n requests.
func (s TableScan[R]) MaxRequests(n int) TableScan[R] {
	s.s.bounds.Requests = s.s.positive("MaxRequests", n)
	return s
}

// MaxUnits is a budget: the scan sends no further request once it has consumed that many read
// units.
func (s TableScan[R]) MaxUnits(units float64) TableScan[R] {
	if !(units > 0) { // also true for NaN
		s.s.fault("MaxUnits is not above 0", "leave it out to read without that budget")
	}
	s.s.bounds.Units = units
	return s
}

// Bind binds the scan's cursors to values of the caller like [Query.Bind].
func (s TableScan[R]) Bind(parts ...string) TableScan[R] {
	s.s.bound = append(s.s.bound[:len(s.s.bound):len(s.s.bound)], parts...)
	return s
}

// Progress calls f after each page, including pages without items. For a page with items it calls f
// after the caller has received them. It calls f in the goroutine of the caller.
func (s TableScan[R]) Progress(f func(Progress)) TableScan[R] {
	s.s.progress = f
	return s
}

// Progress is the progress of a scan.
type Progress struct {
	Items    int // returned to the caller
	Scanned  int // read from the table
	Requests int
	Capacity entity.Capacity
	Segments int // not yet at their end

	cursor func() (string, error)
}

// Cursor returns a cursor for the position of the scan at that moment. Pass it to [TableScan.Each]
// to continue a scan, such as after the program has stopped. It is empty at the end. Before the
// end, Cursor returns an error if the table was opened without cursors.
func (p Progress) Cursor() (string, error) {
	if p.cursor == nil {
		return "", nil
	}
	return p.cursor()
}

// All streams the entities. It yields an error last, with a zero R, after all items before the
// error. The error is [ErrBudget] if a budget ended the scan.
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
			err = s.s.failed(errs.Budget, nil)
		}
		if err != nil && !stopped {
			var zero R
			yield(zero, err)
		}
	}
}

// Each calls f for one page after the other, never with an empty page. It starts at the beginning
// if cursor is empty, else at a cursor from an earlier call. It returns the cursor to continue
// from. The cursor is empty if the scan is complete; otherwise it is the position where a budget,
// an error or f ended the scan. A scan that continues from there repeats the page for which f
// returned an error, and no other page. An item that cannot be read ends every attempt before that
// item. The [entity.OpError] holds its key.
func (s TableScan[R]) Each(ctx context.Context, cursor string, f func(page []R) error) (next string, err error) {
	if f == nil {
		s.s.fault("there is no function to hand pages to", "give one")
		f = func([]R) error { return nil }
	}
	if s.s.err == nil && s.s.cursors == nil {
		return "", s.s.failed(errs.Invalid, errNoCursors)
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

package ddbtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Bound is one thing that a budget keeps small.
type Bound struct {
	name  string // as it was written
	thing string // one of what is bounded, such as "page"; with a limit of 0 it is forbidden
	limit float64
	of    func(*Request) float64
	err   error
}

// NoScan forbids Scan.
func NoScan() Bound { return bound("NoScan()", "Scan", 0, isScan) }

func isScan(r *Request) float64 { return count(!r.Late && r.Operation == "Scan") }

// NoFilteredReads forbids filters, which make a read pay for items that it does not return.
func NoFilteredReads() Bound {
	return bound("NoFilteredReads()", "filtered read", 0, func(r *Request) float64 { return count(r.Filtered) })
}

// NoErrors forbids replies that are errors.
func NoErrors() Bound {
	return bound("NoErrors()", "error", 0, func(r *Request) float64 { return count(r.ErrorCode != "") })
}

// MaxRequests bounds the requests of these operations, or of all where none is named. Each attempt of a call is a request.
func MaxRequests(n int, operations ...string) Bound {
	name, thing := fmt.Sprintf("MaxRequests(%d)", n), "request"
	if len(operations) > 0 {
		name = fmt.Sprintf("MaxRequests(%d, %s)", n, quoted(operations))
		thing = strings.Join(operations, " or ") + " request"
	}
	b := bound(name, thing, float64(n), func(r *Request) float64 {
		return count(!r.Late && (len(operations) == 0 || slices.Contains(operations, r.Operation)))
	})
	for _, operation := range operations {
		b.err = errors.Join(b.err, fault.CheckOperation(operation))
	}
	return b
}

// MaxPages bounds the requests of Query and Scan.
func MaxPages(n int) Bound {
	return bound(fmt.Sprintf("MaxPages(%d)", n), "page", float64(n), func(r *Request) float64 { return count(!r.Late && fault.IsPage(r.Operation)) })
}

// MaxReadUnits bounds the capacity of reads.
func MaxReadUnits(units float64) Bound {
	return bound(fmt.Sprintf("MaxReadUnits(%g)", units), "read unit", units, func(r *Request) float64 { return r.ReadUnits })
}

// MaxWriteUnits bounds the capacity of writes.
func MaxWriteUnits(units float64) Bound {
	return bound(fmt.Sprintf("MaxWriteUnits(%g)", units), "write unit", units, func(r *Request) float64 { return r.WriteUnits })
}

func bound(name, thing string, limit float64, of func(*Request) float64) Bound {
	b := Bound{name: name, thing: thing, limit: limit, of: of}
	if !(limit >= 0) || math.IsInf(limit, 0) { // NaN is not at least 0 either
		b.err = errors.New("a bound is 0 or more, and some number")
	}
	return b
}

// check tells what is wrong with the bound.
func (b *Bound) check() error {
	switch {
	case b.of == nil:
		return errors.New("a Bound{} bounds nothing: take one of this package's functions")
	case b.err != nil:
		return fmt.Errorf("%s: %w", b.name, b.err)
	default:
		return nil
	}
}

// allowance is the bound in words.
func (b *Bound) allowance() string {
	if b.limit == 0 {
		return "no " + b.thing
	}
	return "at most " + plural(b.limit, b.thing)
}

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Budget fails the test with the first request that goes beyond a bound, and tells at the test's end how far beyond it was. What was used
// before does not count, nor does what [DB.CreateTable] and [DB.Load] do.
func (db *DB) Budget(t TB, bounds ...Bound) {
	demand(t)
	t.Helper()
	b := &budget{test: t, place: caller(), bounds: slices.Clone(bounds), used: make([]float64, len(bounds))}
	if err := b.check(); err != nil {
		t.Fatalf("ddbtest: %s: this budget cannot work:\n%v", b.place, err)
		return
	}
	db.journal.mu.Lock()
	db.journal.budgets = append(db.journal.budgets, b)
	db.journal.mu.Unlock()
	t.Cleanup(func() {
		t.Helper()
		db.journal.end(b)
	})
}

// budget is what a test may use.
type budget struct {
	place  string // where it was made
	bounds []Bound
	used   []float64 // under the journal's lock

	mu   sync.Mutex
	test TB // nil once it has ended
}

// check returns all that is wrong with the bounds.
func (b *budget) check() error {
	if len(b.bounds) == 0 {
		return errors.New("it has no bound: everything would pass")
	}
	var faults []error
	for i := range b.bounds {
		faults = append(faults, b.bounds[i].check())
	}
	return errors.Join(faults...)
}

// fail fails the test, unless it has ended.
func (b *budget) fail(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.test != nil {
		b.test.Errorf("ddbtest: %s", text)
	}
}

// end takes a budget away, and tells how far beyond it was gone.
func (j *journal) end(b *budget) {
	j.mu.Lock()
	j.budgets = slices.DeleteFunc(j.budgets, func(other *budget) bool { return other == b })
	j.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, bound := range b.bounds {
		if b.used[i] > bound.limit {
			b.test.Helper()
			b.test.Logf("ddbtest: %s: in the end %s; the budget allows %s", b.place, plural(b.used[i], bound.thing), bound.allowance())
		}
	}
	b.test = nil
}

// charge counts a request on all budgets. It returns what fails the tests of bounds that were just passed.
func (j *journal) charge(r *Request) (fail []func()) {
	for _, b := range j.budgets {
		for i, bound := range b.bounds {
			amount := bound.of(r)
			before := b.used[i]
			b.used[i] += amount
			if amount > 0 && before <= bound.limit && b.used[i] > bound.limit {
				text := fmt.Sprintf("%s: the budget allows %s: %s", b.place, bound.allowance(), r)
				fail = append(fail, func() { b.fail(text) })
			}
		}
	}
	return fail
}

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

// Bound limits one quantity of a budget.
type Bound struct {
	name  string // the call that made it
	thing string // the unit, such as "page"
	limit float64
	of    func(*Request) float64
	err   error
}

// NoScan forbids Scan.
func NoScan() Bound { return bound("NoScan()", "Scan", 0, isScan) }

func isScan(r *Request) float64 { return count(!r.Late && r.Operation == "Scan") }

// NoFilteredReads forbids filters. A filtered read consumes read units for items that it does not
// return.
func NoFilteredReads() Bound {
	return bound("NoFilteredReads()", "filtered read", 0, func(r *Request) float64 { return count(r.Filtered) })
}

// NoErrors forbids error replies.
func NoErrors() Bound {
	return bound("NoErrors()", "error", 0, func(r *Request) float64 { return count(r.ErrorCode != "") })
}

// MaxRequests limits the requests of these operations, or of all operations if it names none. Each
// attempt of a call is a request.
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

// MaxPages limits the number of Query and Scan requests.
func MaxPages(n int) Bound {
	return bound(fmt.Sprintf("MaxPages(%d)", n), "page", float64(n), func(r *Request) float64 { return count(!r.Late && fault.IsPage(r.Operation)) })
}

// MaxReadUnits limits the read units.
func MaxReadUnits(units float64) Bound {
	return bound(fmt.Sprintf("MaxReadUnits(%g)", units), "read unit", units, func(r *Request) float64 { return r.ReadUnits })
}

// MaxWriteUnits limits the write units.
func MaxWriteUnits(units float64) Bound {
	return bound(fmt.Sprintf("MaxWriteUnits(%g)", units), "write unit", units, func(r *Request) float64 { return r.WriteUnits })
}

func bound(name, thing string, limit float64, of func(*Request) float64) Bound {
	b := Bound{name: name, thing: thing, limit: limit, of: of}
	if !(limit >= 0) || math.IsInf(limit, 0) { // NaN fails the comparison
		b.err = errors.New("a bound is 0 or more, and some number")
	}
	return b
}

// check returns an error if the bound is invalid.
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

// allowance returns the bound as text.
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

// Budget fails the test at the first request that exceeds a bound. At the end of the test it logs
// the total of each exceeded bound. It does not count earlier requests, nor those of
// [DB.CreateTable] and [DB.Load].
//
// Budget itself fails the test if a bound is invalid or there is none.
func (db *DB) Budget(t TB, bounds ...Bound) {
	requireTest(t)
	t.Helper()
	b := &budget{test: t, place: caller(), bounds: slices.Clone(bounds), used: make([]float64, len(bounds))}
	if err := b.check(); err != nil {
		t.Fatalf("ddbtest: %s: this budget cannot work:\n%v", b.place, err)
		return
	}
	db.usage.mu.Lock()
	db.usage.budgets = append(db.usage.budgets, b)
	db.usage.mu.Unlock()
	t.Cleanup(func() {
		t.Helper()
		db.usage.end(b)
	})
}

// budget limits what a test may use.
type budget struct {
	place  string // file and line of the Budget call
	bounds []Bound
	used   []float64 // guarded by the usage's lock

	mu   sync.Mutex
	test TB // nil after the test has ended
}

// check returns all errors of the bounds.
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

// fail fails the test unless it has ended.
func (b *budget) fail(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.test != nil {
		b.test.Errorf("ddbtest: %s", text)
	}
}

// end removes a budget and logs the total of each exceeded bound.
func (u *usage) end(b *budget) {
	u.mu.Lock()
	u.budgets = slices.DeleteFunc(u.budgets, func(other *budget) bool { return other == b })
	u.mu.Unlock()
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

// charge counts a request on all budgets. For each bound that this request is the first to exceed,
// it returns a function that fails the test.
func (u *usage) charge(r *Request) (fail []func()) {
	for _, b := range u.budgets {
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

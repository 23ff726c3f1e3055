package ddbtest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Bound is one thing that a budget keeps small.
type Bound struct {
	what  string
	limit float64
	of    func(*Request) float64
}

// NoScan forbids Scan.
func NoScan() Bound { return MaxRequests(0, "Scan") }

// NoFilteredReads forbids filters, which make a read pay for items that it does not return.
func NoFilteredReads() Bound {
	return Bound{"filtered reads", 0, func(r *Request) float64 { return count(r.Filtered) }}
}

// NoErrors forbids replies that are errors.
func NoErrors() Bound {
	return Bound{"errors", 0, func(r *Request) float64 { return count(r.ErrorCode != "") }}
}

// MaxRequests bounds the requests of these operations, or of all where none is named. Each attempt of a call is a request.
func MaxRequests(n int, operations ...string) Bound {
	what := "requests"
	if len(operations) > 0 {
		what = fmt.Sprintf("requests of %q", operations)
	}
	return Bound{what, float64(n), func(r *Request) float64 {
		return count(!r.Late && (len(operations) == 0 || slices.Contains(operations, r.Operation)))
	}}
}

// MaxPages bounds the requests of Query and Scan.
func MaxPages(n int) Bound {
	return Bound{"pages", float64(n), func(r *Request) float64 { return count(!r.Late && fault.IsPage(r.Operation)) }}
}

// MaxReadUnits bounds the capacity of reads.
func MaxReadUnits(units float64) Bound {
	return Bound{"read units", units, func(r *Request) float64 { return r.ReadUnits }}
}

// MaxWriteUnits bounds the capacity of writes.
func MaxWriteUnits(units float64) Bound {
	return Bound{"write units", units, func(r *Request) float64 { return r.WriteUnits }}
}

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Budget fails the test with the first request that goes beyond a bound, and tells at the test's end how far beyond it was. What was used
// before does not count.
func (db *DB) Budget(t TB, bounds ...Bound) {
	t.Helper()
	bounds = slices.DeleteFunc(slices.Clone(bounds), func(b Bound) bool { return b.of == nil }) // the zero value bounds nothing
	b := &budget{test: t, bounds: bounds, used: make([]float64, len(bounds))}
	db.journal.mu.Lock()
	db.journal.budgets = append(db.journal.budgets, b)
	db.journal.mu.Unlock()
	t.Cleanup(func() { db.journal.end(b) })
}

// budget is what a test may use.
type budget struct {
	bounds []Bound
	used   []float64 // under the journal's lock

	mu   sync.Mutex
	test TB // nil once it has ended
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
			b.test.Logf("ddbtest: in the end %g %s, of at most %g", b.used[i], bound.what, bound.limit)
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
				text := fmt.Sprintf("more than %g %s: %s", bound.limit, bound.what, r)
				fail = append(fail, func() { b.fail(text) })
			}
		}
	}
	return fail
}

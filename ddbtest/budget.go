package ddbtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
)

// Quantity is something that a budget can limit.
type Quantity uint8

const (
	// Requests counts requests. Each attempt of a call is a request.
	Requests Quantity = iota + 1
	// FilteredReads counts reads with a filter. They consume read units for items that they do not
	// return.
	FilteredReads
	// ErrorReplies counts error replies.
	ErrorReplies
	// ReadUnits counts read units.
	ReadUnits
	// WriteUnits counts write units.
	WriteUnits
)

// quantities has the unit and the amount of each quantity.
var quantities = map[Quantity]struct {
	name, unit string
	amount     func(*Request) float64
}{
	Requests:      {"Requests", "request", func(r *Request) float64 { return count(!r.Late) }},
	FilteredReads: {"FilteredReads", "filtered read", func(r *Request) float64 { return count(r.Filtered) }},
	ErrorReplies:  {"ErrorReplies", "error reply", func(r *Request) float64 { return count(r.ErrorCode != "") }},
	ReadUnits:     {"ReadUnits", "read unit", func(r *Request) float64 { return r.ReadUnits }},
	WriteUnits:    {"WriteUnits", "write unit", func(r *Request) float64 { return r.WriteUnits }},
}

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// AtMost allows at most n, counted for these operations, or for all operations if it names none. 0
// allows none: Requests.AtMost(0, "Scan") forbids scans. A request of PartiQL counts for what it
// runs as, too: see [Request].
func (q Quantity) AtMost(n float64, operations ...string) Limit {
	return Limit{quantity: q, max: n, operations: operations}
}

// String returns the quantity's name.
func (q Quantity) String() string {
	if known, ok := quantities[q]; ok {
		return known.name
	}
	return fmt.Sprintf("Quantity(%d)", uint8(q))
}

// Limit limits one quantity of a budget, such as ReadUnits.AtMost(10).
type Limit struct {
	quantity   Quantity
	max        float64
	operations []string
}

// String returns the limit as source text.
func (l Limit) String() string {
	if len(l.operations) == 0 {
		return fmt.Sprintf("%s.AtMost(%g)", l.quantity, l.max)
	}
	return fmt.Sprintf("%s.AtMost(%g, %s)", l.quantity, l.max, quoted(l.operations))
}

// check returns all errors of the limit.
func (l *Limit) check() error {
	var errs []error
	if _, ok := quantities[l.quantity]; !ok {
		errs = append(errs, fmt.Errorf("%s: the quantity is unknown: use a constant of this package", l))
	}
	if !(l.max >= 0) || math.IsInf(l.max, 0) { // NaN fails the comparison
		errs = append(errs, fmt.Errorf("%s: the limit must be finite and not negative", l))
	}
	for _, operation := range l.operations {
		if err := fault.CheckOperation(operation); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", l, err))
		}
	}
	return errors.Join(errs...)
}

// amount returns what the request adds to the limited quantity.
func (l *Limit) amount(r *Request) float64 {
	if len(l.operations) > 0 && !slices.Contains(l.operations, r.Operation) && !slices.Contains(l.operations, r.RunsAs) {
		return 0
	}
	return quantities[l.quantity].amount(r)
}

// allowed returns the limit as text.
func (l *Limit) allowed() string {
	if l.max == 0 {
		return "no" + strings.TrimPrefix(l.describe(0), "0")
	}
	return "at most " + l.describe(l.max)
}

// describe returns a number of the limited quantity as text.
func (l *Limit) describe(n float64) string {
	text := plural(n, quantities[l.quantity].unit)
	if len(l.operations) > 0 {
		text += " of " + strings.Join(l.operations, " or ")
	}
	return text
}

// Budget fails the test at the first request that exceeds a limit. At the end of the test it logs
// the total of each exceeded limit. It does not count earlier requests, nor those of
// [DB.CreateTable] and [DB.Load].
//
// Budget also fails the test if a limit is invalid, or if no limit is given.
func (db *DB) Budget(t TB, limits ...Limit) {
	requireTest(t)
	t.Helper()
	b := newBudget(limits)
	b.test, b.line = t, caller()
	if err := b.check(); err != nil {
		t.Fatalf("ddbtest: %s: the budget is invalid:\n%v", b.line, err)
		return
	}
	if err := db.misplaced(time.Now()); err != nil {
		t.Fatalf("ddbtest: %s: %v", b.line, err)
		return
	}
	db.usage.addBudget(b)
	t.Cleanup(func() {
		t.Helper()
		db.usage.endBudget(b)
	})
}

// budget limits what a test may use.
type budget struct {
	line   string // file and line of the Budget call
	limits []Limit

	// These have an entry for each limit, and the lock of the usage guards them.
	used  []float64
	first []Request // the first request that exceeded the limit

	mu   sync.Mutex
	test TB // nil after the test has ended
}

func newBudget(limits []Limit) *budget {
	return &budget{limits: slices.Clone(limits), used: make([]float64, len(limits)), first: make([]Request, len(limits))}
}

// check returns all errors of the limits.
func (b *budget) check() error {
	if len(b.limits) == 0 {
		return errors.New("the budget has no limit")
	}
	var errs []error
	for i := range b.limits {
		errs = append(errs, b.limits[i].check())
	}
	return errors.Join(errs...)
}

// fail fails the test unless it has ended.
func (b *budget) fail(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.test != nil {
		b.test.Errorf("ddbtest: %s", text)
	}
}

func (u *usage) addBudget(b *budget) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.budgets = append(u.budgets, b)
}

func (u *usage) removeBudget(b *budget) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.budgets = slices.DeleteFunc(u.budgets, func(other *budget) bool { return other == b })
}

// endBudget removes a budget and logs the total of each exceeded limit.
func (u *usage) endBudget(b *budget) {
	u.removeBudget(b)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, l := range b.limits {
		if b.used[i] > l.max {
			b.test.Helper()
			b.test.Logf("ddbtest: %s: total: %s; the budget allows %s", b.line, l.describe(b.used[i]), l.allowed())
		}
	}
	b.test = nil
}

// charge counts a request on all budgets. For each limit that this request is the first to exceed,
// it returns a function that fails the test.
func (u *usage) charge(r *Request) (fail []func()) {
	for _, b := range u.budgets {
		for i, l := range b.limits {
			amount := l.amount(r)
			before := b.used[i]
			b.used[i] += amount
			if amount > 0 && before <= l.max && b.used[i] > l.max {
				b.first[i] = *r
				text := fmt.Sprintf("%s: the budget allows %s: %s", b.line, l.allowed(), r)
				fail = append(fail, func() { b.fail(text) })
			}
		}
	}
	return fail
}

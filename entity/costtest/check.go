package costtest

import (
	"fmt"
	"math"
	"strings"

	"github.com/trestledb/trestle/entity"
)

// TB is what [Meter.Check] needs of a test. *testing.T has it.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check compares the requests that were sent since the last Check or Reset with those of the calls,
// in any order. It fails the test where a request is missing, where one is left over, and where a
// call cost something else than its explanation says, and reports all of that at once. A request
// that failed, for instance on a condition, counts as sent. Its cost is not compared, because the
// service does not report it.
func (m *Meter) Check(t TB, calls ...Call) {
	t.Helper()
	l := ledger{left: m.take()}
	for _, c := range calls {
		if err := c.settle(&l); err != nil {
			t.Errorf("costtest: %v", err)
		}
	}
	if len(l.left) > 0 {
		t.Errorf("costtest: sent, but none of the calls explains it: %s", l)
	}
}

// ledger has the requests that no call has explained yet.
type ledger struct{ left []*request }

// take returns the first n requests that are a call's, or fewer where there are no more.
func (l *ledger) take(n int, is func(*request) bool) (taken []*request) {
	var rest []*request
	for _, r := range l.left {
		if len(taken) < n && is(r) {
			taken = append(taken, r)
		} else {
			rest = append(rest, r)
		}
	}
	l.left = rest
	return taken
}

func (l ledger) String() string {
	texts := make([]string, len(l.left))
	for i, r := range l.left {
		texts[i] = r.String()
	}
	return strings.Join(texts, ", ")
}

// missing says that a call sent fewer requests than it should.
func missing(x entity.Explanation, sent, expected int) error {
	if expected == 1 {
		return fmt.Errorf("not sent: %s", x)
	}
	return fmt.Errorf("%d of %d requests were sent: %s", sent, expected, x)
}

// compare compares the units of requests with what is explained.
func compare(what, kind string, units, within float64, sent []*request) error {
	cost := 0.0
	for _, r := range sent {
		if r.failed {
			return nil
		}
		cost += r.units
	}
	if math.Abs(units-cost) <= within {
		return nil
	}
	return fmt.Errorf("%v %s units were consumed and %v expected: %s", cost, kind, units, what)
}

// step is what the rounding of one request can make of a read.
func step(x entity.Explanation) float64 {
	if x.Strong || x.ReadsFirst {
		return 1
	}
	return 0.5
}

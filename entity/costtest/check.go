package costtest

import (
	"fmt"
	"math"
	"strings"

	"github.com/trestledb/trestle"
)

// TB is the part of *testing.T that [Meter.Check] uses.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check compares the requests since the last Check or Reset with those of the calls, in any order.
// The test fails if a request is missing, if a request is left over, or if the cost of a call
// differs from its explanation. Check reports all differences. A failed request, for instance with
// a failed condition, counts as sent. Its cost is not compared, because the service does not report
// it.
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

// ledger has the requests that are not yet matched to a call.
type ledger struct{ left []*request }

// take removes and returns the first n requests for which is returns true, or fewer if there are
// fewer.
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

// missing reports that a call sent too few requests.
func missing(x trestle.Explanation, sent, expected int) error {
	if expected == 1 {
		return fmt.Errorf("not sent: %s", x)
	}
	return fmt.Errorf("%d of %d requests were sent: %s", sent, expected, x)
}

// compare compares the consumed units of requests with the expected units.
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

// step is the largest rounding difference of one read request, in units.
func step(x trestle.Explanation) float64 {
	if x.Strong || x.ReadsFirst {
		return 1
	}
	return 0.5
}

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
// The test fails if an expected request was not sent, if an unexpected request was sent, or if the
// cost of a call differs from its explanation. Check reports all differences. A failed request, for
// instance with a failed condition, counts as sent. Its cost is not compared, because DynamoDB does
// not report it.
func (m *Meter) Check(t TB, calls ...Call) {
	t.Helper()
	l := openRequests{list: m.take()}
	for _, c := range calls {
		if err := c.match(&l); err != nil {
			t.Errorf("costtest: %v", err)
		}
	}
	if len(l.list) > 0 {
		t.Errorf("costtest: no call explains these requests: %s", l)
	}
}

// openRequests has the requests that are not yet matched to a call.
type openRequests struct{ list []*request }

// take removes and returns the first n requests for which is returns true, or fewer if there are
// fewer.
func (l *openRequests) take(n int, is func(*request) bool) (taken []*request) {
	var rest []*request
	for _, r := range l.list {
		if len(taken) < n && is(r) {
			taken = append(taken, r)
		} else {
			rest = append(rest, r)
		}
	}
	l.list = rest
	return taken
}

func (l openRequests) String() string {
	texts := make([]string, len(l.list))
	for i, r := range l.list {
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
func compare(what, kind string, units, tolerance float64, sent []*request) error {
	cost := 0.0
	for _, r := range sent {
		if r.failed {
			return nil
		}
		cost += r.units
	}
	if math.Abs(units-cost) <= tolerance {
		return nil
	}
	return fmt.Errorf("%v %s units were consumed and %v expected: %s", cost, kind, units, what)
}

// roundingTolerance is the largest rounding difference of one read request, in units.
func roundingTolerance(x trestle.Explanation) float64 {
	if x.Strong || x.ReadsFirst {
		return 1
	}
	return 0.5
}

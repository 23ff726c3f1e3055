package explored_test

import (
	"fmt"
	"slices"

	"github.com/trestledb/trestle"
)

// ledger records the outcome of each call of the clients of one run.
type ledger struct {
	calls []*call
	names []string // of the calls, in the order of their amounts
}

// reserve determines the amounts of calls that clients open: they must not depend on the order in
// which clients open them, because clients share nothing.
func (l *ledger) reserve(names ...string) { l.names = append(l.names, names...) }

// call is a call of a client. Until it returns, and if its client crashes, its outcome is unknown.
type call struct {
	name    string
	amount  int64 // a power of ten: the calls that were applied are the digits of a sum
	outcome trestle.Outcome
}

// open records a call that begins.
func (l *ledger) open(name string) *call {
	c := &call{name: name, amount: 1, outcome: trestle.Unknown}
	if !slices.Contains(l.names, name) {
		l.reserve(name)
	}
	for range slices.Index(l.names, name) {
		c.amount *= 10
	}
	l.calls = append(l.calls, c)
	return c
}

// end records the outcome of a call.
func (c *call) end(err error) { c.outcome = trestle.OutcomeOf(err) }

// checkSum checks that each call was applied as often as its outcome says, given the sum of the
// amounts of all calls that were applied.
func (l *ledger) checkSum(sum int64) error {
	for _, c := range l.calls {
		times := sum / c.amount % 10
		switch {
		case c.outcome == trestle.Applied && times != 1,
			c.outcome == trestle.NotApplied && times != 0,
			c.outcome == trestle.Unknown && times > 1:
			return fmt.Errorf("%s, whose outcome is %v, was applied %d times", c.name, c.outcome, times)
		}
	}
	return nil
}

// noneFailed checks that no call failed. Only faults are a reason if calls have no condition.
func (l *ledger) noneFailed() error {
	for _, c := range l.calls {
		if c.outcome == trestle.NotApplied {
			return fmt.Errorf("%s failed", c.name)
		}
	}
	return nil
}

// checkPart checks an earlier sum: it has no call twice, and none that was not applied.
func (l *ledger) checkPart(sum int64) error {
	for _, c := range l.calls {
		if times := sum / c.amount % 10; times > 1 || times == 1 && c.outcome == trestle.NotApplied {
			return fmt.Errorf("an earlier sum has %d times %s, whose outcome is %v", times, c.name, c.outcome)
		}
	}
	return nil
}

// bounds returns how many calls were applied at least and at most.
func (l *ledger) bounds() (least, most int64) {
	for _, c := range l.calls {
		switch c.outcome {
		case trestle.Applied:
			least++
			most++
		case trestle.Unknown:
			most++
		}
	}
	return least, most
}

// checkCount checks the number of writes that were applied.
func (l *ledger) checkCount(n int64) error {
	if least, most := l.bounds(); n < least || n > most {
		return fmt.Errorf("%d writes were applied, not %d to %d", n, least, most)
	}
	return nil
}

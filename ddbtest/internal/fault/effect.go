package fault

import (
	"errors"
	"fmt"
)

// Effect is one thing that a rule does to a request.
type Effect struct {
	name    string
	on      class // where it has a meaning
	decides bool  // it settles what the client gets, so that no other effect may
	setup   error // what is wrong with its arguments
	ofIndex bool  // it is about an index that writes go to, which the rule must name

	apply  func(*Plan, *meeting)
	commit func(*Plan, *meeting)      // what it does after the commit; nil where that has no meaning
	fits   func(*Request, []int) bool // nil where it fits every request of its operations
}

// meeting is a request that met a rule.
type meeting struct {
	*Request
	targets []int // those that the rule speaks of
	chance  func() float64
	index   string // that the rule speaks of
}

// String is the effect as a log names it.
func (e Effect) String() string { return e.name }

// Named is the effect under the name by which whoever asked for it knows it.
func (e Effect) Named(format string, args ...any) Effect {
	e.name = fmt.Sprintf(format, args...)
	return e
}

// AfterCommit makes an effect happen when the request was applied already, which the client cannot tell from before.
func AfterCommit(e Effect) Effect {
	e.name = "AfterCommit(" + e.name + ")"
	if e.setup == nil && e.commit == nil {
		e.setup = fmt.Errorf("%s: %w", e.name, errNotAfter)
	}
	e.apply, e.commit = e.commit, nil
	return e
}

// Unknown is an effect that there is not.
func Unknown(name string) Effect {
	return Effect{name: name, setup: fmt.Errorf("there is no effect %s", name)}
}

var errNotAfter = errors.New("AfterCommit takes Reset, Hang, InternalError, Unavailable, Delay, and Error with a status from 500 on; " +
	"the others say that nothing was applied, or come after it by themselves")

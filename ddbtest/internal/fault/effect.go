package fault

import (
	"errors"
	"fmt"
)

// Effect is one thing that a rule does to a request.
type Effect struct {
	name        string
	operations  operationSet // where it applies
	endsRequest bool         // it determines the reply; a rule has at most one such effect
	err         error        // error of its arguments
	// needsIndex is set if the effect is about writes to an index, which the rule must name.
	needsIndex bool

	apply      func(*Plan, *match)
	applyAfter func(*Plan, *match)        // what it does after the commit; nil if it cannot
	applicable func(*Request, []int) bool // nil if it fits every request of its operations
}

// String returns the effect's name for logs.
func (e Effect) String() string { return e.name }

// AfterCommit applies an effect after the request was applied, which the client cannot detect.
func AfterCommit(e Effect) Effect {
	e.name = "AfterCommit(" + e.name + ")"
	if e.err == nil && e.applyAfter == nil {
		e.err = fmt.Errorf("%s: %w", e.name, errAfterCommit)
	}
	e.apply, e.applyAfter = e.applyAfter, nil
	return e
}

// Unknown returns an invalid effect for an unknown name.
func Unknown(name string) Effect {
	return Effect{name: name, err: fmt.Errorf("unknown effect %s", name)}
}

var errAfterCommit = errors.New("AfterCommit accepts only Reset, Hang, InternalError, Unavailable, Delay, and Error with a status of at least 500")

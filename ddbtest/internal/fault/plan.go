package fault

import (
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Plan lists the faults of one request. The zero value has none.
type Plan struct {
	Refuse bool // the connection is refused

	Delay  time.Duration // before it is applied
	Before Ending        // instead of applying it
	Late   Lateness      // it is applied later, and Before is what the client gets now

	Steer engine.Steer // while it is applied

	Pause time.Duration // after it was applied
	After Ending        // instead of the reply

	acts  []act
	asked engine.Steering // requested by the effect that was applied last
}

// act is what one rule does to the request.
type act struct {
	rule    *Rule
	effects []applied
}

// applied is an applied effect and what it requests of the operation. asked is 0 if it requests
// nothing.
type applied struct {
	name  string
	asked engine.Steering
}

// Ending is what the client gets instead of the operation's reply. At most one field is set.
type Ending struct {
	Error *awserr.Error
	Loss  Loss // no reply
	Harm  Harm // a damaged reply
}

// IsZero reports whether the client gets the operation's own reply.
func (e Ending) IsZero() bool { return e == Ending{} }

// Loss is how a reply is lost.
type Loss uint8

// The ways to lose a reply.
const (
	NotLost Loss = iota
	Reset        // the connection is reset
	Hang         // there is no reply until the client gives up
)

// Harm is how a reply is damaged.
type Harm uint8

// The ways to damage a reply.
const (
	Unharmed Harm = iota
	Truncated
	WrongChecksum
	Garbled
)

// Lateness is when a late request is applied.
type Lateness uint8

// The times at which late requests are applied.
const (
	OnTime           Lateness = iota
	AfterRetry                // after the same request was served
	AfterOtherWriter          // after that, and after another request wrote to one of its items
)

// Name returns the names of the effects, for a log.
func (p *Plan) Name() string {
	var names []string
	for _, a := range p.acts {
		for _, e := range a.effects {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, ", ")
}

// Settle keeps only the effects that the operation carried out. A rule without such an effect has
// not acted.
func (p *Plan) Settle(done engine.Steering) {
	for i := range p.acts {
		a := &p.acts[i]
		a.effects = slices.DeleteFunc(a.effects, func(e applied) bool { return e.asked != 0 && e.asked&done == 0 })
		if len(a.effects) == 0 {
			a.rule.takeBack()
		}
	}
}

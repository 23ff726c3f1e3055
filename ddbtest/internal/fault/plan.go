package fault

import (
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Plan is what goes wrong with one request. The zero value is nothing.
type Plan struct {
	Refuse bool // no connection is made

	Delay  time.Duration // before it is applied
	Before Ending        // instead of applying it
	Late   Lateness      // it is applied later; Before is the end of what the client sees

	Steer engine.Steer // while it is applied

	Pause time.Duration // after it was applied
	After Ending        // instead of the reply

	acts  []act
	asked engine.Steering // by the effect that was applied last
}

// act is what one rule does to the request.
type act struct {
	rule    *Rule
	effects []applied
}

// applied is an effect, and what it asks of the operation; 0 where it needs nothing of it.
type applied struct {
	name  string
	asked engine.Steering
}

// Ending is what the client gets instead of the operation's own reply.
type Ending struct {
	Error *awserr.Error // an error
	Loss  Loss          // or nothing,
	Harm  Harm          // or a reply that suffered on its way
}

// IsZero tells that the reply is the operation's own.
func (e Ending) IsZero() bool { return e == Ending{} }

// Loss is how a reply is lost.
type Loss uint8

// The ways to lose a reply.
const (
	NotLost Loss = iota
	Reset        // the connection is reset
	Hang         // nothing comes until the client gives up
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

// Lateness is when a request is applied that reaches the database after its time.
type Lateness uint8

// The times.
const (
	OnTime           Lateness = iota
	AfterRetry                // after the same request was served
	AfterOtherWriter          // after that, and after another request wrote to an item of it
)

// Name is the names of the effects, for a log.
func (p *Plan) Name() string {
	var names []string
	for _, a := range p.acts {
		for _, e := range a.effects {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, ", ")
}

// Settle takes note of what the operation has done of what was asked of it. Where that was nothing, the rule has not acted.
func (p *Plan) Settle(done engine.Steering) {
	for i := range p.acts {
		a := &p.acts[i]
		a.effects = slices.DeleteFunc(a.effects, func(e applied) bool { return e.asked != 0 && e.asked&done == 0 })
		if len(a.effects) == 0 {
			a.rule.takeBack()
		}
	}
}

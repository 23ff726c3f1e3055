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

	Delay    time.Duration // before it is applied
	Before   Response      // instead of applying it
	Delivery Delivery      // it is applied later, and Before is what the client gets now

	Overrides engine.Overrides // while it is applied

	DelayAfter time.Duration // after it was applied
	After      Response      // instead of the reply

	hits      []hit
	overrides engine.OverrideSet // requested by the effect that was applied last
}

// hit is what one rule does to the request.
type hit struct {
	rule    *Rule
	effects []appliedEffect
}

// appliedEffect is an applied effect and what it overrides. overrides is 0 if it
// requests nothing.
type appliedEffect struct {
	name      string
	overrides engine.OverrideSet
}

// Response is what the client gets instead of the operation's reply. At most one field is set.
type Response struct {
	Error      *awserr.Error
	Loss       Loss       // no reply
	Corruption Corruption // a damaged reply
}

// IsZero reports whether the client gets the operation's own reply.
func (e Response) IsZero() bool { return e == Response{} }

// Loss is how a reply is lost.
type Loss uint8

// The ways to lose a reply.
const (
	NotLost Loss = iota
	Reset        // the connection is reset
	Hang         // there is no reply until the client gives up
)

// Corruption is how a reply is damaged.
type Corruption uint8

// The ways to damage a reply.
const (
	Intact Corruption = iota
	Truncated
	WrongChecksum
	InvalidJSON
)

// Delivery is when a late request is applied.
type Delivery uint8

// The times at which late requests are applied.
const (
	OnTime          Delivery = iota
	AfterRetry               // after the same request was served
	AfterOtherWrite          // after that, and after another request wrote to one of its items
)

// EffectNames returns the names of the effects, for a log.
func (p *Plan) EffectNames() string {
	var names []string
	for _, a := range p.hits {
		for _, e := range a.effects {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, ", ")
}

// KeepApplied keeps only the effects that the operation carried out. A rule without such an effect
// has not acted.
func (p *Plan) KeepApplied(done engine.OverrideSet) {
	for i := range p.hits {
		a := &p.hits[i]
		a.effects = slices.DeleteFunc(a.effects, func(e appliedEffect) bool { return e.overrides != 0 && e.overrides&done == 0 })
		if len(a.effects) == 0 {
			a.rule.undoHit()
		}
	}
}

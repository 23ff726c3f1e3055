package entity_test

import (
	"fmt"
	"math"

	"github.com/anishathalye/porcupine"

	"github.com/trestledb/trestle/entity"
)

// register is the item of a history. Every write sets Last to the number of its call, so a reader
// knows which call wrote what it reads.
type register struct {
	_       entity.Key `type:"register" pk:"REG#<id>" sk:"REG"`
	ID      string     `dynamodbav:"id"`
	Last    int64      `dynamodbav:"last"`
	Count   int64      `dynamodbav:"count"`
	Version int64      `dynamodbav:"version" entity:"version"`
}

// registerVerb is what a call does to a register.
type registerVerb uint8

const (
	regGet registerVerb = iota
	regCreate
	regPut
	regOverwrite
	regSet // an update that sets
	regAdd // an update that adds to the count
	regDelete
)

var registerVerbs = [...]string{"get", "create", "put", "overwrite", "set", "add", "delete"}

func (v registerVerb) String() string { return registerVerbs[v] }

// registerCall is a call of a client.
type registerCall struct {
	number  int64 // no two calls have the same
	verb    registerVerb
	id      string // of the register
	version int64  // of the entity or the example; 0: not checked, except by a put
}

func (c registerCall) String() string {
	return fmt.Sprintf("call %d, %s %s version %d", c.number, c.verb, c.id, c.version)
}

// registerState is the state of a register. The zero value is no item.
type registerState struct{ version, last, count int64 }

func stateOf(r register) registerState { return registerState{r.Version, r.Last, r.Count} }

// registerReply is what a client learns from a call.
type registerReply struct {
	result  registerResult
	state   registerState // wasRead, hasFailed: the state; hasReturned: the state after the write
	version int64         // wasApplied: the version after the write; 0 for a delete
}

type registerResult uint8

const (
	wasRead     registerResult = iota // a get
	wasApplied                        // the write succeeded
	hasReturned                       // the update succeeded and returned the item
	hasFailed                         // the condition failed
	isUnknown                         // it takes effect once, at any time after the call, or never
	isSeen                            // its outcome is unknown, but a reader saw its effect
)

var registerResults = [...]string{"read", "applied", "returned", "failed", "unknown", "seen"}

func (r registerResult) String() string { return registerResults[r] }

func (r registerReply) String() string {
	return fmt.Sprintf("%s %+v version %d", r.result, r.state, r.version)
}

// holds reports whether the condition of a write holds.
func (c registerCall) holds(s registerState) bool {
	exists := s.version > 0
	switch c.verb {
	case regCreate:
		return !exists
	case regPut:
		return s.version == c.version
	case regOverwrite:
		return true
	case regDelete:
		return c.version == 0 || s.version == c.version
	default:
		return exists && (c.version == 0 || s.version == c.version)
	}
}

// apply returns the state after a write whose condition holds.
func (c registerCall) apply(s registerState) registerState {
	switch c.verb {
	case regDelete:
		return registerState{}
	case regSet:
		return registerState{s.version + 1, c.number, s.count}
	case regAdd:
		return registerState{s.version + 1, c.number, s.count + 1}
	default:
		return registerState{s.version + 1, c.number, c.number}
	}
}

// late reports whether the condition of a write, which does not hold, held before if ever. No
// register is created after it was deleted, so versions never decrease.
func (c registerCall) late(s registerState) bool {
	return c.version < s.version || s.version == 0
}

// step is the sequential behavior of a register: whether a call can have the reply in the state s,
// and the state afterwards.
func (c registerCall) step(s registerState, r registerReply) (bool, registerState) {
	switch r.result {
	case wasRead:
		return r.state == s, s
	case hasFailed: // an overwrite fails if it has met other writers too often
		return r.state == s && (c.verb == regOverwrite || !c.holds(s)), s
	case wasApplied:
		next := c.apply(s)
		return c.holds(s) && next.version == r.version, next
	case hasReturned:
		next := c.apply(s)
		return c.holds(s) && next == r.state, next
	case isSeen:
		return c.holds(s), c.apply(s)
	default:
		if c.holds(s) {
			return true, c.apply(s)
		}
		return c.late(s), s
	}
}

// registerModel is the model of the checker. Registers are independent of each other.
var registerModel = porcupine.Model{
	Init:              func() any { return registerState{} },
	Step:              func(s, c, r any) (bool, any) { return c.(registerCall).step(s.(registerState), r.(registerReply)) },
	DescribeOperation: func(c, r any) string { return fmt.Sprintf("%s: %s", c, r) },
}

// noReturn is the time at which a call with an unknown outcome returns.
const noReturn = math.MaxInt64

// registerHistories splits a history into those of the registers. It reduces the work of the
// checker: among the calls with an unknown outcome, it marks those whose effect was seen, and drops
// those that lost their version to another call.
func registerHistories(history []porcupine.Operation) map[string][]porcupine.Operation {
	type version struct {
		id string
		n  int64
	}
	seen, taken := map[int64]bool{}, map[version]bool{} // numbers of calls; versions that a call made
	for _, o := range history {
		c, r := o.Input.(registerCall), o.Output.(registerReply)
		switch r.result {
		case wasApplied:
			taken[version{c.id, r.version}] = true
		case wasRead, hasReturned, hasFailed:
			seen[r.state.last], taken[version{c.id, r.state.version}] = true, true
		}
	}
	parts := map[string][]porcupine.Operation{}
	for _, o := range history {
		c := o.Input.(registerCall)
		if o.Output.(registerReply).result == isUnknown {
			switch {
			case seen[c.number]:
				o.Output = registerReply{result: isSeen}
			case c.checksVersion() && taken[version{c.id, c.version + 1}]:
				continue
			}
		}
		parts[c.id] = append(parts[c.id], o)
	}
	return parts
}

// checksVersion reports whether the write makes the version after that of its call, or none.
func (c registerCall) checksVersion() bool {
	switch c.verb {
	case regCreate, regPut:
		return true
	case regSet, regAdd:
		return c.version > 0
	default:
		return false
	}
}

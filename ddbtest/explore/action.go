package explore

import (
	"strings"
	"time"
)

// deed is what an action does.
type deed uint8

const (
	start   deed = iota // start a client
	serve               // serve a waiting request, perhaps with a fault
	deliver             // apply a request that was kept for later
	forget              // never apply a request whose client no longer waits
	elapse              // let time pass until a client that pauses wakes, which is no fault
	pause               // let time pass although requests wait: a fault
)

// action is one step of a run: a choice of the search.
type action struct {
	deed    deed
	process *process            // nil for elapse and pause
	call    *call               // of serve, deliver and forget
	fault   Kind                // 0 is none
	variant string              // distinguishes several faults of one kind
	undone  func(part int) bool // Unprocessed
	part    int                 // Conflict: of a transaction
	version *version            // StaleRead: what the read sees
	pause   time.Duration       // of elapse, at most so long; of pause, so long, or 0 until the next timer
	beside  bool                // of elapse: requests wait, or clients can start
	forced  bool                // the schedule omits it
}

// name returns the name of the action in a schedule. At one moment no two actions have the same
// name.
func (a *action) name() string {
	var b strings.Builder
	switch a.deed {
	case start:
		b.WriteString("+" + a.process.name)
	case serve:
		b.WriteString(a.process.name)
		if len(a.process.waiting) > 1 && a.fault != Crash {
			b.WriteString("." + itoa(a.call.number))
		}
	case deliver:
		b.WriteString("~" + a.process.name + "." + itoa(a.call.number))
	case forget:
		b.WriteString("-" + a.process.name + "." + itoa(a.call.number))
	case elapse:
		return "elapse"
	case pause:
		return "pause:" + a.variant
	}
	if a.fault != 0 {
		b.WriteString("!" + a.fault.String())
	}
	if a.variant != "" {
		b.WriteString(":" + a.variant)
	}
	return b.String()
}

// effect is what a search needs to know of an action of an earlier run.
type effect struct {
	id    string // identifies the action in all states that are reached by actions that commute with it
	owner string // the client, or the late request, whose action it is
	time  bool   // it lets time pass
	fault bool
	spans []span // what it reads and writes
}

// effect returns what the action does.
func (a *action) effect() effect {
	e := effect{id: a.name(), time: a.process == nil, fault: a.fault != 0}
	if a.process == nil {
		return e
	}
	e.owner = a.process.origin().name
	if a.isLate() {
		e.owner += "." + itoa(a.call.number)
	}
	if a.deed == serve && a.fault != Crash {
		e.id = a.process.name + "." + itoa(a.call.number) + "!" + a.fault.String() + ":" + a.variant
	}
	if a.deed == deliver || a.deed == serve && a.fault.applies() {
		e.spans = a.call.request.spans
	}
	if a.deed == serve && a.process.run.history != nil && a.call.request != beginOperation && a.call.request != endOfClient {
		// It may end an operation of the history.
		e.spans = append(e.spans[:len(e.spans):len(e.spans)], span{table: historyTable})
	}
	if len(e.spans) > 0 && a.call.request.writes && a.process.run.search.options.Faults[StaleRead] > 0 {
		// The order of writes decides what stale reads may see.
		e.spans = append(e.spans[:len(e.spans):len(e.spans)], span{table: "versions ", write: true})
	}
	return e
}

// isLate reports whether the action is that of a request whose client no longer waits for it.
func (a *action) isLate() bool { return a.deed == deliver || a.deed == forget }

// dependent reports whether the order of two actions may matter.
var dependent = func(a, b *effect) bool {
	switch {
	case a.time || b.time:
		return true
	case a.fault && b.fault: // the number of faults is limited
		return true
	case a.owner == b.owner:
		return true
	default:
		return conflict(a.spans, b.spans)
	}
}

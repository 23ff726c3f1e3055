package explore

import "strings"

// Kind is a kind of fault: something that may happen to a request, a client or a read besides
// being served at once.
type Kind uint8

const (
	// LostRequest resets the connection before the request is applied.
	LostRequest Kind = iota + 1
	// LostReply applies the request and then resets the connection, so the client cannot know
	// whether it was applied.
	LostReply
	// LateRequest resets the connection of a write. The request is applied at any later moment: for
	// example after the client's retry, or after a write of another client. If clients do nothing
	// but pause, it is applied within an hour.
	LateRequest
	// Throttle throttles a request for items, as [ddbtest.Throttle] does.
	Throttle
	// Conflict simulates a concurrent transaction on the item of a write, or on one of the items of
	// a transaction: each of them.
	Conflict
	// ServerError replies with InternalServerError, status 500, and does not apply the request.
	ServerError
	// ServerErrorAfter applies the request, and then replies with InternalServerError.
	ServerErrorAfter
	// Unprocessed leaves parts of a batch unprocessed: each single part, and all parts except for
	// one.
	Unprocessed
	// StaleRead makes an eventually consistent read see any earlier content of the database, or of
	// those tables of a batch that it does not read strongly.
	StaleRead
	// Crash ends a client for good before one of its requests is sent, or after its last one if it
	// is started again. See [World.Restart].
	Crash
	// Pause lets time pass while requests wait: until the next timer of a client, also that of the
	// deadline of a request that waits, or for one of [Options.Pauses]. Code that only compares
	// times needs Options.Pauses.
	Pause

	kinds = iota + 1 // one more than the last kind
)

var kindNames = [...]string{
	LostRequest: "LostRequest", LostReply: "LostReply", LateRequest: "LateRequest", Throttle: "Throttle",
	Conflict: "Conflict", ServerError: "ServerError", ServerErrorAfter: "ServerErrorAfter",
	Unprocessed: "Unprocessed", StaleRead: "StaleRead", Crash: "Crash", Pause: "Pause",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown kind"
}

// Faults is how many faults of each kind a run may have.
type Faults map[Kind]int

// applies reports whether the request may be applied at once, or its reply may depend on the
// database, although the fault acts on it. A transaction whose token was used succeeds although it
// is throttled or has a conflict.
func (k Kind) applies() bool {
	switch k {
	case 0, LostReply, ServerErrorAfter, Unprocessed, StaleRead, Throttle, Conflict:
		return true
	default:
		return false
	}
}

// possible reports whether a fault of the kind can act on the request.
func (k Kind) possible(r *request) bool {
	switch r {
	case beginOperation:
		return false
	case endOfClient:
		return k == Crash
	}
	switch k {
	case LostRequest, LostReply, ServerError, ServerErrorAfter, Crash:
		return true
	case LateRequest:
		return r.writes
	case Throttle:
		return r.operation.items
	case Conflict:
		return r.operation.items && (r.operation.transaction || r.writes && !r.operation.batch)
	case Unprocessed:
		return r.operation.batch && r.valid && len(r.parts) > 1
	case StaleRead:
		return r.stale
	default:
		return false
	}
}

// String returns the faults as text, such as "LostReply 1, Crash 2".
func (f Faults) String() string {
	var parts []string
	for k := Kind(1); k < kinds; k++ {
		if n := f[k]; n > 0 {
			parts = append(parts, k.String()+" "+itoa(n))
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

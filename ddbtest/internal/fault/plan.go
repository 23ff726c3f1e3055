package fault

import (
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

	names []string
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
func (p *Plan) Name() string { return strings.Join(p.names, ", ") }

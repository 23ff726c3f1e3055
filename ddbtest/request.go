package ddbtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Request is what is known of a request. Nothing of it but [Request.Body] holds a value of an item.
type Request struct {
	Seq       int    // its number, in the order of arrival, from 1
	Operation string // such as "GetItem"
	Tables    []string
	Index     string

	At       time.Time // when it came in, by the database's clock
	Duration time.Duration
	Call     string // the SDK's id of the call: all its attempts have the same
	Attempt  int    // of the call, from 1; 0 where the client does not count
	Late     bool   // it was applied after its time, and nobody got the reply

	Status    int    // of HTTP; 0 where no reply came
	ErrorCode string // such as "ConditionalCheckFailedException"
	Fault     string // what rules did to it

	ReadUnits, WriteUnits float64
	Evaluated, Returned   int // items that a read paid for, and those of them that it returned
	Filtered              bool

	body []byte
}

// Body is the request's JSON, with all its values. It is there while [Matching] asks about a request, and afterwards with Options.Record.
func (r Request) Body() []byte { return r.body }

// GoString is [Request.String]: what a failed assertion prints holds no value either.
func (r Request) GoString() string { return r.String() }

// String is one line without any value.
func (r Request) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d %s", r.Seq, r.Operation)
	if len(r.Tables) > 0 {
		b.WriteString(" " + strings.Join(r.Tables, "+"))
	}
	if r.Index != "" {
		b.WriteString("/" + r.Index)
	}
	if r.Attempt > 1 {
		fmt.Fprintf(&b, " attempt %d", r.Attempt)
	}
	if r.Late {
		b.WriteString(" late")
	}
	fmt.Fprintf(&b, ": %s", r.outcome())
	if r.ReadUnits+r.WriteUnits > 0 {
		fmt.Fprintf(&b, ", %g read, %g written", r.ReadUnits, r.WriteUnits)
	}
	if r.Evaluated > 0 {
		fmt.Fprintf(&b, ", %d of %d items", r.Returned, r.Evaluated)
	}
	if r.Fault != "" {
		b.WriteString(", " + r.Fault)
	}
	return b.String()
}

func (r Request) outcome() string {
	switch {
	case r.ErrorCode != "":
		return r.ErrorCode
	case r.Status == 0:
		return "no reply"
	default:
		return "ok"
	}
}

// concern takes note of what the request touches.
func (r *Request) concern(targets []engine.Target) {
	for i := range targets {
		if table := targets[i].Table; table != "" && !slices.Contains(r.Tables, table) {
			r.Tables = append(r.Tables, table)
		}
		if index := targets[i].Index; index != "" {
			r.Index = index
		}
	}
}

// measure takes note of what the request did.
func (r *Request) measure(c *engine.Call) {
	r.ReadUnits, r.WriteUnits = 0, 0
	for _, u := range c.Meter.Uses() {
		r.ReadUnits += u.Read
		r.WriteUnits += u.Write
	}
	r.Evaluated, r.Returned, r.Filtered = c.Trace.Evaluated, c.Trace.Returned, c.Trace.Filtered
	if c.Trace.Index != "" {
		r.Index = c.Trace.Index
	}
}

package ddbtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
)

// Request describes one HTTP request to the database. Only [Request.Body] contains values of items.
type Request struct {
	Seq       int    // its number in the order of arrival, from 1
	Operation string // such as "GetItem"
	RunsAs    string // for PartiQL: the operation as which it runs, such as "Scan"; else ""
	Tables    []string
	Index     string

	At       time.Time // when it arrived, by the database's clock
	Duration time.Duration
	Call     string // the SDK's ID of the call, the same for all its attempts
	Attempt  int    // number within the call, from 1; 0 if the client sends none
	Late     bool   // it was applied late, and no client got the reply

	Status    int    // of HTTP; 0 if there was no reply
	ErrorCode string // such as "ConditionalCheckFailedException"
	Fault     string // the effects of rules on it

	ReadUnits, WriteUnits float64
	Evaluated, Returned   int // items that a read was charged for, and items that it returned
	Filtered              bool

	body []byte
}

// Body returns the request's JSON, with all its values. It is available while [Matching] evaluates
// the request, and afterwards only with Options.Record.
func (r Request) Body() []byte { return r.body }

// GoString returns [Request.String], so that a failed assertion prints no values.
func (r Request) GoString() string { return r.String() }

// String returns one line without values.
func (r Request) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#%d %s", r.Seq, r.Operation)
	if r.RunsAs != "" {
		fmt.Fprintf(&b, " as %s", r.RunsAs)
	}
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

// class returns the operation as which the request runs.
func (r *Request) class() string { return cmp.Or(r.RunsAs, r.Operation) }

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

// setTargets records the tables and the index of the request.
func (r *Request) setTargets(targets []engine.Target) {
	for i := range targets {
		switch table := targets[i].Table; {
		case table == "" || slices.Contains(r.Tables, table):
		case r.Tables == nil:
			r.Tables = []string{table}
		default:
			r.Tables = append(r.Tables, table)
		}
		if index := targets[i].Index; index != "" {
			r.Index = index
		}
	}
}

// setUsage records what the request used.
func (r *Request) setUsage(c *engine.Call) {
	r.ReadUnits, r.WriteUnits = 0, 0
	uses := c.Meter.Uses()
	for i := range uses {
		r.ReadUnits += uses[i].Read
		r.WriteUnits += uses[i].Write
	}
	r.Evaluated, r.Returned, r.Filtered = c.Trace.Evaluated, c.Trace.Returned, c.Trace.Filtered
	if c.Trace.Index != "" {
		r.Index = c.Trace.Index
	}
}

// usage holds the last requests, the cost and the budgets. Its lock is held only briefly.
type usage struct {
	mu       sync.Mutex
	requests requestRing
	tally    tally
	budgets  []*budget
}

// requestRing holds the last requests.
type requestRing struct {
	size int
	next int
	list []Request
}

func (l *requestRing) add(r *Request) {
	if len(l.list) < l.size {
		l.list = append(l.list, *r)
		return
	}
	l.list[l.next] = *r
	l.next = (l.next + 1) % l.size
}

// add records a request and fails the tests of the budgets that it exceeds.
func (u *usage) add(r *Request, uses []capacity.Use) {
	u.mu.Lock()
	u.requests.add(r)
	u.tally.add(r, uses)
	exceeded := u.charge(r)
	u.mu.Unlock()
	for _, fail := range exceeded {
		fail()
	}
}

// Requests returns the requests so far, in the order of their arrival. It returns at most the last
// [Options.KeepRequests] of them.
func (db *DB) Requests() []Request {
	db.runDue()
	db.usage.mu.Lock()
	defer db.usage.mu.Unlock()
	requests := slices.Clone(db.usage.requests.list)
	slices.SortFunc(requests, func(a, b Request) int { return cmp.Compare(a.Seq, b.Seq) })
	return requests
}

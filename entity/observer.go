package entity

import (
	"context"
	"time"

	"github.com/trestledb/trestle/internal/call"
)

// Observer is told of every operation on items that was not refused before it was sent, when it has ended, in the goroutine that made the call: of a
// query too that no key can match, which sends nothing.
type Observer func(context.Context, Event)

// Event is one operation as an [Observer] sees it. It holds no key and no value, but for those within reach of its error.
type Event struct {
	Operation string // "create", "get", "query", …
	Entity    string // type name; of an item collection that of its example; else empty where it is about several
	Table     string
	Access    string // access pattern; empty: the table's own key
	Index     string
	Items     int      // items returned
	Scanned   int      // items that a query or a scan read, before any filter
	Skipped   int      // the library's own items, read and passed over
	Unknown   int      // items of no registered type, or not of one that is wanted, read and passed over
	Requests  int      // requests sent: pages, or a read before a write; 0: no key can match the query
	Attempts  int      // attempts of all requests, the SDK's repetitions counted
	Throttled []string // the service's reasons for throttling an attempt, each once, such as TableReadKeyRangeThroughputExceeded
	Capacity  Capacity
	Outcome   Outcome       // of a read: applied where it succeeded, else not applied
	Duration  time.Duration // of a read that was ranged over, the caller's own time between pages included
	// Err is the caller's, an *OpError; nil: it succeeded. What is asked of what a read brought is no failure of the read: that First found nothing, One
	// more than one, or that a budget ended it.
	Err error
}

// Capacity is what an operation consumed, in read and write capacity units, its indexes included.
type Capacity struct {
	Read, Write float64
}

func observe(o Observer) func(context.Context, call.Event) {
	if o == nil {
		return nil
	}
	return func(ctx context.Context, e call.Event) {
		o(ctx, Event{
			Operation: e.Operation, Entity: e.Entity, Table: e.Table, Access: e.Access, Index: e.Index,
			Items: e.Items, Scanned: e.Scanned, Skipped: e.Skipped, Unknown: e.Unknown, Requests: e.Requests, Attempts: e.Attempts, Throttled: e.Throttled, Capacity: Capacity(e.Capacity),
			Outcome: Outcome(e.Outcome), Duration: e.Duration, Err: failure(e.Err),
		})
	}
}

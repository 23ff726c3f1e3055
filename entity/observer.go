package entity

import (
	"context"
	"time"

	"github.com/trestledb/trestle/internal/call"
)

// Observer is notified of operations: of each one when it starts, and when it has ended. A tracer
// or a collector of metrics is one; [Log] makes one that writes a log, [ObserverFunc] one from a
// function, [MultiObserver] one from several.
//
// An operation is one call that sends requests: of a verb, a batch read, a query, a page, a scan,
// [Table.Create], [Table.Check] or [Table.CheckItems]. A read that is ranged over is one operation
// from the beginning of the loop to its end, and ranging again is another. A call that is refused
// before its first request, as by [ErrInvalid], is no operation: neither method is called. A query
// that no key can match is one, and sends nothing.
//
// Both methods are called in the goroutine that made the call, which waits for them. Several
// operations may call them at the same time. A panic of an observer reaches the caller.
type Observer interface {
	// Start is called before the operation's first request. All its requests, also those of
	// parallel segments and of pages that are read ahead, run in the context that Start returns:
	// ctx, or one that is derived from it. Nil stands for ctx.
	Start(ctx context.Context, op OperationInfo) context.Context
	// End is called once for each Start, with the context that Start returned, however the
	// operation ends: also where a loop is left early, the context is done, what was read cannot be
	// decoded, or the call panics.
	End(ctx context.Context, e Event)
}

// ObserverFunc is an [Observer] that is notified of the ends of operations only.
type ObserverFunc func(context.Context, Event)

// Start returns ctx.
func (f ObserverFunc) Start(ctx context.Context, _ OperationInfo) context.Context { return ctx }

// End calls f, unless it is nil.
func (f ObserverFunc) End(ctx context.Context, e Event) {
	if f != nil {
		f(ctx, e)
	}
}

// MultiObserver makes one observer of several; nil ones are left out. Start calls them in their
// order, and hands each the context that the one before it returned. End calls them in reverse
// order, all of them with the last context.
func MultiObserver(observers ...Observer) Observer {
	var m multiObserver
	for _, o := range observers {
		if o != nil {
			m = append(m, o)
		}
	}
	switch len(m) {
	case 0:
		return nil
	case 1:
		return m[0]
	default:
		return m
	}
}

type multiObserver []Observer

func (m multiObserver) Start(ctx context.Context, op OperationInfo) context.Context {
	if len(m) == 0 {
		return ctx
	}
	if c := m[0].Start(ctx, op); c != nil {
		ctx = c
	}
	return m[1:].Start(ctx, op)
}

// End calls the others although one panics.
func (m multiObserver) End(ctx context.Context, e Event) {
	if len(m) == 0 {
		return
	}
	last := len(m) - 1
	defer m[:last].End(ctx, e)
	m[last].End(ctx, e)
}

// OperationInfo is what is known of an operation when it starts. It holds no key and no value.
type OperationInfo struct {
	Operation string // "create", "get", "query", "create table", …
	// Entity is the type's name, for an item collection that of its example. It is empty for
	// operations on several types, or on none.
	Entity string
	Table  string // empty: several tables
	Access string // access pattern; empty: the table's own key
	Index  string // empty: the table itself
}

// Event is an operation that has ended. It holds no key and no value, but for those within reach
// of its error.
type Event struct {
	OperationInfo
	Items   int // items returned
	Scanned int // items that a query or a scan read, before any filter
	Skipped int // the library's own items, read and passed over
	// Unknown counts items that were read and passed over because they are of no registered type,
	// or not of one that is wanted.
	Unknown int
	// Unprocessed counts the keys of a batch read that the service returned as unprocessed, each
	// time that it did.
	Unprocessed int
	// Requests counts the requests that were sent: each page, and a read before a write. It is 0
	// for a query that no key can match.
	Requests int
	Attempts int // attempts of all requests, the SDK's retries included
	// Throttled lists the service's reasons for throttling attempts, each once, such as
	// TableReadKeyRangeThroughputExceeded.
	Throttled []string
	Capacity  Capacity
	Outcome   Outcome // whether the write was applied; NoWrite: it is not a write
	// Duration includes the caller's own time between the pages of a read that is ranged over.
	Duration time.Duration
	// Err is the caller's, an *OpError; nil: the operation succeeded. What the caller makes of a
	// read is no failure of the read: that First found nothing, One more than one, that a budget
	// ended it, or that Check found differences.
	Err error
}

// Capacity is what an operation consumed, in read and write capacity units, its indexes included.
type Capacity struct {
	Read, Write float64
}

// observe makes the executor's observer of a user's; nil stays nil.
func observe(o Observer) call.Observer {
	if o == nil {
		return nil
	}
	return observer{o}
}

type observer struct{ Observer }

func (o observer) Start(ctx context.Context, i call.Info) context.Context {
	return o.Observer.Start(ctx, OperationInfo(i))
}

func (o observer) End(ctx context.Context, e call.Event) {
	o.Observer.End(ctx, Event{
		OperationInfo: OperationInfo(e.Info), Items: e.Items, Scanned: e.Scanned, Skipped: e.Skipped, Unknown: e.Unknown,
		Unprocessed: e.Unprocessed, Requests: e.Requests, Attempts: e.Attempts, Throttled: e.Throttled, Capacity: Capacity(e.Capacity),
		Outcome: Outcome(e.Outcome), Duration: e.Duration, Err: failure(e.Err),
	})
}

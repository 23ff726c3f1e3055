package trestle

import (
	"context"
	"time"
)

// Observer is notified when an operation starts and when it ends. It can be a tracer or a collector
// of metrics. [SlogObserver] returns an observer that writes a log, [ObserverFunc] adapts a
// function, and [MultiObserver] combines several observers.
//
// An operation is one call that sends requests: a verb, a batch read or write, a query, a page, a
// scan, Create of a table, or a function of package maintain. A batch write is one operation, also
// if it sends some of its writes alone. A range over a read is one operation, from the start of the
// loop to its end; a second range is another operation. A call that fails before its first request,
// for example with [ErrInvalid], is not an operation, and neither method is called. A query that no
// key can match is an operation that sends nothing.
//
// Both methods are called in the goroutine of the call, which waits for them. Several operations
// may call them concurrently. A panic of an observer propagates to the caller.
type Observer interface {
	// Start is called before the first request of the operation. All its requests, including those
	// of parallel segments and of pages that are read ahead, use the context that Start returns.
	// That context must be ctx or derived from it; nil means ctx.
	Start(ctx context.Context, op OperationInfo) context.Context
	// End is called once per Start, with the context that Start returned. It is also called if the
	// caller leaves a loop early, the context ends, an item cannot be decoded, or the call panics.
	End(ctx context.Context, e Event)
}

// ObserverFunc is an [Observer] that is notified when operations end.
type ObserverFunc func(context.Context, Event)

// Start returns ctx.
func (f ObserverFunc) Start(ctx context.Context, _ OperationInfo) context.Context { return ctx }

// End calls f if f is not nil.
func (f ObserverFunc) End(ctx context.Context, e Event) {
	if f != nil {
		f(ctx, e)
	}
}

// MultiObserver combines several observers; it ignores nil. Start calls them in order and passes
// each the context that the previous one returned. End calls them in reverse order, all with the
// last context.
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

// End calls the remaining observers even if one panics.
func (m multiObserver) End(ctx context.Context, e Event) {
	if len(m) == 0 {
		return
	}
	last := len(m) - 1
	defer m[:last].End(ctx, e)
	m[last].End(ctx, e)
}

// OperationInfo describes an operation when it starts. It holds no key and no value.
type OperationInfo struct {
	Operation string // "create", "get", "query", "create table", …
	// Entity is the type name. For an item collection it is the type of the example. It is empty
	// for operations on several types or on none.
	Entity string
	Table  string // empty for several tables, and for a batch write of operations
	Access string // access pattern; empty for the table's own key
	Index  string // empty for the table itself
}

// Event describes an operation that has ended. Only Err gives access to keys and values.
type Event struct {
	OperationInfo
	Items   int // items returned, or written by a batch write
	Scanned int // items that a query or a scan read, before the filter
	Skipped int // items that the library stores for itself, which reads skip
	// Unknown counts the skipped items of unregistered or unwanted types.
	Unknown int
	// Gone counts the index entries of a query with Fetch whose item was deleted, or has another
	// key on the index now.
	Gone int
	// Misplaced counts the returned items that are stored under another key than the one that their
	// fields render to: they were stored before the key's template changed, or by another program.
	// Reads that meet such an item return and count it: a scan, a query of an index, and a query or
	// collection whose range of keys has the older key. Others miss it, and nothing counts it: a
	// query whose range has the new key only, Get and Update, which return [ErrNotFound], and
	// Delete, which succeeds and deletes nothing. maintain.Reindex moves it to its key. Queries,
	// pages, collections and scans count them.
	//
	// Only the table's key is compared. An item with an index key of an older template is not
	// counted, because the comparison of every index would cost each read as much again: queries of
	// the new template miss it, maintain.CheckItems finds it, and maintain.Reindex corrects it. A
	// query with As counts none, unless the smaller struct has all fields of the table's key.
	Misplaced int
	// IgnoredTTL counts the returned items that never expire because DynamoDB ignores their time to
	// live: it is in milliseconds (after the year 5138) or more than five years in the past.
	// Another program stored it. To correct it, set the field with the role ttl, or remove it, with
	// Update; a Put of a time in milliseconds is [ErrInvalid]. maintain.CheckItems lists what is
	// wrong. Every read counts such items, except counts and scans of stored items; a read of some
	// attributes does if they include the time to live.
	IgnoredTTL int
	// Unprocessed counts the keys or writes of a batch that DynamoDB returned as unprocessed. One
	// that is returned several times counts each time.
	Unprocessed int
	// Requests counts the sent requests, including each page and the read before a write. It is 0
	// for a query that no key can match.
	Requests int
	// Coalesced reports that the read got its item from the request of another call: see
	// entity.CoalesceReads. The event of that call has the cost.
	Coalesced bool
	Attempts  int // attempts of all requests, including the SDK's retries
	// Throttled lists the distinct reasons for which DynamoDB throttled attempts, such as
	// TableReadKeyRangeThroughputExceeded.
	Throttled []string
	Capacity  Capacity
	Outcome   Outcome // whether the write was applied; NoWrite: not a write
	// Duration includes the caller's time between the pages of a read in a range loop.
	Duration time.Duration
	// Err is the error that the caller gets, an *OpError; nil if the operation succeeded. It is nil
	// if the read succeeded but First found nothing, One found more than one item, a request or
	// read budget ended the read, or Check found differences.
	Err error
}

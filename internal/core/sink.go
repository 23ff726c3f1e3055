package core

import "github.com/trestledb/trestle/internal/codec"

// Sink receives the items of a read. Each entity is decoded in place into the caller's value. A
// Sink does not track the position of the read. It keeps no row, because the next page may use the
// row's memory.
type Sink interface {
	// Target returns the address of a zero entity to decode an item of the plan into. If it returns
	// false, Unmatched receives the item.
	Target(p *Plan) (codec.Ptr, bool)
	// Commit receives the entity that was decoded into the last target.
	Commit(p *Plan) error
	// Unmatched receives an item without a plan or a target. taken is false if the sink drops it. p
	// is nil for an item of no registered type.
	Unmatched(p *Plan, row Row) (taken bool, err error)
}

// InternalSink is a Sink that also receives the library's own items. No other sink does.
type InternalSink interface {
	Sink
	Internal(row Row)
}

// Deliver decodes an item into the sink. p is nil for an item of no registered type. decoded is
// called with the entity before the sink takes it; it may be nil. taken reports whether the sink
// took the item.
func Deliver(p *Plan, row Row, s Sink, decoded func(p *Plan, row Row, at codec.Ptr)) (taken bool, err error) {
	if p == nil {
		return s.Unmatched(nil, row)
	}
	at, ok := s.Target(p)
	if !ok {
		return s.Unmatched(p, row)
	}
	if err := row.Decode(p, at); err != nil {
		return false, err
	}
	if decoded != nil {
		decoded(p, row, at)
	}
	return true, s.Commit(p)
}

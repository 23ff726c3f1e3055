package scan

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// Sink receives the stored items of a read, before they are decoded. The next page may use the
// memory of a row. A nil function drops items.
type Sink struct {
	Item    func(p *core.Plan, row core.Row) // an item of a type of the schema
	Untyped func(row core.Row)               // an item of no type
	Library func(row core.Row)               // an item of the library: a guard, a counter, a lock, a chunk, …
}

// Target returns no target, so the read passes stored items.
func (*Sink) Target(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

// Commit is never called.
func (*Sink) Commit(*core.Plan) error { return nil }

// Unmatched receives an item that is not the library's.
func (s *Sink) Unmatched(p *core.Plan, row core.Row) (taken bool, err error) {
	switch {
	case p != nil && s.Item != nil:
		s.Item(p, row)
	case p == nil && s.Untyped != nil:
		s.Untyped(row)
	default:
		return false, nil
	}
	return true, nil
}

// Internal receives an item of the library.
func (s *Sink) Internal(row core.Row) {
	if s.Library != nil {
		s.Library(row)
	}
}

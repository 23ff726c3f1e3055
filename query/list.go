package query

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/door"
)

type (
	sink     = core.Sink
	readPlan = core.Plan
)

// list is a slice of results that is being filled.
type list struct {
	slice  reflect.Value // it can be set
	filled int           // how many are whole: one that could not be decoded is not
}

// newList fills the slice that a pointer leads to.
func newList(slice any) *list { return &list{slice: reflect.ValueOf(slice).Elem()} }

// Expect makes room for a page.
func (l *list) Expect(n int) {
	l.trim()
	l.slice.Grow(n)
}

// next is the place of the next result, with its zero value.
func (l *list) next() reflect.Value {
	if l.filled == l.slice.Cap() {
		l.trim()
		l.slice.Grow(1)
	}
	l.slice.SetLen(l.filled + 1)
	place := l.slice.Index(l.filled)
	place.SetZero()
	return place
}

// add says that a result is whole.
func (l *list) add() { l.filled++ }

// trim drops what is not whole.
func (l *list) trim() { l.slice.SetLen(l.filled) }

// clear starts a new slice: somebody may have kept the other.
func (l *list) clear() {
	l.slice.SetZero()
	l.filled = 0
}

// entitySink decodes entities of one type in place.
type entitySink struct{ *list }

func (s entitySink) Place(*core.Plan) (codec.Ptr, bool) { return codec.PtrOf(s.next()), true }

func (s entitySink) Take(*core.Plan, codec.Ptr) error {
	s.add()
	return nil
}

func (entitySink) Raw(*core.Plan, map[string]core.AV) (bool, error) { return false, nil }

// projectionSink copies a part of each entity.
type projectionSink struct {
	*list
	of     door.Projection
	entity reflect.Value // being filled
}

func (s *projectionSink) Place(p *core.Plan) (codec.Ptr, bool) {
	s.entity = reflect.New(p.Type).Elem()
	return codec.PtrOf(s.entity), true
}

func (s *projectionSink) Take(*core.Plan, codec.Ptr) error {
	s.of.Copy(s.entity, s.next())
	s.add()
	return nil
}

func (s *projectionSink) Raw(*core.Plan, map[string]core.AV) (bool, error) { return false, nil }

// countSink only counts.
type countSink struct{}

// Place has none: nothing of what is counted is decoded.
func (countSink) Place(*core.Plan) (codec.Ptr, bool)               { return codec.Ptr{}, false }
func (countSink) Take(*core.Plan, codec.Ptr) error                 { return nil }
func (countSink) Raw(*core.Plan, map[string]core.AV) (bool, error) { return true, nil }

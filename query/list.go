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
	slice  reflect.Value // settable
	filled int           // number of complete results; excludes one that failed to decode
}

// newList returns a list that fills the slice that the pointer slice points to.
func newList(slice any) *list { return &list{slice: reflect.ValueOf(slice).Elem()} }

// Expect grows the slice for n more results.
func (l *list) Expect(n int) {
	l.trim()
	l.slice.Grow(n)
}

// next returns the zeroed element for the next result.
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

// add marks the current result as complete.
func (l *list) add() { l.filled++ }

// trim drops an incomplete result.
func (l *list) trim() { l.slice.SetLen(l.filled) }

// clear starts a new slice, because the caller may have kept the old one.
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
	entity reflect.Value // the value that is being decoded
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

// countSink accepts items without decoding them.
type countSink struct{}

// Place returns no target, because countSink decodes nothing.
func (countSink) Place(*core.Plan) (codec.Ptr, bool)               { return codec.Ptr{}, false }
func (countSink) Take(*core.Plan, codec.Ptr) error                 { return nil }
func (countSink) Raw(*core.Plan, map[string]core.AV) (bool, error) { return true, nil }

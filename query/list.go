package query

import (
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/hooks"
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

// element returns the zeroed element for the next result.
func (l *list) element() reflect.Value {
	if l.filled == l.slice.Cap() {
		l.trim()
		l.slice.Grow(1)
	}
	l.slice.SetLen(l.filled + 1)
	e := l.slice.Index(l.filled)
	e.SetZero()
	return e
}

// add marks the current element as complete.
func (l *list) add() { l.filled++ }

// trim drops an incomplete element.
func (l *list) trim() { l.slice.SetLen(l.filled) }

// clear starts a new slice, because the caller may have kept the old one.
func (l *list) clear() {
	l.slice.SetZero()
	l.filled = 0
}

// entitySink decodes entities of one type in place.
type entitySink struct{ *list }

func (s entitySink) Target(*core.Plan) (codec.Ptr, bool) { return codec.PtrOf(s.element()), true }

func (s entitySink) Commit(*core.Plan) error {
	s.add()
	return nil
}

func (entitySink) Unmatched(*core.Plan, core.Row) (bool, error) { return false, nil }

// projectionSink copies a part of each entity.
type projectionSink struct {
	*list
	projection hooks.Projection
	entity     reflect.Value // the value that is being decoded
}

func (s *projectionSink) Target(p *core.Plan) (codec.Ptr, bool) {
	s.entity = reflect.New(p.Type).Elem()
	return codec.PtrOf(s.entity), true
}

func (s *projectionSink) Commit(*core.Plan) error {
	s.projection.Copy(s.entity, s.element())
	s.add()
	return nil
}

func (s *projectionSink) Unmatched(*core.Plan, core.Row) (bool, error) { return false, nil }

// mixedSink appends items of any type as values of their Go types.
type mixedSink struct {
	*list
	schema *core.Schema
	entity reflect.Value // the value that is being decoded
}

func (s *mixedSink) Target(p *core.Plan) (codec.Ptr, bool) {
	s.entity = reflect.New(p.Type).Elem()
	return codec.PtrOf(s.entity), true
}

func (s *mixedSink) Commit(*core.Plan) error {
	s.element().Set(s.entity)
	s.add()
	return nil
}

func (s *mixedSink) Unmatched(_ *core.Plan, row core.Row) (bool, error) {
	s.element().Set(reflect.ValueOf(raw(s.schema, row)))
	s.add()
	return true, nil
}

// storedSink appends items without decoding them.
type storedSink struct{ *mixedSink }

// Target returns no target, because storedSink decodes nothing.
func (storedSink) Target(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

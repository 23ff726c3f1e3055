package query

import (
	"reflect"
	"slices"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/door"
)

type (
	sink     = core.Sink
	readPlan = core.Plan
)

// collector is a sink that hands on what it has taken.
type collector[R any] interface {
	sink
	take() []R
}

// typed is the sink of a page of one type.
type typed[T any] struct {
	page   []T
	filled int // how many of the page are whole: one that could not be decoded is not
}

func (s *typed[T]) take() []T {
	page := s.page[:s.filled]
	s.page, s.filled = nil, 0
	return page
}

// Expect makes room for a page.
func (s *typed[T]) Expect(n int) { s.page = slices.Grow(s.page, n) }

// Place grows the page by a zero T.
func (s *typed[T]) Place(*core.Plan) (codec.Ptr, bool) {
	var zero T
	s.page = append(s.page[:s.filled], zero)
	return codec.PtrTo(&s.page[s.filled]), true
}

// Take says that the place is filled.
func (s *typed[T]) Take(*core.Plan, codec.Ptr) error {
	s.filled++
	return nil
}

func (s *typed[T]) Raw(*core.Plan, map[string]core.AV) (bool, error) { return false, nil }

// parts is the sink of a page of which a part P of each entity is wanted.
type parts[P any] struct {
	of     door.Projection
	page   []P
	entity reflect.Value // being filled
}

func (s *parts[P]) take() []P {
	page := s.page
	s.page = nil
	return page
}

func (s *parts[P]) Place(p *core.Plan) (codec.Ptr, bool) {
	s.entity = reflect.New(p.Type).Elem()
	return codec.PtrOf(s.entity), true
}

func (s *parts[P]) Take(*core.Plan, codec.Ptr) error {
	var part P
	s.of.Copy(s.entity, reflect.ValueOf(&part).Elem())
	s.page = append(s.page, part)
	return nil
}

func (s *parts[P]) Raw(*core.Plan, map[string]core.AV) (bool, error) { return false, nil }

// tally is the sink that only counts.
type tally struct{}

// Place has none: nothing of what is counted is decoded.
func (tally) Place(*core.Plan) (codec.Ptr, bool)               { return codec.Ptr{}, false }
func (tally) Take(*core.Plan, codec.Ptr) error                 { return nil }
func (tally) Raw(*core.Plan, map[string]core.AV) (bool, error) { return true, nil }

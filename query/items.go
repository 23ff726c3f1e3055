package query

import (
	"context"
	"iter"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/read"
)

// Items streams an item collection in the order of the sort key, each item as a value of its Go type (Company, never *Company), and as
// [entity.Raw] where no registered type is its own: a program goes on working when another adds a type. The library's own items are
// passed over. An error is yielded last.
func Items(ctx context.Context, c Collection) iter.Seq2[any, error] { return c.ending().all(ctx) }

func (c Collection) ending() ending[any] {
	return ending[any]{c.q, func(p *read.Plan) collector[any] { return &mixed{schema: p.Entity.Schema} }}
}

// mixed is the sink of a page of any types.
type mixed struct {
	schema *core.Schema
	page   []any
	place  reflect.Value // what is being filled
}

func (s *mixed) take() []any {
	page := s.page
	s.page = nil
	return page
}

func (s *mixed) Place(p *core.Plan) (codec.Ptr, bool) {
	s.place = reflect.New(p.Type).Elem()
	return codec.PtrOf(s.place), true
}

func (s *mixed) Take(*core.Plan, codec.Ptr) error {
	s.page = append(s.page, s.place.Interface())
	return nil
}

func (s *mixed) Raw(_ *core.Plan, item map[string]core.AV) (bool, error) {
	s.page = append(s.page, raw(s.schema, item))
	return true, nil
}

// stored is the sink of a page of items as they are.
type stored struct {
	schema *core.Schema
	page   []entity.Raw
}

func (s *stored) take() []entity.Raw {
	page := s.page
	s.page = nil
	return page
}

// Place has none: nothing is decoded.
func (s *stored) Place(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

func (s *stored) Take(*core.Plan, codec.Ptr) error { return nil }

func (s *stored) Raw(_ *core.Plan, item map[string]core.AV) (bool, error) {
	s.page = append(s.page, raw(s.schema, item))
	return true, nil
}

// raw keeps an item of no registered type.
func raw(s *core.Schema, item map[string]core.AV) entity.Raw {
	name, _ := item[s.TypeAttr].(*types.AttributeValueMemberS)
	if name == nil {
		return entity.Raw{Item: item}
	}
	return entity.Raw{Type: name.Value, Item: item}
}

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

// Items streams an item collection in the order of the sort key. It yields each item as a value of
// its Go type (Company, never *Company), and items of unregistered types as [entity.Raw]. A program
// therefore keeps working when another program adds a type. Items skips the library's own items. It
// yields an error last.
func Items(ctx context.Context, c Collection) iter.Seq2[any, error] {
	return stream[any](ctx, c.runner())
}

func (c Collection) runner() *runner {
	return &runner{c.q, func(p *read.Plan, l *list) sink { return &mixedSink{list: l, schema: p.Entity.Schema} }}
}

// mixedSink appends items of any type as values of their Go types.
type mixedSink struct {
	*list
	schema *core.Schema
	place  reflect.Value // the value that is being decoded
}

func (s *mixedSink) Place(p *core.Plan) (codec.Ptr, bool) {
	s.place = reflect.New(p.Type).Elem()
	return codec.PtrOf(s.place), true
}

func (s *mixedSink) Take(*core.Plan, codec.Ptr) error {
	s.next().Set(s.place)
	s.add()
	return nil
}

func (s *mixedSink) Raw(_ *core.Plan, item map[string]core.AV) (bool, error) {
	s.next().Set(reflect.ValueOf(raw(s.schema, item)))
	s.add()
	return true, nil
}

// rawSink appends items without decoding them.
type rawSink struct {
	*list
	schema *core.Schema
}

// Place returns no target, because rawSink decodes nothing.
func (rawSink) Place(*core.Plan) (codec.Ptr, bool) { return codec.Ptr{}, false }

func (rawSink) Take(*core.Plan, codec.Ptr) error { return nil }

func (s rawSink) Raw(_ *core.Plan, item map[string]core.AV) (bool, error) {
	s.next().Set(reflect.ValueOf(raw(s.schema, item)))
	s.add()
	return true, nil
}

// raw returns an item as an [entity.Raw].
func raw(s *core.Schema, item map[string]core.AV) entity.Raw {
	name, _ := item[s.TypeAttr].(*types.AttributeValueMemberS)
	if name == nil {
		return entity.Raw{Item: item}
	}
	return entity.Raw{Type: name.Value, Item: item}
}

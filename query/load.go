package query

import (
	"context"
	"errors"
	"reflect"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Load reads an item collection into a struct, in one pass. The view is a pointer to a struct whose
// exported fields are entity types, pointers to them, or slices of either. Each type appears at
// most once. A field that is not a slice takes one item; a second item is an error. A field without
// an item is zero; use a pointer to detect this.
//
// Items of unregistered types go to a field of type []entity.Raw. Without such a field Load skips
// them. An item of a registered type without a field is an error, since it would be lost. If the
// view takes no item of the collection, Load returns [trestle.ErrNotFound]. If the struct type is
// invalid, it returns [trestle.ErrInvalid] before it reads anything. If the items do not fit the
// view, the error matches no sentinel error. When Load fails, it does not change view.
func Load(ctx context.Context, c Collection, view any) error {
	p, err := c.q.plan()
	if err != nil {
		return ofLoad(err)
	}
	target, err := newViewOf(view, p.Schema)
	if err != nil {
		return ofLoad(c.q.invalid(err))
	}
	p.Name = loading
	ctx, run := c.q.start(ctx, p, target, nil)
	defer run.Close(ctx)
	for run.Next(ctx) {
	}
	if err := c.q.finish(ctx, run); err != nil {
		return err
	}
	if target.items == 0 {
		return c.q.failed(p.Name, errs.NotFound)
	}
	target.view.Set(target.filled)
	return nil
}

// loading is the operation name in errors and observer calls.
const loading = "load"

// ofLoad sets the operation name of an error that the query returned.
func ofLoad(err error) error {
	var refused *trestle.OpError
	if errors.As(err, &refused) {
		refused.Op = loading
	}
	return err
}

// viewOf is a sink that stores items in the fields of a struct.
type viewOf struct {
	schema *core.Schema
	view   reflect.Value
	filled reflect.Value // a new struct, so that a failure does not change the caller's
	slots  map[*core.Plan]*slot
	rest   reflect.Value // the []entity.Raw field; zero if there is none
	items  int
	entity reflect.Value // the value that is being decoded
}

// slot is a field of the view.
type slot struct {
	name    string
	field   reflect.Value
	many    bool
	pointer bool
	taken   bool
}

var rawType = reflect.TypeFor[entity.Raw]()

func newViewOf(view any, s *core.Schema) (*viewOf, error) {
	v := reflect.ValueOf(view)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil, errs.New("", "the view is not a pointer to a struct", "give Load a pointer to a struct with a field for each type")
	}
	t := &viewOf{schema: s, view: v.Elem(), filled: reflect.New(v.Type().Elem()).Elem(), slots: map[*core.Plan]*slot{}}
	var problems errs.Problems
	for i := range t.filled.NumField() {
		t.add(v.Type().Elem().Field(i), t.filled.Field(i), s, &problems)
	}
	if t.filled.NumField() == 0 {
		problems.Add("", "the view has no fields", "give it a field for each type")
	}
	return t, problems.Err()
}

func (t *viewOf) add(f reflect.StructField, field reflect.Value, s *core.Schema, problems *errs.Problems) {
	if !f.IsExported() {
		problems.Add(f.Name, "the field is not exported", "export it")
		return
	}
	sl := &slot{name: f.Name, field: field}
	of := f.Type
	if of.Kind() == reflect.Slice {
		sl.many, of = true, of.Elem()
	}
	if sl.many && of == rawType {
		if t.rest.IsValid() {
			problems.Add(f.Name, "the view already has a field for items of unregistered types", "keep one")
		}
		t.rest = field
		return
	}
	if of.Kind() == reflect.Pointer {
		sl.pointer, of = true, of.Elem()
	}
	p := planOf(s, of)
	switch {
	case p == nil && of == rawType, p == nil && of == reflect.SliceOf(rawType):
		problems.Add(f.Name, "items of unregistered types need a slice of values", "make it []entity.Raw")
	case p == nil:
		problems.Add(f.Name, of.String()+" is not an entity type of this schema", "define it, or remove the field")
	case t.slots[p] != nil:
		problems.Add(f.Name, "the view already has a field for "+p.Name+": "+t.slots[p].name, "keep one")
	default:
		t.slots[p] = sl
	}
}

func planOf(s *core.Schema, t reflect.Type) *core.Plan {
	for _, p := range s.Plans {
		if p.Type == t {
			return p
		}
	}
	return nil
}

func (t *viewOf) Target(p *core.Plan) (codec.Ptr, bool) {
	if t.slots[p] == nil {
		return codec.Ptr{}, false
	}
	t.entity = reflect.New(p.Type).Elem()
	return codec.PtrOf(t.entity), true
}

func (t *viewOf) Commit(p *core.Plan) error {
	s := t.slots[p]
	t.items++
	v := t.entity
	if s.pointer {
		v = v.Addr()
	}
	switch {
	case s.many:
		s.field.Set(reflect.Append(s.field, v))
	case s.taken:
		return errs.Unassignable(s.name, "the collection holds more than one "+p.Name, "make the field a slice")
	default:
		s.field.Set(v)
		s.taken = true
	}
	return nil
}

func (t *viewOf) Unmatched(p *core.Plan, row core.Row) (bool, error) {
	if p != nil {
		return false, errs.Unassignable("", "the collection holds a "+p.Name+", and the view has no field for it", "add a field of type []"+p.Type.String())
	}
	if !t.rest.IsValid() {
		return false, nil
	}
	t.items++
	t.rest.Set(reflect.Append(t.rest, reflect.ValueOf(raw(t.schema, row))))
	return true, nil
}

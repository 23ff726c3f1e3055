package entity

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/write"
)

// Type is an entity type of a schema. It sends no requests; [Type.In] binds it to a table.
type Type[T any] struct{ d *definition }

// Define adds the struct type T to the schema, with the keys that its tags declare. It never fails:
// [Schema.Err] and [Schema.Open] report all mistakes of all types. A type that is defined after the
// schema was opened is [ErrInvalid] wherever it is used.
func Define[T any](s *Schema) *Type[T] {
	return typeOf[T](s.define(reflect.TypeFor[T](), nil))
}

// DefineSpec adds the struct type T to the schema, with the keys and roles of spec. The dynamodbav
// tags of T name and encode its attributes.
func DefineSpec[T any](s *Schema, spec Spec) *Type[T] {
	return typeOf[T](s.define(reflect.TypeFor[T](), spec.internal()))
}

// typeOf returns the Type of a new definition, which keeps it for [Repo.Type].
func typeOf[T any](d *definition) *Type[T] {
	t := &Type[T]{d}
	d.typ = t
	return t
}

// In returns the repository of the type on a table. It is cheap: call it wherever a repository is
// needed.
func (t *Type[T]) In(table *Table) *Repo[T] {
	if table == nil {
		return &Repo[T]{d: t.definition()}
	}
	return &Repo[T]{v: &table.view, d: t.definition()}
}

// Encode returns the item that Put would store, with keys and type, but without a new version and
// new timestamps. An item above 409,600 bytes (names and values), a partition key above 2048 bytes
// and a sort key above 1024 bytes are [ErrLimit]. All other mistakes of the entity are reported
// together as [ErrInvalid].
func (t *Type[T]) Encode(e *T) (map[string]types.AttributeValue, error) {
	d := t.definition()
	if err := d.usable(); err != nil {
		return nil, refused("encode", d, err)
	}
	if e == nil {
		return nil, refused("encode", d, errNil)
	}
	item, err := write.Item(d.plan, codec.PtrTo(e))
	if err != nil {
		return nil, refused("encode", d, err)
	}
	return item, nil
}

// Decode decodes an item of the type. An item of another type, or with an attribute that its field
// cannot hold, is [ErrInvalid]. Attributes without a field are dropped, or kept in the field with
// the role rest.
func (t *Type[T]) Decode(item map[string]types.AttributeValue) (T, error) {
	var e, zero T
	d := t.definition()
	if err := d.usable(); err != nil {
		return zero, refused("decode", d, err)
	}
	if !d.plan.Matches(item) {
		return zero, refused("decode", d, errOtherType)
	}
	if err := d.plan.Decode(item, codec.PtrTo(&e)); err != nil {
		return zero, refused("decode", d, err)
	}
	return e, nil
}

// KeyOf returns the table key of an example. If a field of the key is absent, KeyOf returns an
// [ErrInvalid] that names it. A partition key above 2048 bytes or a sort key above 1024 bytes is
// [ErrLimit].
func (t *Type[T]) KeyOf(example T) (map[string]types.AttributeValue, error) {
	d := t.definition()
	if err := d.usable(); err != nil {
		return nil, refused("key", d, err)
	}
	key, err := write.Key(d.plan, codec.PtrTo(&example))
	if err != nil {
		return nil, refused("key", d, err)
	}
	return key, nil
}

// Name returns the type name that items carry, or "" if the definition failed.
func (t *Type[T]) Name() string {
	if d := t.definition(); d != nil && d.plan != nil {
		return d.plan.Name
	}
	return ""
}

func (t *Type[T]) definition() *definition {
	if t == nil {
		return nil
	}
	return t.d
}

package entity

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/write"
)

// Type is an entity type of a schema. It is pure; [Type.In] puts it on a table.
type Type[T any] struct{ d *definition }

// Define adds the struct type T to the schema, with the keys that its tags declare. It never fails: what is wrong with the type is
// said by [Schema.Err] and [Schema.Open], together with everything else. A type that is defined after the schema was opened is
// [ErrInvalid] wherever it is used.
func Define[T any](s *Schema) *Type[T] {
	return &Type[T]{s.define(reflect.TypeFor[T](), nil)}
}

// DefineSpec adds the struct type T to the schema with keys and roles declared outside it. Its attributes are named and encoded by its
// dynamodbav tags as ever.
func DefineSpec[T any](s *Schema, spec Spec) *Type[T] {
	return &Type[T]{s.define(reflect.TypeFor[T](), spec.internal())}
}

// In is the repository of the type on a table. It is made without any work: make it where it is needed.
func (t *Type[T]) In(table *Table) *Repo[T] {
	if table == nil {
		return &Repo[T]{d: t.definition()}
	}
	return &Repo[T]{v: &table.view, d: t.definition()}
}

// Encode is the item that Put would store, keys and type included, without the stamps of version and times. An item above 409,600 bytes,
// names and values, and keys above 2048 and 1024 bytes are [ErrLimit]; whatever else is wrong with the entity is [ErrInvalid], all at once.
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

// Decode reads an item of the type; one that is of another type, or has an attribute that its field cannot hold, is [ErrInvalid]. Attributes that
// have no field are left out, or kept in the field with the role rest.
func (t *Type[T]) Decode(item map[string]types.AttributeValue) (T, error) {
	var e, zero T
	d := t.definition()
	if err := d.usable(); err != nil {
		return zero, refused("decode", d, err)
	}
	if !d.plan.Owns(item) {
		return zero, refused("decode", d, errOtherType)
	}
	if err := d.plan.Decode(item, codec.PtrTo(&e)); err != nil {
		return zero, refused("decode", d, err)
	}
	return e, nil
}

// KeyOf is the table's key of an example. A field that it is made of and that is absent is named by an [ErrInvalid]; a partition key above 2048 bytes or
// a sort key above 1024 is [ErrLimit].
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

// Name is the type name that items carry; empty where the type could not be defined.
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

package entity

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/repo"
)

// Type is an entity type of a schema. It sends no requests; [Type.In] binds it to a table.
type Type[T any] struct{ t *repo.Type }

// Define adds the struct type T to the schema, with the keys that its tags declare. It never fails:
// [Schema.Err] and [Schema.Open] report all mistakes of all types. A type that is defined after the
// schema was opened is [trestle.ErrInvalid] wherever it is used.
func Define[T any](s *Schema) *Type[T] {
	return typeOf[T](s.define(reflect.TypeFor[T](), nil))
}

// DefineSpec adds the struct type T to the schema, with the keys and roles of spec. The dynamodbav
// tags of T name and encode its attributes.
func DefineSpec[T any](s *Schema, spec Spec) *Type[T] {
	return typeOf[T](s.define(reflect.TypeFor[T](), &spec))
}

// typeOf returns the Type of a new definition, which keeps it for [Repo.Type].
func typeOf[T any](d *repo.Type) *Type[T] {
	t := &Type[T]{d}
	d.Public = t
	return t
}

// In returns the repository of the type on a table. It is cheap: call it wherever a repository is
// needed.
func (t *Type[T]) In(table *Table) *Repo[T] { return (*Repo[T])(table.repo(t.declared())) }

// Encode returns the item that Put would store, with keys and type, but without a new version and
// new timestamps. An item above 409,600 bytes (names and values), a partition key above 2048 bytes
// and a sort key above 1024 bytes are [trestle.ErrLimit]. All other mistakes of the entity are
// reported together as [trestle.ErrInvalid].
func (t *Type[T]) Encode(e *T) (map[string]types.AttributeValue, error) {
	return t.declared().Encode(e)
}

// Decode decodes an item of the type. An item of another type, or with an attribute that its field
// cannot hold, is [trestle.ErrInvalid]. Attributes without a field are dropped, or kept in the
// field with the role rest.
func (t *Type[T]) Decode(item map[string]types.AttributeValue) (T, error) {
	var e T
	err := t.declared().Decode(item, &e)
	return e, err
}

// KeyOf returns the table key of an example. If a field of the key is absent, KeyOf returns an
// [trestle.ErrInvalid] that names it. A partition key above 2048 bytes or a sort key above 1024
// bytes is [trestle.ErrLimit].
func (t *Type[T]) KeyOf(example T) (map[string]types.AttributeValue, error) {
	return t.declared().KeyOf(&example)
}

// Name returns the type name that items carry, or "" if the definition failed.
func (t *Type[T]) Name() string { return t.declared().Name() }

// declared returns the type without its type parameter.
func (t *Type[T]) declared() *repo.Type {
	if t == nil {
		return nil
	}
	return t.t
}

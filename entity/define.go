package entity

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/repo"
)

// Type is an entity type of a schema. It sends no requests; [Type.In] binds it to a table.
type Type[T any] struct{ t *repo.Type }

// Define adds the struct type T to the schema, with the keys that its tags declare. It never fails:
// [Schema.Err] and [Schema.Open] report all mistakes of all types. Every operation of a type that
// was defined after the schema was opened returns [trestle.ErrInvalid].
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
//
//go:noinline
func (t *Type[T]) In(table *Table) *Repo[T] { return (*Repo[T])(table.repo(t.declared())) }

// Encode returns the item that Put would store, with keys and type, but without a new version and
// new timestamps. It returns [trestle.ErrLimit] for an item above 409,600 bytes (names and values),
// a partition key above 2048 bytes, or a sort key above 1024 bytes. It returns [trestle.ErrInvalid]
// with all other mistakes of the entity.
//
//go:noinline
func (t *Type[T]) Encode(e *T) (map[string]types.AttributeValue, error) {
	return t.declared().Encode(e)
}

// Decode decodes an item of the type. It returns [trestle.ErrInvalid] for an item of another type,
// by its type attribute or else its key, or with an attribute that its field cannot hold. It
// accepts an item of no type, such as one without its key. Attributes without a field are dropped,
// or kept in the field with the role rest.
//
//go:noinline
func (t *Type[T]) Decode(item map[string]types.AttributeValue) (T, error) {
	var e T
	err := t.declared().Decode(item, &e)
	return e, err
}

// KeyOf returns the table key of an example. If a field of the key has no value, KeyOf returns
// [trestle.ErrInvalid] and names the field. It returns [trestle.ErrLimit] for a partition key above
// 2048 bytes or a sort key above 1024 bytes.
//
//go:noinline
func (t *Type[T]) KeyOf(example T) (map[string]types.AttributeValue, error) {
	return t.declared().KeyOf(&example)
}

// Name returns the type name that items carry, or "" if the definition failed.
//
//go:noinline
func (t *Type[T]) Name() string { return t.declared().Name() }

// declared returns the type without its type parameter.
//
//go:noinline
func (t *Type[T]) declared() *repo.Type {
	if t == nil {
		return nil
	}
	return t.t
}

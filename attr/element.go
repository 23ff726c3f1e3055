package attr

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/trestledb/trestle/internal/core"
)

// At returns the handle of the element of a list at index i, counted from 0.
func At[T any, S ~[]E, E any](f *Field[T, S], i int) *Field[T, E] {
	return (*Field[T, E])((*handle)(f).element(reflect.TypeFor[E](), i))
}

// Key returns the handle of an entry of a map.
func Key[T any, M ~map[K]V, K ~string, V any](f *Field[T, M], key K) *Field[T, V] {
	return (*Field[T, V])((*handle)(f).entry(reflect.TypeFor[V](), string(key), key))
}

// Sub returns the handle of a field inside the struct that another handle names, or that it points
// to, such as an element or an entry. The function is like that of [Must].
func Sub[T, E, F any](f *Field[T, E], g func(*E) *F) *Field[T, F] {
	return (*Field[T, F])((*handle)(f).subfield(g))
}

// extend returns the handle of a part of the attribute that h names.
//
//go:noinline
func (h *handle) extend(leaf reflect.Type, err error, steps ...*core.Step) *handle {
	return &handle{h.pathOrNil().Extend(leaf, err, steps...)}
}

//go:noinline
func (h *handle) element(leaf reflect.Type, i int) *handle {
	var err error
	if i < 0 {
		err = fmt.Errorf("attr: At is given the negative index %d", i)
	}
	return h.extend(leaf, err, &core.Step{Kind: core.StepAt, At: i})
}

// entry takes the text of a map's key and the key itself, whose type may implement
// encoding.TextMarshaler.
//
//go:noinline
func (h *handle) entry(leaf reflect.Type, name string, key any) *handle {
	var err error
	if m, ok := key.(encoding.TextMarshaler); ok {
		var text []byte
		text, err = m.MarshalText()
		name = string(text)
	}
	return h.extend(leaf, err, &core.Step{Kind: core.StepKey, Name: name})
}

// subfield takes a func(*E) *F.
//
//go:noinline
func (h *handle) subfield(f any) *handle {
	inner, err := find(f)
	if err != nil {
		return h.extend(reflect.TypeOf(f).Out(0).Elem(), err)
	}
	return h.extend(inner.Leaf, nil, inner.In(indirect(inner.Owner))...)
}

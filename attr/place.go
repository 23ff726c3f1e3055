package attr

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/trestledb/trestle/internal/core"
)

// At is the handle of a list's element, counted from 0.
func At[T any, S ~[]E, E any](f Field[T, S], i int) Field[T, E] {
	var err error
	if i < 0 {
		err = fmt.Errorf("attr: At is given the position %d", i)
	}
	return Field[T, E]{path: f.path.Extend(reflect.TypeFor[E](), err, &core.Step{Kind: core.StepAt, At: i})}
}

// Key is the handle of a map's entry.
func Key[T any, M ~map[K]V, K ~string, V any](f Field[T, M], key K) Field[T, V] {
	name, err := string(key), error(nil)
	if m, ok := any(key).(encoding.TextMarshaler); ok {
		var text []byte
		text, err = m.MarshalText()
		name = string(text)
	}
	return Field[T, V]{path: f.path.Extend(reflect.TypeFor[V](), err, &core.Step{Kind: core.StepKey, Name: name})}
}

// Sub is the handle of a field inside what another handle names, a struct or a pointer to one: an element's, an entry's. The function is
// as for [Must].
func Sub[T, E, F any](f Field[T, E], g func(*E) *F) Field[T, F] {
	inner, err := find(g)
	if err != nil {
		return Field[T, F]{path: f.path.Extend(reflect.TypeFor[F](), err)}
	}
	return Field[T, F]{path: f.path.Extend(reflect.TypeFor[F](), nil, inner.In(behind(reflect.TypeFor[E]()))...)}
}

package attr

import (
	"fmt"
	"reflect"

	"github.com/trestledb/trestle/internal/core"
)

// Must returns the handle of the field whose address f returns. It calls f with a value of T whose
// pointers to structs are all set:
//
//	var City = attr.Must(func(e *Employee) *string { return &e.Work.City })
//
// For a field that is itself a pointer, f may return the pointer (return e.Limit) to get a handle
// of the value that it points to. Must is meant for package variables: it panics if f does not
// return the address of a stored field. See [Find].
func Must[T, F any](f func(*T) *F) *Field[T, F] { return (*Field[T, F])(must(f)) }

// Find is [Must] with an error instead of a panic.
func Find[T, F any](f func(*T) *F) (*Field[T, F], error) {
	h, err := findField(f)
	return (*Field[T, F])(h), err
}

// Named returns the handle of a path that is known only at run time, such as a.b[3]: attribute
// names joined by dots, indexes in brackets. A name that contains a dot, a bracket or a quote is
// written as a quoted Go string: a."b.c"[3]. A wrong path is reported when it is used, because the
// fields of T are known then. Operands are of any type that fits the field; [Typed] adds the type.
func Named[T any](path string) *Field[T, any] {
	return (*Field[T, any])(named(reflect.TypeFor[T](), path))
}

// Typed adds a type to a run-time path, for the functions that require one. If it is not the type
// of the field, using the handle returns an error.
func Typed[F, T any](f *Field[T, any]) *Field[T, F] {
	return (*Field[T, F])((*handle)(f).extend(reflect.TypeFor[F](), nil))
}

func must(f any) *handle {
	h, err := findField(f)
	if err != nil {
		panic(err.Error()) //nolint:forbidigo // Must is for package variables, as its name says
	}
	return h
}

// findField takes a func(*T) *F, where T is an entity.
func findField(f any) (*handle, error) {
	if t := reflect.TypeOf(f).In(0).Elem(); t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("attr: an entity must be a struct type, and %s is not one", t)
	}
	p, err := find(f)
	if err != nil {
		return nil, err
	}
	return &handle{p}, nil
}

func named(owner reflect.Type, path string) *handle {
	steps, err := parsePath(path)
	return &handle{&core.Path{Owner: owner, Steps: steps, Err: err}}
}

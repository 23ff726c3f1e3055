package attr

import (
	"fmt"
	"reflect"

	"github.com/trestledb/trestle/internal/core"
)

// Must is the handle of the field whose address f returns, given a value of T whose pointers to structs all lead somewhere:
//
//	var City = attr.Must(func(e *Employee) *string { return &e.Work.City })
//
// Of a field that is a pointer itself, f may return the pointer (return e.Limit) for a handle of what it points to. Must panics where
// f returns no address of a field that is stored: it is for package variables. See [Find].
func Must[T, F any](f func(*T) *F) *Field[T, F] { return (*Field[T, F])(must(f)) }

// Find is [Must] with an error instead of a panic.
func Find[T, F any](f func(*T) *F) (*Field[T, F], error) {
	h, err := findField(f)
	return (*Field[T, F])(h), err
}

// Named is the handle of a path that is known only at run time, such as a.b[3]: attribute names joined by dots, positions in brackets.
// A name with a dot, a bracket or a quote in it is written as a quoted Go string: a."b.c"[3]. What is wrong with the path is said when it
// is used, where T's fields are known. Operands are of any type that fits the field; [Typed] gives the handle one.
func Named[T any](path string) *Field[T, any] {
	return (*Field[T, any])(named(reflect.TypeFor[T](), path))
}

// Typed says which type a run-time path has, for the functions that ask for one. A type that is not the field's is refused when the handle
// is used.
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

// findField takes a func(*T) *F, T being an entity.
func findField(f any) (*handle, error) {
	if t := reflect.TypeOf(f).In(0).Elem(); t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("attr: an entity is a struct type, and %s is none", t)
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

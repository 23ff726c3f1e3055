package attr

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// find returns the path of the field whose address the function returns. It takes a func(*T) *F,
// where T is a struct or a pointer to one, and calls it with a zero value of T.
func find(function any) (*core.Path, error) {
	f := reflect.ValueOf(function)
	owner, leaf := f.Type().In(0).Elem(), f.Type().Out(0).Elem()
	fail := func(reason, hint string) error {
		return fmt.Errorf("attr: no handle of type %s in %s: %s (%s)", leaf, owner, reason, hint)
	}
	switch {
	case indirect(owner).Kind() != reflect.Struct:
		return nil, fail(owner.String()+" is not a struct", hintReturn)
	case f.IsNil():
		return nil, fail("the function is nil", hintReturn)
	case leaf.Size() == 0:
		return nil, fail("a value of size zero has no address of its own", "a stored field has a size")
	}
	root := reflect.New(owner)
	p, ok := call(f, root)
	if p == 0 { // the path contains a pointer
		allocate(root.Elem())
		p, ok = call(f, root)
	}
	switch {
	case !ok:
		return nil, fail("the function panics when called with a value that has no elements", "for an element of a list or a map use attr.At, attr.Key and attr.Sub")
	case p == 0:
		return nil, fail("the function returns nil", hintReturn)
	}
	s := search{addr: p, leaf: leaf}
	s.value(root.Elem(), nil, 0)
	runtime.KeepAlive(root)
	switch {
	case s.found == nil:
		return nil, fail("the function returns the address of something else", hintReturn)
	case s.notStored != "":
		return nil, fail(s.notStored, "a handle names a stored field")
	}
	return &core.Path{Owner: owner, Steps: s.found, Leaf: leaf}, nil
}

// call returns the address that f returns, or 0 for nil. It returns false if f panics.
func call(f, root reflect.Value) (p uintptr, ok bool) {
	defer func() {
		if recover() != nil {
			p, ok = 0, false
		}
	}()
	return f.Call([]reflect.Value{root})[0].Pointer(), true
}

// indirect returns the type that t points to, through any number of pointers up to maxDepth.
func indirect(t reflect.Type) reflect.Type {
	for range maxDepth {
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}

const hintReturn = "return the address of a field: func(e *T) *F { return &e.Field }"

// search finds the value of type leaf at an address. The address and the type together are unique:
// a type cannot contain itself, and types of size zero are rejected.
type search struct {
	addr      uintptr
	leaf      reflect.Type
	found     []*core.Step
	notStored string // why the field that was found is not stored
}

// value searches v, which is addressable. The depth limits the number of pointers on the path.
func (s *search) value(v reflect.Value, path []core.Step, depth int) bool {
	if len(path) > 0 && v.Type() == s.leaf && v.Addr().Pointer() == s.addr {
		s.found = join(path)
		return true
	}
	switch v.Kind() {
	case reflect.Struct:
		return s.fields(v, path, depth)
	case reflect.Array:
		return s.elements(v, path, depth)
	case reflect.Pointer:
		return !v.IsNil() && depth < maxDepth && s.value(v.Elem(), path, depth+1)
	default:
		return false
	}
}

func (s *search) fields(v reflect.Value, path []core.Step, depth int) bool {
	for i := range v.NumField() {
		at := v.Field(i)
		if !s.contains(at) && !hasPointers(at) {
			continue
		}
		step := core.Step{Kind: core.StepField, Index: []int{i}}
		if s.value(at, append(path[:len(path):len(path)], step), depth) {
			s.checkStored(v.Type(), v.Type().Field(i))
			return true
		}
	}
	return false
}

func (s *search) elements(v reflect.Value, path []core.Step, depth int) bool {
	size := v.Type().Elem().Size()
	if size == 0 || v.Len() == 0 {
		return false
	}
	if base := v.Addr().Pointer(); s.contains(v) {
		i := int((s.addr - base) / size)
		return s.value(v.Index(i), append(path[:len(path):len(path)], core.Step{Kind: core.StepAt, At: i}), depth)
	}
	return false
}

// contains reports whether the address is in the memory of v itself.
func (s *search) contains(v reflect.Value) bool {
	base := v.Addr().Pointer()
	return s.addr >= base && s.addr-base < v.Type().Size()
}

// hasPointers reports whether v may contain pointers to follow.
func hasPointers(v reflect.Value) bool {
	return v.Kind() == reflect.Struct || v.Kind() == reflect.Pointer && !v.IsNil()
}

func (s *search) checkStored(owner reflect.Type, f reflect.StructField) {
	name, _, _ := strings.Cut(f.Tag.Get("dynamodbav"), ",")
	switch {
	case name == "-":
		s.notStored = owner.String() + "." + f.Name + ` is not stored: its tag is dynamodbav:"-"`
	case !f.IsExported() && (!f.Anonymous || f.Type.Kind() != reflect.Struct):
		s.notStored = owner.String() + "." + f.Name + " is not stored: it is not exported"
	}
}

// join merges consecutive field steps into one step.
func join(path []core.Step) []*core.Step {
	var steps []*core.Step
	for _, s := range path {
		if n := len(steps); s.Kind == core.StepField && n > 0 && steps[n-1].Kind == core.StepField {
			steps[n-1].Index = append(steps[n-1].Index, s.Index...)
			continue
		}
		s.Index = append([]int(nil), s.Index...)
		steps = append(steps, &s)
	}
	return steps
}

package wire

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// kind is the JSON form of a type.
type kind uint8

const (
	kindText kind = iota + 1
	kindBool
	kindInteger
	kindFloat
	kindPointer
	kindStruct
	kindList
	kindMap
	kindItem         // a [value.Map]
	kindAttribute    // a [value.Value]
	kindPlaceholders // a map of attribute values
	kindNames        // a map of strings
)

// shape is the plan for decoding and encoding a type.
type shape struct {
	kind   kind
	typ    reflect.Type
	elem   *shape // of a pointer, a list or a map
	class  string // the service's name
	fields []field
	names  []memberName // of all members; some fields have several

	// One bit for each field: it has constraints, it is required, it lists unsupported members.
	limited, required, unsupported uint64
}

// memberName is the name of a member and the index of its field.
type memberName struct {
	name  string
	place int
}

// find returns the index of the field of a member. The names are few: a search from the first one
// on is faster than a map.
func (s *shape) find(name []byte) (place int, known bool) {
	for i := range s.names {
		if n := &s.names[i]; n.name == string(name) {
			return n.place, true
		}
	}
	return 0, false
}

// field is a member of a struct.
type field struct {
	name   string // in JSON
	path   string // in messages
	prefix string // in JSON before the value, such as `"Limit":`
	index  []int
	shape  *shape
	limits limits
}

// in returns the field's value in a struct.
func (f *field) in(structure reflect.Value) reflect.Value {
	v := structure.Field(f.index[0])
	for _, i := range f.index[1:] {
		v = v.Field(i)
	}
	return v
}

// Type is a type of package api that is decoded or encoded often: it searches its shape only once.
type Type struct {
	typ   reflect.Type
	shape atomic.Pointer[shape] // nil before the first use
}

// TypeFor returns the Type of a struct of package api.
func TypeFor[T any]() *Type { return &Type{typ: reflect.TypeFor[T]()} }

func (t *Type) get() *shape {
	s := t.shape.Load()
	if s == nil {
		s = shapeOf(t.typ)
		t.shape.Store(s)
	}
	return s
}

var shapes sync.Map // from reflect.Type to *shape

// shapeOf returns the shape of a type, and creates it on first use. It panics for a type that
// package api does not use.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s, _ := shapes.LoadOrStore(t, makeShape(t))
	return s.(*shape)
}

func makeShape(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[value.Map]():
		return &shape{kind: kindItem, typ: t, class: itemClass}
	case reflect.TypeFor[value.Value]():
		return &shape{kind: kindAttribute, typ: t, class: attributeClass}
	case reflect.TypeFor[map[string]value.Value]():
		return &shape{kind: kindPlaceholders, typ: t, class: itemClass}
	case reflect.TypeFor[map[string]string]():
		return &shape{kind: kindNames, typ: t, class: mapClass("java.lang.String")}
	}
	switch t.Kind() {
	case reflect.String:
		return &shape{kind: kindText, typ: t, class: "String"}
	case reflect.Bool:
		return &shape{kind: kindBool, typ: t, class: "Boolean"}
	case reflect.Int, reflect.Int64:
		return &shape{kind: kindInteger, typ: t, class: "Integer"}
	case reflect.Float64:
		return &shape{kind: kindFloat, typ: t, class: "Double"}
	case reflect.Pointer:
		return &shape{kind: kindPointer, typ: t, elem: shapeOf(t.Elem())}
	case reflect.Slice:
		return &shape{kind: kindList, typ: t, elem: shapeOf(t.Elem()), class: "java.util.List"}
	case reflect.Map:
		return &shape{kind: kindMap, typ: t, elem: shapeOf(t.Elem()), class: mapClass(className(t.Elem()))}
	case reflect.Struct:
		return structShape(t)
	}
	panicf("no JSON for %s", t)
	return nil
}

// className returns the service's name of a struct, or of a list of structs.
func className(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return className(t.Elem())
	case reflect.Slice:
		return "java.util.List<" + className(t.Elem()) + ">"
	}
	return modelClass + t.Name()
}

// maxFields is the largest number of members of a struct: the bits of a uint64.
const maxFields = 64

func structShape(t reflect.Type) *shape {
	s := &shape{kind: kindStruct, typ: t, class: "class " + className(t)}
	for _, member := range reflect.VisibleFields(t) {
		if member.Anonymous {
			continue
		}
		place := len(s.fields)
		if place == maxFields {
			panicf("%s has too many members", t)
		}
		f := makeField(member)
		for _, name := range f.members() {
			s.names = append(s.names, memberName{name, place})
		}
		if f.limits.declared {
			s.limited |= 1 << place
		}
		if f.limits.unsupported != nil {
			s.unsupported |= 1 << place
		}
		if f.limits.required {
			s.required |= 1 << place
		}
		s.fields = append(s.fields, f)
	}
	return s
}

func makeField(member reflect.StructField) field {
	f := field{name: member.Name, index: member.Index, shape: shapeOf(member.Type)}
	if name := member.Tag.Get("json"); name != "" {
		f.name = name
	}
	f.path = lowerFirst(f.name)
	f.prefix = `"` + f.name + `":`
	f.limits = parseTag(member.Tag.Get("api"))
	if f.limits.long {
		f.shape = asLong(f.shape)
	}
	return f
}

// members returns the names of the members that the field is for.
func (f *field) members() []string {
	if f.limits.unsupported != nil {
		return f.limits.unsupported
	}
	return []string{f.name}
}

// asLong returns the shape of an integer, or of a pointer to one, that the service calls a Long.
func asLong(s *shape) *shape {
	long := *s
	if s.kind == kindPointer {
		long.elem = asLong(s.elem)
	} else {
		long.class = "Long"
	}
	return &long
}

// lowerFirst returns the name of a member as messages spell it.
func lowerFirst(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

// panicf panics for an error in the declarations of package api. No request can cause it, and
// every test would find it.
func panicf(format string, args ...any) {
	panic("wire: " + fmt.Sprintf(format, args...)) //nolint:forbidigo // a mistake in the declaration of a type
}

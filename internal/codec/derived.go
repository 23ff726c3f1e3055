package codec

import (
	"reflect"

	"github.com/trestledb/trestle/keys"
)

// Derived returns an integer field that no struct has. Its value in a key is computed from the
// other fields of the struct. It is never stored as an attribute, so reading it back does nothing.
func Derived(name string, value func(Ptr) (keys.Value, error)) *Field {
	node := nodeOf(reflect.TypeFor[int]())
	return &Field{Name: name, GoName: name, Node: node, KeyOnly: true, derived: value}
}

// IsDerived reports whether the field is computed from others.
func (f *Field) IsDerived() bool { return f.derived != nil }

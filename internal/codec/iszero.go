package codec

import "reflect"

// zeroer is a type whose method says which values are empty.
type zeroer interface{ IsZero() bool }

// isZero reports whether omitempty omits a value of a type with its own form and a method IsZero. A
// reader of an item without the attribute gets the Go zero value, so the value must have the form
// of that one: IsZero may be a method of an embedded type.
func (n *Node) isZero(p Ptr) bool {
	if !p.pointer(n.Type).(zeroer).IsZero() {
		return false
	}
	form, err := (&encoder{}).encodeValue(n, p, plain)
	if err != nil {
		return false
	}
	zero, err := (&encoder{}).encodeValue(n, PtrOf(reflect.New(n.Type).Elem()), plain)
	return err == nil && reflect.DeepEqual(form, zero)
}

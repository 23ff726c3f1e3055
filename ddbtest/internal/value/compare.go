package value

import "strings"

// Compare is the order of two values of the same type: texts by their bytes in UTF-8, numbers by value, byte strings as unsigned bytes. Values
// of two types, and those of any other type, have no order, and ok is false.
func Compare(a, b Value) (order int, ok bool) {
	switch a := a.(type) {
	case String:
		if b, ok := b.(String); ok {
			return strings.Compare(string(a), string(b)), true
		}
	case Number:
		if b, ok := b.(Number); ok {
			return a.Cmp(b.Decimal), true
		}
	case Binary:
		if b, ok := b.(Binary); ok {
			return strings.Compare(string(a), string(b)), true
		}
	}
	return 0, false
}

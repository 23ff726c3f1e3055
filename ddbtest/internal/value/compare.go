package value

import "strings"

// Compare returns the order of two values of the same type: strings by their UTF-8 bytes, numbers
// by value, binary values as unsigned bytes. For two types, or for any other type, ok is false.
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

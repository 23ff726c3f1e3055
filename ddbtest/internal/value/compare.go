package value

import (
	"slices"
	"strings"
)

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

// Equal reports whether two values have the same type and are equal. Numbers are compared by value,
// sets as sets, lists and maps recursively. A nil value equals only nil.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case List:
		b, ok := b.(List)
		return ok && slices.EqualFunc(a, b, Equal)
	case Map:
		b, ok := b.(Map)
		return ok && a.Equal(b)
	case StringSet:
		b, ok := b.(StringSet)
		return ok && slices.Equal(a, b)
	case NumberSet:
		b, ok := b.(NumberSet)
		return ok && slices.Equal(a, b)
	case BinarySet:
		b, ok := b.(BinarySet)
		return ok && slices.Equal(a, b)
	}
	return a == b // == cannot panic here: the types that are not comparable are handled above
}

// Equal reports whether two items have the same names with equal values.
func (m Map) Equal(o Map) bool {
	return slices.EqualFunc(m, o, func(a, b Attribute) bool { return a.Name == b.Name && Equal(a.Value, b.Value) })
}

package value

import "slices"

// Equal tells whether two values are of one type and equal: numbers by value whatever their spelling was, sets as sets, lists and maps in all
// their depth. No value, which is nil, equals no value only.
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
	return a == b // which are not both of a type that == cannot take
}

// Equal tells whether two items have the same names with equal values.
func (m Map) Equal(o Map) bool {
	return slices.EqualFunc(m, o, func(a, b Attribute) bool { return a.Name == b.Name && Equal(a.Value, b.Value) })
}

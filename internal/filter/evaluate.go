package filter

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

func anyOf(list []predicate) predicate {
	if len(list) == 1 {
		return list[0]
	}
	return func(item core.Row) bool {
		for _, p := range list {
			if p(item) {
				return true
			}
		}
		return false
	}
}

func allOf(list []predicate) predicate {
	if len(list) == 1 {
		return list[0]
	}
	return func(item core.Row) bool {
		for _, p := range list {
			if !p(item) {
				return false
			}
		}
		return true
	}
}

func negated(p predicate) predicate { return func(item core.Row) bool { return !p(item) } }

// comparisons are the comparison operators. An operand without a value is unequal to everything,
// also to another one without a value, and has no order. So are values of two types.
var comparisons = map[string]func(a, b core.AV) bool{
	"=":  equal,
	"<>": func(a, b core.AV) bool { return !equal(a, b) },
	"<":  func(a, b core.AV) bool { order, ok := compare(a, b); return ok && order < 0 },
	"<=": func(a, b core.AV) bool { order, ok := compare(a, b); return ok && order <= 0 },
	">":  func(a, b core.AV) bool { order, ok := compare(a, b); return ok && order > 0 },
	">=": func(a, b core.AV) bool { order, ok := compare(a, b); return ok && order >= 0 },
}

func equal(a, b core.AV) bool { return a != nil && b != nil && core.SameValue(a, b) }

// scalars are the types with an order.
const scalars = codec.WireS | codec.WireN | codec.WireB

// compare returns the order of two values, or false if they have none.
func compare(a, b core.AV) (order int, ok bool) {
	if a == nil || b == nil || codec.WireOf(a) != codec.WireOf(b) || codec.WireOf(a)&scalars == 0 {
		return 0, false
	}
	return core.CompareValues(a, b), true
}

// between includes both bounds.
func between(of, low, high operand) predicate {
	return func(item core.Row) bool {
		v := of(item)
		return comparisons[">="](v, low(item)) && comparisons["<="](v, high(item))
	}
}

func in(of operand, list []operand) predicate {
	return func(item core.Row) bool {
		v := of(item)
		for _, o := range list {
			if equal(v, o(item)) {
				return true
			}
		}
		return false
	}
}

package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// predicate evaluates to true or false for an item: a [comparison], [within], [among], [test],
// [allOf], [anyOf] or [negated].
type predicate interface {
	holds(item value.Map) bool
}

// comparison compares two operands. Operands without a value, or of different types, are unequal
// and have no order.
type comparison struct {
	operator    *operator
	left, right operand
}

func (c comparison) holds(item value.Map) bool {
	left, right := c.left.in(item), c.right.in(item)
	switch c.operator {
	case equal:
		return left != nil && value.Equal(left, right)
	case unequal:
		return left == nil || !value.Equal(left, right)
	}
	order, ok := value.Compare(left, right)
	return ok && c.operator.accepts(order)
}

// accepts reports whether the operator is true for two values in that order.
func (o *operator) accepts(order int) bool {
	switch o {
	case less:
		return order < 0
	case lessEqual:
		return order <= 0
	case greater:
		return order > 0
	default:
		return order >= 0
	}
}

// within is BETWEEN. It includes both bounds.
type within struct{ operand, low, high operand }

func (w within) holds(item value.Map) bool {
	v := w.operand.in(item)
	above, ok := value.Compare(v, w.low.in(item))
	if !ok || above < 0 {
		return false
	}
	below, ok := value.Compare(v, w.high.in(item))
	return ok && below <= 0
}

// among is IN.
type among struct {
	operand operand
	list    []operand
}

func (a among) holds(item value.Map) bool {
	v := a.operand.in(item)
	if v == nil {
		return false
	}
	for _, o := range a.list {
		if value.Equal(v, o.in(item)) {
			return true
		}
	}
	return false
}

// test is a function that returns true or false.
type test struct {
	function *function
	name     string
	operands operandList
}

func (t test) holds(item value.Map) bool { return t.function.test(t.operands.in(item)) }

// allOf is AND.
type allOf []predicate

func (a allOf) holds(item value.Map) bool {
	for _, p := range a {
		if !p.holds(item) {
			return false
		}
	}
	return true
}

// anyOf is OR.
type anyOf []predicate

func (a anyOf) holds(item value.Map) bool {
	for _, p := range a {
		if p.holds(item) {
			return true
		}
	}
	return false
}

// negated is NOT.
type negated struct{ predicate }

func (n negated) holds(item value.Map) bool { return !n.predicate.holds(item) }

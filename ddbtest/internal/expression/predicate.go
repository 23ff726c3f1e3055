package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// predicate evaluates to true or false for an item: a [comparison], [betweenTest], [inTest],
// [functionTest], [andTest], [orTest] or [notTest].
type predicate interface {
	eval(item value.Map) bool
}

// comparison compares two operands. Operands without a value, or of different types, are unequal
// and have no order.
type comparison struct {
	operator    *operator
	left, right operand
}

func (c comparison) eval(item value.Map) bool {
	left, right := c.left.valueIn(item), c.right.valueIn(item)
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

// betweenTest is BETWEEN. It includes both bounds.
type betweenTest struct{ operand, low, high operand }

func (w betweenTest) eval(item value.Map) bool {
	v := w.operand.valueIn(item)
	above, ok := value.Compare(v, w.low.valueIn(item))
	if !ok || above < 0 {
		return false
	}
	below, ok := value.Compare(v, w.high.valueIn(item))
	return ok && below <= 0
}

// inTest is IN.
type inTest struct {
	operand operand
	list    []operand
}

func (a inTest) eval(item value.Map) bool {
	v := a.operand.valueIn(item)
	if v == nil {
		return false
	}
	for _, o := range a.list {
		if value.Equal(v, o.valueIn(item)) {
			return true
		}
	}
	return false
}

// functionTest is a function that returns true or false.
type functionTest struct {
	function *function
	name     string
	operands operandList
}

func (t functionTest) eval(item value.Map) bool { return t.function.test(t.operands.valuesIn(item)) }

// andTest is AND.
type andTest []predicate

func (a andTest) eval(item value.Map) bool {
	for _, p := range a {
		if !p.eval(item) {
			return false
		}
	}
	return true
}

// orTest is OR.
type orTest []predicate

func (a orTest) eval(item value.Map) bool {
	for _, p := range a {
		if p.eval(item) {
			return true
		}
	}
	return false
}

// notTest is NOT.
type notTest struct{ predicate }

func (n notTest) eval(item value.Map) bool { return !n.predicate.eval(item) }

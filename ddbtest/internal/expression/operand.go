package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// operand is something that may have a value in an item: a [Path], a [literal] or a [functionCall].
type operand interface {
	// valueIn returns its value in an item, or nil.
	valueIn(item value.Map) value.Value
	// kind returns the type of its value, or 0 if it depends on the item.
	kind() value.Kind
}

func (p Path) valueIn(item value.Map) value.Value { return p.Find(item) }
func (p Path) kind() value.Kind                   { return 0 }

// literal is a value of the request.
type literal struct{ value value.Value }

func (l literal) valueIn(value.Map) value.Value { return l.value }
func (l literal) kind() value.Kind              { return l.value.Kind() }

// functionCall is a function that returns a value.
type functionCall struct {
	function *function
	operands operandList
}

func (c functionCall) valueIn(item value.Map) value.Value {
	return c.function.value(c.operands.valuesIn(item))
}
func (c functionCall) kind() value.Kind { return c.function.kind }

// operandList is the operands of a function.
type operandList []operand

func (l operandList) valuesIn(item value.Map) arguments {
	var x arguments
	for i, o := range l {
		x[i] = o.valueIn(item)
	}
	return x
}

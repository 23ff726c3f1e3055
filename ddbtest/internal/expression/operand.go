package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// operand is something that may have a value in an item: a [Path], a [literal] or a [calculation].
type operand interface {
	// in returns its value in an item, or nil.
	in(item value.Map) value.Value
	// kind returns the type of its value, or 0 if it depends on the item.
	kind() value.Kind
}

func (p Path) in(item value.Map) value.Value { return p.Find(item) }
func (p Path) kind() value.Kind              { return 0 }

// literal is a value of the request.
type literal struct{ given value.Value }

func (l literal) in(value.Map) value.Value { return l.given }
func (l literal) kind() value.Kind         { return l.given.Kind() }

// calculation is a function that returns a value.
type calculation struct {
	function *function
	operands operandList
}

func (c calculation) in(item value.Map) value.Value { return c.function.value(c.operands.in(item)) }
func (c calculation) kind() value.Kind              { return c.function.kind }

// operandList is the operands of a function.
type operandList []operand

func (l operandList) in(item value.Map) arguments {
	var x arguments
	for i, o := range l {
		x[i] = o.in(item)
	}
	return x
}

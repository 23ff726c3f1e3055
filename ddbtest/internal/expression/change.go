package expression

import (
	"errors"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// change is one change of an update.
type change struct {
	keyword tokenKind
	target  Path
	value   value.Value // operand of an ADD or a DELETE
	source  assignment  // right side of a SET
}

// assignment is the right side of a SET: the value of an operand, a [sum], or the result of a
// function.
type assignment interface {
	eval(item value.Map) (value.Value, error)
}

// bindChange binds an action whose target is already bound.
func (b *binder) bindChange(a action, target Path) (*change, error) {
	c := &change{keyword: a.keyword, target: target}
	var err error
	switch a.keyword {
	case setToken:
		c.source, err = b.assignment(a.source)
	case addToken:
		c.value, err = b.bindAddend(a, numbers|sets, "ALLOWED_FOR_ADD_OPERAND")
	case deleteToken:
		c.value, err = b.bindAddend(a, sets, "ALLOWED_FOR_DELETE_OPERAND")
	}
	return c, err
}

// assignment binds the right side of a SET.
func (b *binder) assignment(n node) (assignment, error) {
	if o, ok := n.(*operation); ok {
		return b.bindSum(o)
	}
	if c, ok := n.(*call); ok && functions[c.name].assign != nil {
		f, operands, err := b.bindCall(c)
		return functionResult{f, operands}, err
	}
	o, err := b.bindOperand(n)
	return operandValue{o}, err
}

// bindSum binds a sum. Only other parsers make a sum of sums.
func (b *binder) bindSum(o *operation) (assignment, error) {
	b.operators++
	s := sum{operator: o.operator}
	for i, into := range []*assignment{&s.left, &s.right} {
		if part, ok := o.operands[i].(*operation); ok {
			nested, err := b.bindSum(part)
			if err != nil {
				return nil, err
			}
			*into = nested
			continue
		}
		operand, err := b.bindOperand(o.operands[i])
		if err != nil {
			return nil, err
		}
		if err := b.checkOperand(operand, operandOf(o.operator.kinds), o.operator.symbol); err != nil {
			return nil, err
		}
		*into = operandValue{operand}
	}
	return s, nil
}

// bindAddend binds the value of an ADD or a DELETE. Its error messages use other type names than
// all others.
func (b *binder) bindAddend(a action, kinds kindSet, typeSet string) (value.Value, error) {
	l, err := b.bindLiteral(a.source)
	if err != nil {
		return nil, err
	}
	if !kinds.allows(l.kind()) {
		return nil, b.errorf("Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: %s",
			sectionNames[a.keyword], longKindNames[l.kind()], typeSet)
	}
	return l.value, nil
}

var longKindNames = map[value.Kind]string{
	value.KindString: "STRING", value.KindNumber: "NUMBER", value.KindBinary: "BINARY", value.KindBool: "BOOLEAN",
	value.KindNull: "NULL", value.KindList: "LIST", value.KindMap: "MAP",
}

// result returns the new value of the target; nil removes it.
func (c *change) result(item value.Map) (value.Value, error) {
	switch c.keyword {
	case setToken:
		return c.source.eval(item)
	case addToken:
		return add(c.target.Find(item), c.value)
	case deleteToken:
		return subtract(c.target.Find(item), c.value)
	default:
		return nil, nil
	}
}

// add returns the result of an ADD. current is nil if the attribute does not exist.
func add(current, given value.Value) (value.Value, error) {
	if current == nil {
		return given, nil
	}
	switch given := given.(type) {
	case value.Number:
		return sumOf(plus, current, given)
	case value.StringSet:
		if set, ok := current.(value.StringSet); ok {
			return set.Union(given), nil
		}
	case value.NumberSet:
		if set, ok := current.(value.NumberSet); ok {
			return set.Union(given), nil
		}
	case value.BinarySet:
		if set, ok := current.(value.BinarySet); ok {
			return set.Union(given), nil
		}
	case value.List: // only a [Change] adds lists
		if list, ok := current.(value.List); ok {
			return slices.Concat(list, given), nil
		}
	}
	return nil, errOperandType()
}

// subtract returns the result of a DELETE. It is nil if the set becomes empty.
func subtract(current, given value.Value) (value.Value, error) {
	if current == nil {
		return nil, nil
	}
	switch set := current.(type) {
	case value.StringSet:
		if given, ok := given.(value.StringSet); ok {
			return nilIfEmpty(set.Difference(given))
		}
	case value.NumberSet:
		if given, ok := given.(value.NumberSet); ok {
			return nilIfEmpty(set.Difference(given))
		}
	case value.BinarySet:
		if given, ok := given.(value.BinarySet); ok {
			return nilIfEmpty(set.Difference(given))
		}
	}
	return nil, errOperandType()
}

func nilIfEmpty[S interface {
	value.Value
	~[]E
}, E any](set S) (value.Value, error) {
	if len(set) == 0 {
		return nil, nil
	}
	return set, nil
}

// operandValue assigns the value of an operand.
type operandValue struct{ operand }

func (c operandValue) eval(item value.Map) (value.Value, error) {
	if v := c.valueIn(item); v != nil {
		return v, nil
	}
	return nil, errNoAttribute()
}

// functionResult assigns the result of a function.
type functionResult struct {
	function *function
	operands operandList
}

func (m functionResult) eval(item value.Map) (value.Value, error) {
	return m.function.assign(m.operands.valuesIn(item))
}

// sum adds or subtracts two numbers: values of operands, or sums.
type sum struct {
	operator    *operator
	left, right assignment
}

func (s sum) eval(item value.Map) (value.Value, error) {
	left, err := s.left.eval(item)
	if err == nil {
		_, err = number(left)
	}
	if err != nil {
		return nil, err
	}
	right, err := s.right.eval(item)
	if err != nil {
		return nil, err
	}
	return sumOf(s.operator, left, right)
}

func sumOf(o *operator, left, right value.Value) (value.Value, error) {
	l, err := number(left)
	if err != nil {
		return nil, err
	}
	r, err := number(right)
	if err != nil {
		return nil, err
	}
	calculate := decimal.Decimal.Add
	if o == minus {
		calculate = decimal.Decimal.Sub
	}
	d, err := calculate(l, r)
	switch {
	case errors.Is(err, decimal.ErrUnderflow):
		return nil, awserr.Validation("Number underflow. Attempting to store a number with magnitude smaller than supported range")
	case err != nil:
		return nil, awserr.Validation("Number overflow. Attempting to store a number with magnitude larger than supported range")
	}
	return value.Number{Decimal: d}, nil
}

func number(v value.Value) (decimal.Decimal, error) {
	if v == nil {
		return decimal.Decimal{}, errNoAttribute()
	}
	n, ok := v.(value.Number)
	if !ok {
		return decimal.Decimal{}, errOperandType()
	}
	return n.Decimal, nil
}

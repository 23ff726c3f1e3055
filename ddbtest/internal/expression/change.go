package expression

import (
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// change is one change of an update.
type change struct {
	keyword tokenKind
	target  Path
	given   value.Value // operand of an ADD or a DELETE
	source  assigned    // right side of a SET
}

// assigned is the right side of a SET: the value of an operand, a [sum], or the result of a
// function.
type assigned interface {
	from(item value.Map) (value.Value, error)
}

// change binds an action whose target is already bound.
func (b *binder) change(a action, target Path) (*change, error) {
	c := &change{keyword: a.keyword, target: target}
	var err error
	switch a.keyword {
	case setToken:
		c.source, err = b.assigned(a.source)
	case addToken:
		c.given, err = b.amount(a, numbers|sets, "ALLOWED_FOR_ADD_OPERAND")
	case deleteToken:
		c.given, err = b.amount(a, sets, "ALLOWED_FOR_DELETE_OPERAND")
	}
	return c, err
}

// assigned binds the right side of a SET.
func (b *binder) assigned(n node) (assigned, error) {
	if o, ok := n.(*operation); ok {
		operands, err := b.operation(o)
		if err != nil {
			return nil, err
		}
		return sum{o.operator, operands[0], operands[1]}, nil
	}
	if c, ok := n.(*call); ok && functions[c.name].assign != nil {
		f, operands, err := b.call(c)
		return made{f, operands}, err
	}
	o, err := b.operand(n)
	return copied{o}, err
}

// amount binds the value of an ADD or a DELETE. Its error messages use other type names than all
// others.
func (b *binder) amount(a action, kinds kindSet, typeSet string) (value.Value, error) {
	l, err := b.literal(a.source.(*placeholder))
	if err != nil {
		return nil, err
	}
	if !kinds.allows(l.kind()) {
		return nil, b.refuse("Incorrect operand type for operator or function; operator: %s, operand type: %s, typeSet: %s",
			sectionNames[a.keyword], longKindNames[l.kind()], typeSet)
	}
	return l.given, nil
}

var longKindNames = map[value.Kind]string{
	value.KindString: "STRING", value.KindNumber: "NUMBER", value.KindBinary: "BINARY", value.KindBool: "BOOLEAN",
	value.KindNull: "NULL", value.KindList: "LIST", value.KindMap: "MAP",
}

// result returns the new value of the target; nil removes it.
func (c *change) result(item value.Map) (value.Value, error) {
	switch c.keyword {
	case setToken:
		return c.source.from(item)
	case addToken:
		return add(c.target.Find(item), c.given)
	case deleteToken:
		return subtract(c.target.Find(item), c.given)
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
			return orNothing(set.Difference(given))
		}
	case value.NumberSet:
		if given, ok := given.(value.NumberSet); ok {
			return orNothing(set.Difference(given))
		}
	case value.BinarySet:
		if given, ok := given.(value.BinarySet); ok {
			return orNothing(set.Difference(given))
		}
	}
	return nil, errOperandType()
}

func orNothing[S interface {
	value.Value
	~[]E
}, E any](set S) (value.Value, error) {
	if len(set) == 0 {
		return nil, nil
	}
	return set, nil
}

// copied assigns the value of an operand.
type copied struct{ operand }

func (c copied) from(item value.Map) (value.Value, error) {
	if v := c.in(item); v != nil {
		return v, nil
	}
	return nil, errNoAttribute()
}

// made assigns the result of a function.
type made struct {
	function *function
	operands operandList
}

func (m made) from(item value.Map) (value.Value, error) {
	return m.function.assign(m.operands.in(item))
}

// sum adds or subtracts two numbers.
type sum struct {
	operator    *operator
	left, right operand
}

func (s sum) from(item value.Map) (value.Value, error) {
	return sumOf(s.operator, s.left.in(item), s.right.in(item))
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

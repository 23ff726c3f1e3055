package clause

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// Test compares the value at a place with values, or with the value at another place.
type Test struct {
	Is     Operator
	At     *core.BoundPath
	Size   bool            // compares the size of the value at At
	Other  *core.BoundPath // nil: Values are the operands
	Values []types.AttributeValue
}

// Operator is an operator of expressions.
type Operator uint8

// The operators. An operand without a value is unequal to everything, also to another one without a
// value, and has no order. So are values of two types.
const (
	Eq Operator = iota + 1
	Ne
	Lt
	Le
	Gt
	Ge
	Between // both bounds are included
	During  // the second bound is excluded
	In
	Exists
	NotExists
	HasType
	BeginsWith
	Contains
)

// operator has the expression of an operator (see [Expand]), and evaluates it.
type operator struct {
	text  string
	holds func(v types.AttributeValue, operands []types.AttributeValue) bool
}

var operators = [...]operator{
	Eq:         {"@ = ?", func(v av, of []av) bool { return equal(v, of[0]) }},
	Ne:         {"@ <> ?", func(v av, of []av) bool { return !equal(v, of[0]) }},
	Lt:         {"@ < ?", func(v av, of []av) bool { return ordered(v, of[0], -1, -1) }},
	Le:         {"@ <= ?", func(v av, of []av) bool { return ordered(v, of[0], -1, 0) }},
	Gt:         {"@ > ?", func(v av, of []av) bool { return ordered(v, of[0], 1, 1) }},
	Ge:         {"@ >= ?", func(v av, of []av) bool { return ordered(v, of[0], 0, 1) }},
	Between:    {"@ BETWEEN ? AND ?", func(v av, of []av) bool { return ordered(v, of[0], 0, 1) && ordered(v, of[1], -1, 0) }},
	During:     {"@ >= ? AND @ < ?", func(v av, of []av) bool { return ordered(v, of[0], 0, 1) && ordered(v, of[1], -1, -1) }},
	In:         {"@ IN (*)", func(v av, of []av) bool { return slices.ContainsFunc(of, func(o av) bool { return equal(v, o) }) }},
	Exists:     {"attribute_exists(@)", func(v av, _ []av) bool { return v != nil }},
	NotExists:  {"attribute_not_exists(@)", func(v av, _ []av) bool { return v == nil }},
	HasType:    {"attribute_type(@, ?)", func(v av, of []av) bool { return hasType(v, of[0]) }},
	BeginsWith: {"begins_with(@, ?)", func(v av, of []av) bool { return beginsWith(v, of[0]) }},
	Contains:   {"contains(@, ?)", func(v av, of []av) bool { return contains(v, of[0]) }},
}

type av = types.AttributeValue

// Text returns the expression of an operator, for [Expand].
func (o Operator) Text() string { return operators[o].text }

// Attribute returns a test of an attribute.
func Attribute(name string, is Operator, values ...types.AttributeValue) Test {
	return Test{Is: is, At: &core.BoundPath{Attribute: name}, Values: values}
}

// Holds implements [Pred].
func (t Test) Holds(item Item) bool {
	v, operands := t.At.In(item), t.Values
	if t.Size {
		v = size(v)
	}
	if t.Other != nil {
		operands = []types.AttributeValue{t.Other.In(item)}
	}
	return operators[t.Is].holds(v, operands)
}

// Render implements [Pred].
func (t Test) Render(to []byte, m Marks) []byte {
	path := m.Path(t.At)
	if t.Size {
		path = "size(" + path + ")"
	}
	var buffer [2]string
	operands := buffer[:0]
	if t.Other != nil {
		operands = append(operands, m.Path(t.Other))
	}
	for _, v := range t.Values {
		operands = append(operands, m.Value(v))
	}
	return Expand(to, operators[t.Is].text, path, operands...)
}

// Expand appends an expression: @ stands for the path, each ? for the next operand, * for all
// operands.
func Expand(to []byte, text, path string, operands ...string) []byte {
	for i := range len(text) {
		switch text[i] {
		case '@':
			to = append(to, path...)
		case '?':
			to = append(to, operands[0]...)
			operands = operands[1:]
		case '*':
			to = append(to, strings.Join(operands, ", ")...)
		default:
			to = append(to, text[i])
		}
	}
	return to
}

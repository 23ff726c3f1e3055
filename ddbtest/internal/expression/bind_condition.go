package expression

import (
	"encoding/base64"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// bindPredicate binds a node of a condition.
func (b *binder) bindPredicate(n node) (predicate, error) {
	if c, ok := n.(*call); ok {
		f, operands, err := b.bindCall(c)
		return functionTest{f, c.name, operands}, err
	}
	o := n.(*operation)
	switch o.operator {
	case and:
		parts, err := b.bindParts(o)
		return andTest(parts), err
	case or:
		parts, err := b.bindParts(o)
		return orTest(parts), err
	case not:
		b.operators++
		p, err := b.bindPredicate(o.operands[0])
		return notTest{p}, err
	case between:
		return b.bindBetween(o)
	case in:
		return b.bindIn(o)
	default:
		operands, err := b.bindOperation(o)
		if err != nil {
			return nil, err
		}
		return comparison{o.operator, operands[0], operands[1]}, nil
	}
}

// bindParts binds the operands of a chain of ANDs or ORs.
func (b *binder) bindParts(o *operation) ([]predicate, error) {
	b.operators += len(o.operands) - 1
	parts := make([]predicate, len(o.operands))
	for i, n := range o.operands {
		p, err := b.bindPredicate(n)
		if err != nil {
			return nil, err
		}
		parts[i] = p
	}
	return parts, nil
}

func (b *binder) bindIn(o *operation) (predicate, error) {
	operands, err := b.bindOperation(o)
	if err != nil {
		return nil, err
	}
	if n := len(operands) - 1; n > maxInOperands {
		return nil, b.errorf("The IN operator is provided with too many operands; number of operands: %d", n)
	}
	return inTest{operands[0], operands[1:]}, nil
}

// bindBetween binds BETWEEN. If both bounds are values, they must have the same type and be in
// order.
func (b *binder) bindBetween(o *operation) (predicate, error) {
	operands, err := b.bindOperation(o)
	if err != nil {
		return nil, err
	}
	low, lowGiven := operands[1].(literal)
	high, highGiven := operands[2].(literal)
	if lowGiven && highGiven {
		if err := b.checkBounds(low.value, high.value); err != nil {
			return nil, err
		}
	}
	return betweenTest{operands[0], operands[1], operands[2]}, nil
}

func (b *binder) checkBounds(low, high value.Value) error {
	order, ok := value.Compare(low, high)
	if ok && order <= 0 {
		return nil
	}
	missing := "upper bound to be greater than or equal to lower bound"
	if !ok {
		missing = "same data type for lower and upper bounds"
	}
	return b.errorf("The BETWEEN operator requires %s; lower bound operand: %s, upper bound operand: %s", missing, Describe(low), Describe(high))
}

// Describe formats a string, a number or a binary value as in error messages.
func Describe(v value.Value) string {
	text := ""
	switch v := v.(type) {
	case value.String:
		text = string(v)
	case value.Number:
		text = v.String()
	case value.Binary:
		text = base64.StdEncoding.EncodeToString([]byte(v))
	}
	return "AttributeValue: {" + v.Kind().String() + ":" + text + "}"
}

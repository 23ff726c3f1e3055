package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
)

// predicate compiles a condition on one path, or on two.
func (k *compiler) predicate(c *Cond) (clause.Pred, error) {
	b, err := bindStored(c.Path, k.plan)
	switch {
	case err != nil:
		return nil, err
	case c.Other != nil:
		return compilePaths(c, b, k.plan)
	case c.Size:
		return compileSize(c, b)
	}
	op := &operators[c.Op]
	if err := checkType(op.accepts, c.Path, storedTypes(b.Leaf)); err != nil {
		return nil, err
	}
	switch {
	case op.operand == operandType:
		if !knownType(c.Type) {
			return nil, invalid(c.Path.String(), "IsType is given a type that DynamoDB does not have", "use the constants of attr.Type")
		}
		return test(c.Op, b, textValue(c.Type)), nil
	case c.Op == Exists || c.Op == NotExists:
		return existence(c.Op, b), nil
	case op.operand == operandElement:
	case formatted(b):
		return compileKey(c, b)
	case c.Op.ordered() && storesTime(b.Leaf):
		return compileTime(c, b)
	}
	if err := checkOrder(c.Op, c.Path, b.Leaf); err != nil {
		return nil, err
	}
	vals, err := encodeAll(c, func(arg any) (types.AttributeValue, error) {
		av, err := encodeOperand(b, c.Path, arg)
		if err != nil || op.operand != operandElement {
			return av, err
		}
		// An element is encoded in a list or set, so that the options in the field's tag apply.
		if list := elements(av); len(list) == 1 {
			return list[0], nil
		}
		return nil, invalid(c.Path.String(), "the element is never stored", "")
	}, core.CompareValues)
	if err != nil {
		return nil, err
	}
	return comparison(c.Op, b, vals), nil
}

// test returns an operator with its operands.
func test(op Op, b *core.BoundPath, operands ...types.AttributeValue) clause.Pred {
	return clause.Test{Is: operators[op].is, At: b, Values: operands}
}

// compileSize compiles a comparison of the size of the path's value.
func compileSize(c *Cond, b *core.BoundPath) (clause.Pred, error) {
	if err := checkType(measurable, c.Path, storedTypes(b.Leaf)); err != nil {
		return nil, err
	}
	vals, err := encodeAll(c, func(arg any) (types.AttributeValue, error) {
		n := *arg.(*int)
		switch {
		case n < 0:
			return nil, invalid(c.Path.String(), "is compared with a negative size", "")
		case formatted(b):
			return textSize(c, b, n)
		default:
			return numberValue(n), nil
		}
	}, core.CompareValues)
	if err != nil {
		return nil, err
	}
	return clause.Test{Is: operators[c.Op].is, At: b, Size: true, Values: vals}, nil
}

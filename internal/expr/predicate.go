package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

// predicate compiles a condition on one path, or on two.
func (k *compiler) predicate(c *Cond) (fragment, error) {
	b, err := bindStored(c.Path, k.plan)
	switch {
	case err != nil:
		return fragment{}, err
	case c.Other != nil:
		return k.compilePaths(c, b)
	case c.Size:
		return k.compileSize(c, b)
	}
	op := &operators[c.Op]
	if err := checkType(op.accepts, c.Path, storedTypes(b.Leaf)); err != nil {
		return fragment{}, err
	}
	switch {
	case op.operand == operandType:
		if !knownType(c.Type) {
			return fragment{}, invalid(c.Path.String(), "IsType is given a type that DynamoDB does not have", "use the constants of attr.Type")
		}
		return k.render(c.Op, k.b.Path(b), textValue(c.Type)), nil
	case c.Op == Exists || c.Op == NotExists:
		return k.existence(c.Op, b), nil
	case op.operand == operandElement:
	case formatted(b):
		return k.compileKey(c, b)
	case c.Op.ordered() && storesTime(b.Leaf):
		return k.compileTime(c, b)
	}
	if err := checkOrder(c.Op, c.Path, b.Leaf); err != nil {
		return fragment{}, err
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
		return fragment{}, err
	}
	return k.comparison(c.Op, b, vals), nil
}

// render returns the expression of an operator.
func (k *compiler) render(op Op, path string, operands ...types.AttributeValue) fragment {
	var few [2]string
	texts := few[:0]
	for _, av := range operands {
		texts = append(texts, k.b.Value(av))
	}
	return fragment{expand(operators[op].text, path, texts...), operators[op].top}
}

// compileSize compiles a comparison of the size of the path's value.
func (k *compiler) compileSize(c *Cond, b *core.BoundPath) (fragment, error) {
	if err := checkType(measurable, c.Path, storedTypes(b.Leaf)); err != nil {
		return fragment{}, err
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
		return fragment{}, err
	}
	return k.render(c.Op, "size("+k.b.Path(b)+")", vals...), nil
}

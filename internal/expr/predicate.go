package expr

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

func (k *compiler) predicate(c *Cond) (fragment, error) {
	b, err := bindStored(c.Path, k.plan)
	if err != nil {
		return fragment{}, err
	}
	if c.Other != nil {
		return k.compilePaths(c, b)
	}
	if c.Size {
		return k.compileSize(c, b)
	}
	if err := checkType(c.Op, c.Path, storedTypes(b.Leaf)); err != nil {
		return fragment{}, err
	}
	switch c.Op {
	case Exists, NotExists:
		return k.function(c.Op, k.b.Path(b)), nil
	case Type:
		if !knownType(c.Type) {
			return fragment{}, invalid(c.Path.String(), "IsType is given a type that DynamoDB does not have", "use the constants of attr.Type")
		}
		return k.function(Type, k.b.Path(b), k.b.Value(&types.AttributeValueMemberS{Value: c.Type})), nil
	case Contains:
		return k.compileContains(c, b)
	}
	if formatted(b) {
		return k.compileKey(c, b)
	}
	return k.compileStored(c, b)
}

// compileStored compiles an operator on a path and its operands, which it encodes as the path
// stores them.
func (k *compiler) compileStored(c *Cond, b *core.BoundPath) (fragment, error) {
	if c.Op.ordered() && storesTime(b.Leaf) {
		return k.compileTime(c, b)
	}
	if err := checkOrder(c.Op, c.Path, b.Leaf); err != nil {
		return fragment{}, err
	}
	vals, err := encodeOperands(c, b)
	if err != nil {
		return fragment{}, err
	}
	if err := checkOperands(c, vals, compareValues); err != nil {
		return fragment{}, err
	}
	return k.render(c.Op, k.b.Path(b), vals), nil
}

func encodeOperands(c *Cond, b *core.BoundPath) ([]types.AttributeValue, error) {
	vals := make([]types.AttributeValue, len(c.Args))
	for i, arg := range c.Args {
		var err error
		if vals[i], err = encodeOperand(b, c.Path, arg); err != nil {
			return nil, err
		}
	}
	return vals, nil
}

func (k *compiler) render(op Op, path string, vals []types.AttributeValue) fragment {
	switch op {
	case Between:
		return fragment{path + " BETWEEN " + k.b.Value(vals[0]) + " AND " + k.b.Value(vals[1]), 0}
	case During:
		return k.joined(And, k.comparison(path, Ge, vals[0]), k.comparison(path, Lt, vals[1]))
	case In:
		return fragment{path + " IN (" + strings.Join(k.placeholders(vals), ", ") + ")", 0}
	case BeginsWith, Substring:
		return k.function(op, path, k.b.Value(vals[0]))
	default:
		return fragment{k.comparison(path, op, vals[0]), 0}
	}
}

func (k *compiler) comparison(path string, op Op, val types.AttributeValue) string {
	return path + " " + op.String() + " " + k.b.Value(val)
}

func (k *compiler) function(op Op, args ...string) fragment {
	return fragment{op.String() + "(" + strings.Join(args, ", ") + ")", 0}
}

func (k *compiler) placeholders(vals []types.AttributeValue) []string {
	texts := make([]string, len(vals))
	for i, v := range vals {
		texts[i] = k.b.Value(v)
	}
	return texts
}

// compileContains compiles a search for an element. It encodes the element in a list or set, so
// that the options in the field's tag apply.
func (k *compiler) compileContains(c *Cond, b *core.BoundPath) (fragment, error) {
	av, err := encodeOperand(b, c.Path, c.Args[0])
	if err != nil {
		return fragment{}, err
	}
	if !hasElements(wire(av)) || len(elements(av)) != 1 {
		return fragment{}, invalid(c.Path.String(), "the element is never stored", "")
	}
	return k.function(Contains, k.b.Path(b), k.b.Value(elements(av)[0])), nil
}

func (k *compiler) compileSize(c *Cond, b *core.BoundPath) (fragment, error) {
	if w := storedTypes(b.Leaf); w&sized == 0 {
		return fragment{}, invalid(c.Path.String(), "is stored as "+w.String()+", which has no size", "")
	}
	vals := make([]types.AttributeValue, len(c.Args))
	for i, arg := range c.Args {
		n := *arg.(*int)
		if n < 0 {
			return fragment{}, invalid(c.Path.String(), "is compared with a negative size", "")
		}
		vals[i] = numberValue(n)
		if formatted(b) {
			var err error
			if vals[i], err = textSize(c, b, n); err != nil {
				return fragment{}, err
			}
		}
	}
	if err := checkOperands(c, vals, compareValues); err != nil {
		return fragment{}, err
	}
	return k.render(c.Op, "size("+k.b.Path(b)+")", vals), nil
}

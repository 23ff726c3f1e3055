package expr

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
)

func (k *compiler) ask(c *Cond) (piece, error) {
	b, err := bindStored(c.Path, k.plan)
	if err != nil {
		return piece{}, err
	}
	if c.Other != nil {
		return k.compare(c, b)
	}
	if c.Size {
		return k.size(c, b)
	}
	if err := suits(c.Op, c.Path, wireOf(b.Leaf)); err != nil {
		return piece{}, err
	}
	switch c.Op {
	case Exists, NotExists:
		return k.function(c.Op, k.b.Path(b)), nil
	case Type:
		if !knownType(c.Type) {
			return piece{}, refuse(c.Path.String(), "is asked for a type that DynamoDB does not have", "use the constants of attr.Type")
		}
		return k.function(Type, k.b.Path(b), k.b.Value(&types.AttributeValueMemberS{Value: c.Type})), nil
	case Contains:
		return k.contains(c, b)
	}
	if formatted(b) {
		return k.native(c, b)
	}
	return k.meet(c, b)
}

// meet compiles an operator on a path and its operands, which it encodes as the path stores them.
func (k *compiler) meet(c *Cond, b *core.BoundPath) (piece, error) {
	if c.Op.ordered() && storesTime(b.Leaf) {
		return k.times(c, b)
	}
	if err := sorts(c.Op, c.Path, b.Leaf); err != nil {
		return piece{}, err
	}
	vals, err := encodeAll(c, b)
	if err != nil {
		return piece{}, err
	}
	if err := sensible(c, vals, compareValues); err != nil {
		return piece{}, err
	}
	return k.operate(c.Op, k.b.Path(b), vals), nil
}

func encodeAll(c *Cond, b *core.BoundPath) ([]types.AttributeValue, error) {
	vals := make([]types.AttributeValue, len(c.Args))
	for i, arg := range c.Args {
		var err error
		if vals[i], err = encodeAlways(b, c.Path, arg); err != nil {
			return nil, err
		}
	}
	return vals, nil
}

func (k *compiler) operate(op Op, path string, vals []types.AttributeValue) piece {
	switch op {
	case Between:
		return piece{path + " BETWEEN " + k.b.Value(vals[0]) + " AND " + k.b.Value(vals[1]), 0}
	case During:
		return k.joined(And, k.compared(path, Ge, vals[0]), k.compared(path, Lt, vals[1]))
	case In:
		return piece{path + " IN (" + strings.Join(k.marks(vals), ", ") + ")", 0}
	case BeginsWith, Substring:
		return k.function(op, path, k.b.Value(vals[0]))
	default:
		return piece{k.compared(path, op, vals[0]), 0}
	}
}

func (k *compiler) compared(path string, op Op, val types.AttributeValue) string {
	return path + " " + op.String() + " " + k.b.Value(val)
}

func (k *compiler) function(op Op, args ...string) piece {
	return piece{op.String() + "(" + strings.Join(args, ", ") + ")", 0}
}

func (k *compiler) marks(vals []types.AttributeValue) []string {
	marks := make([]string, len(vals))
	for i, v := range vals {
		marks[i] = k.b.Value(v)
	}
	return marks
}

// contains compiles a search for an element. It encodes the element in a list or set, so that the
// options in the field's tag apply.
func (k *compiler) contains(c *Cond, b *core.BoundPath) (piece, error) {
	av, err := encodeAlways(b, c.Path, c.Args[0])
	if err != nil {
		return piece{}, err
	}
	if !suitsElements(wire(av)) || len(elements(av)) != 1 {
		return piece{}, refuse(c.Path.String(), "the element is a value that is never stored", "")
	}
	return k.function(Contains, k.b.Path(b), k.b.Value(elements(av)[0])), nil
}

func (k *compiler) size(c *Cond, b *core.BoundPath) (piece, error) {
	if w := wireOf(b.Leaf); w&sized == 0 {
		return piece{}, refuse(c.Path.String(), "is stored as "+w.String()+", which has no size", "")
	}
	vals := make([]types.AttributeValue, len(c.Args))
	for i, arg := range c.Args {
		n := *arg.(*int)
		if n < 0 {
			return piece{}, refuse(c.Path.String(), "a size is never negative", "")
		}
		vals[i] = number(n)
		if formatted(b) {
			var err error
			if vals[i], err = textSize(c, b, n); err != nil {
				return piece{}, err
			}
		}
	}
	if err := sensible(c, vals, compareValues); err != nil {
		return piece{}, err
	}
	return k.operate(c.Op, "size("+k.b.Path(b)+")", vals), nil
}

package expr

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/keys"
)

// KeyCond is a condition that a key condition can express: an operator on a whole field, with
// operands as members of a key.
type KeyCond struct {
	Op    Op // Eq, Lt, Le, Gt, Ge, Between, During or BeginsWith
	Field *codec.Field

	operands [2]keys.Value
	count    int
}

// Operands returns one operand, or two for Between and During.
func (k *KeyCond) Operands() []keys.Value { return k.operands[:k.count] }

// KeyCond converts the condition to one that a key condition can express.
func (c *Cond) KeyCond(p *core.Plan) (KeyCond, error) {
	if c.Err != nil {
		return KeyCond{}, c.Err
	}
	if !c.servedByKey() {
		return KeyCond{}, invalid(c.name(), "a key condition does not support "+c.Op.String()+" here", "a key condition supports comparisons with values, periods and BeginsWith")
	}
	b, err := c.Path.Bind(p)
	if err != nil {
		return KeyCond{}, err
	}
	k := KeyCond{Op: c.Op, Field: b.Field, count: len(c.Args)}
	var problems errs.Problems
	for i, arg := range c.Args {
		if k.operands[i], err = keyOperand(b, c.Path, arg, c.Op); err != nil {
			problems.AddErr("", err)
		}
	}
	return k, problems.Err()
}

// servedByKey reports whether the form of the condition fits a key condition.
func (c *Cond) servedByKey() bool {
	switch c.Op {
	case Eq, Lt, Le, Gt, Ge, Between, During, BeginsWith:
		return !c.Size && c.Other == nil
	default:
		return false
	}
}

// name returns the path of the condition, or "" for And, Or and Not.
func (c *Cond) name() string {
	if c.Path == nil {
		return ""
	}
	return c.Path.String()
}

// Attributes returns the top-level attributes that a condition uses, each once, in their order.
func (c *Cond) Attributes(p *core.Plan) ([]string, error) {
	var list []string
	var problems errs.Problems
	c.visitPaths(func(path *core.Path) {
		b, err := path.Bind(p)
		if err != nil {
			problems.AddErr("", err)
			return
		}
		for _, a := range list {
			if a == b.Attribute {
				return
			}
		}
		list = append(list, b.Attribute)
	})
	return list, problems.Err()
}

// visitPaths calls visit for every path in the tree.
func (c *Cond) visitPaths(visit func(*core.Path)) {
	if c == nil {
		return
	}
	for _, child := range c.Children {
		child.visitPaths(visit)
	}
	if len(c.Children) == 0 && c.Err == nil {
		visit(c.Path)
	}
	if c.Other != nil {
		visit(c.Other)
	}
}

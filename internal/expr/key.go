package expr

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/keys"
)

// KeyCond is a condition that a key condition can express: an operator on a whole field, with
// operands as members of a key.
type KeyCond struct {
	Op    keyspace.Op
	Field *codec.Field

	operands [2]keys.Value
	count    int
}

// Operands returns one operand, or two for Between and During.
func (k *KeyCond) Operands() []keys.Value { return k.operands[:k.count] }

// NewKeyCond converts a condition to one that a key condition can express.
func NewKeyCond(c *Cond, p *core.Plan) (KeyCond, error) {
	if c.Err != nil {
		return KeyCond{}, c.Err
	}
	op := operators[c.Op].key
	if op == 0 || c.Size || c.Other != nil {
		return KeyCond{}, invalid(nameOf(c), "a key condition does not support "+c.Op.String()+" here", "a key condition supports comparisons with values, periods and BeginsWith")
	}
	b, err := c.Path.Bind(p)
	if err != nil {
		return KeyCond{}, err
	}
	k := KeyCond{Op: op, Field: b.Field, count: len(c.Args)}
	var problems errs.Problems
	for i, arg := range c.Args {
		if k.operands[i], err = keyOperand(b, c.Path, arg, c.Op); err != nil {
			problems.AddErr("", err)
		}
	}
	return k, problems.Err()
}

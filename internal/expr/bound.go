package expr

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// BoundChange is a change that has met its plan: what the planner of a write looks at.
type BoundChange struct {
	*Change
	Bound *core.Bound // where it happens; nil for If

	arg any // the operand, of the type that stands there; nil for If and Remove
}

// Bind finds where a change happens. It refuses changes of attributes that the library writes: rendered keys, the type, the write id.
func (c *Change) Bind(p *core.Plan) (*BoundChange, error) {
	if c.Err != nil {
		return nil, c.Err
	}
	if c.Verb == If {
		return &BoundChange{Change: c}, nil
	}
	b, err := c.Path.Bind(p)
	if err != nil {
		return nil, err
	}
	if b.Field == nil && p.Schema.Known(b.Attribute) {
		return nil, refuse(c.name(), "is written by the library", "change the fields that it is made of")
	}
	bound := &BoundChange{Change: c, Bound: b}
	if len(c.Args) > 0 {
		bound.arg, err = operand(b, c.Path, c.Args[0])
	}
	return bound, err
}

// Field is the top-level field that changes, in whole or in part; nil for If, and where no field stands for the attribute.
func (c *BoundChange) Field() *codec.Field {
	if c.Bound == nil {
		return nil
	}
	return c.Bound.Field
}

// Whole reports whether the whole top-level attribute changes, not a place inside it.
func (c *BoundChange) Whole() bool { return c.Bound != nil && c.Bound.Whole() }

// Constant reports whether the change alone says what is there afterwards: it sets, or removes.
func (c *BoundChange) Constant() bool { return c.Verb == Set || c.Verb == Remove }

// Repeatable reports whether making the change twice, with nothing in between, is making it once. Positions of a list are not names: what is
// removed at one lets the next move up, and setting one beyond the end appends.
func (c *BoundChange) Repeatable() bool {
	if !c.Constant() {
		return false
	}
	for i, p := range c.Bound.Places {
		last := i == len(c.Bound.Places)-1
		if p.Name == "" && (last || c.Verb == Remove) {
			return false
		}
	}
	return true
}

// Value is what a constant change of a whole field leaves there, as a member of a key: absent where it is removed, or where Put would
// leave it out.
func (c *BoundChange) Value() (keys.Value, error) {
	if c.Verb == Remove {
		return keys.Value{}, nil
	}
	return c.Operand()
}

// Operand is the operand of a change of a whole field, as a member of a key.
func (c *BoundChange) Operand() (keys.Value, error) {
	if c.arg == nil {
		return keys.Value{}, refuse(c.name(), c.Verb.String()+" has no operand", "")
	}
	return key(c.Bound, c.Path, c.arg, Eq)
}

func (c *Change) name() string { return c.Path.String() }

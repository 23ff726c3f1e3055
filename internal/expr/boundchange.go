package expr

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// BoundChange is a change resolved with a plan. The planner of a write uses it.
type BoundChange struct {
	*Change
	Target *core.BoundPath // the place that changes; nil for If

	arg any // the operand, of the place's type; nil for If and Remove
}

// BindChange resolves a change with a plan. It returns an error for a change of an attribute that
// the library writes: a rendered key, the type, the write ID.
func BindChange(c *Change, p *core.Plan) (*BoundChange, error) {
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
	if b.Field == nil && p.IsSystem(b.Attribute) {
		return nil, invalid(c.Path.String(), "is written by the library", "change the fields that it is rendered from")
	}
	bound := &BoundChange{Change: c, Target: b}
	if len(c.Args) > 0 {
		bound.arg, err = convertOperand(b, c.Path, c.Args[0])
	}
	return bound, err
}

// AsSet returns a Set of the same operand.
func (c *BoundChange) AsSet() *BoundChange {
	set := *c.Change
	set.Verb = Set
	return &BoundChange{Change: &set, Target: c.Target, arg: c.arg}
}

// Field returns the top-level field that changes, in whole or in part. It returns nil for If and
// for an attribute without a field.
func (c *BoundChange) Field() *codec.Field {
	if c.Target == nil {
		return nil
	}
	return c.Target.Field
}

// Whole reports whether the whole top-level attribute changes, not a place inside it.
func (c *BoundChange) Whole() bool { return c.Target != nil && c.Target.Whole() }

// Constant reports whether the stored result depends on the change alone.
func (c *BoundChange) Constant() bool { return verbs[c.Verb].constant }

// Repeatable reports whether applying the change twice in a row has the same result as applying it
// once. Removing a list element moves the next one to its position, and setting an element beyond
// the end appends it.
func (c *BoundChange) Repeatable() bool {
	if !c.Constant() {
		return false
	}
	for i, p := range c.Target.Elements {
		last := i == len(c.Target.Elements)-1
		if p.Name == "" && (last || c.Verb == Remove) {
			return false
		}
	}
	return true
}

// Value returns the operand of a change of a whole field, as a member of a key. It is absent for
// Remove, and if Put would omit the value.
func (c *BoundChange) Value() (keys.Value, error) {
	if c.Verb == Remove {
		return keys.Value{}, nil
	}
	return keyOperand(c.Target, c.Path, c.arg, Eq)
}

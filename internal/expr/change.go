package expr

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Change is one change of an update. It is immutable.
type Change struct {
	Verb  Verb
	Path  *core.Path // nil for If
	Args  []any      // pointers to operands
	Conds []*Cond    // for If
	Err   error      // why the change cannot be used

	buffer [1]any
}

// NewChange returns a change of the path's value. args are pointers to its operands.
func NewChange(verb Verb, path *core.Path, args ...any) *Change {
	c := &Change{Verb: verb, Path: path}
	c.Args = append(c.buffer[:0], args...)
	return c
}

// OnlyIf returns a change that holds only conditions.
func OnlyIf(conds []*Cond) *Change {
	c := &Change{Verb: If, Conds: conds}
	if len(conds) == 0 {
		c.Err = invalid("", "If holds no condition", "leave it out if there is no condition")
	}
	return c
}

// String returns the structure of a change, with a ? for its operand.
func (c *Change) String() string {
	switch {
	case c == nil || c.Err != nil && c.Path == nil:
		return "(invalid)"
	case c.Verb == If:
		return "If(" + All(c.Conds...).String() + ")"
	default:
		return c.Verb.String() + "(" + c.Path.String() + strings.Repeat(", ?", len(c.Args)) + ")"
	}
}

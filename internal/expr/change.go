package expr

import (
	"fmt"
	"io"
	"strings"

	"github.com/trestledb/trestle/internal/core"
)

// Change is one change of an update. It is immutable. Like [Cond], it has few methods.
type Change struct {
	Verb  Verb
	Path  *core.Path // nil for If
	Args  []any      // pointers to operands
	Conds []*Cond    // for If
	Err   error      // why the change cannot be used

	buffer [1]any
}

// AnyChange is an attr.Change of any entity.
type AnyChange interface{ change() *Change }

func (c *Change) change() *Change { return c }

// ChangeOf returns the change of an attr.Change. For nil it returns a change with an error.
func ChangeOf(c AnyChange) *Change {
	if c == nil || c.change() == nil {
		return &Change{Err: errNil}
	}
	return c.change()
}

// ChangesOf returns the changes of an attr.Change and a list of more, like [CondsOf].
//
//go:noinline
func ChangesOf[C AnyChange](first C, more []C) []*Change {
	changes := make([]*Change, 1+len(more))
	changes[0] = ChangeOf(first)
	for i, c := range more {
		changes[i+1] = ChangeOf(c)
	}
	return changes
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

// Format prints the structure for every verb and flag, so that fmt never prints an operand.
func (c *Change) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// MarshalText returns the structure for encoders, which would encode the operands without it.
func (c *Change) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

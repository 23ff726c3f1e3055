package expr

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Cond is a node of a condition tree. It is immutable. It has few methods, because conditions of
// package attr embed it, and the compiler repeats its methods for each entity.
type Cond struct {
	Op       Op
	Path     *core.Path // nil for And, Or and Not
	Size     bool       // compares the size of Path's value; operands are *int
	Other    *core.Path // compares with another attribute; then Args is empty
	Args     []any      // pointers to operands of the path's leaf type
	Type     string     // for IsType: the DynamoDB name of the type
	Children []*Cond    // for And, Or and Not
	Err      error      // why the condition cannot be used

	buffer [2]any // holds a short Args, to save an allocation
}

// AnyCond is an attr.Cond of any entity.
type AnyCond interface{ cond() *Cond }

func (c *Cond) cond() *Cond { return c }

// CondOf returns the condition of an attr.Cond. For nil it returns a condition with an error.
func CondOf(c AnyCond) *Cond {
	if c == nil || c.cond() == nil {
		return &Cond{Err: errNil}
	}
	return c.cond()
}

// CondsOf returns the conditions of a list of attr.Cond. It is not inlined, because the compiler
// would repeat it in each method of each entity.
//
//go:noinline
func CondsOf[C AnyCond](list []C) []*Cond {
	if len(list) == 0 {
		return nil
	}
	conds := make([]*Cond, len(list))
	for i, c := range list {
		conds[i] = CondOf(c)
	}
	return conds
}

// NewCond returns a condition on a path. args are pointers to its operands.
func NewCond(op Op, path *core.Path, args ...any) *Cond {
	c := &Cond{Op: op, Path: path}
	c.Args = append(c.buffer[:0], args...)
	return c
}

// NewComparison returns a condition on two paths.
func NewComparison(op Op, path, other *core.Path) *Cond {
	return &Cond{Op: op, Path: path, Other: other}
}

// Join returns a condition that joins others. An empty list is an error, because it is usually a
// mistake.
func Join(op Op, children []*Cond) *Cond {
	c := &Cond{Op: op, Children: children}
	if len(children) == 0 {
		c.Err = invalid("", op.String()+" is given no condition", "leave it out if there is no condition")
	}
	return c
}

// All returns a condition that holds if all conds hold. It returns nil for none, and a single one
// unchanged.
func All(conds ...*Cond) *Cond {
	switch len(conds) {
	case 0:
		return nil
	case 1:
		return conds[0]
	default:
		return &Cond{Op: And, Children: conds}
	}
}

// String returns the structure of a condition, with a ? for each operand.
func (c *Cond) String() string {
	switch {
	case c == nil || c.Err != nil && c.Path == nil && len(c.Children) == 0:
		return "(invalid)"
	case c.Op == Not:
		return "NOT (" + c.Children[0].String() + ")"
	case c.Op == And || c.Op == Or:
		return joinedText(c)
	}
	path := c.Path.String()
	if c.Size {
		path = "size(" + path + ")"
	}
	operands := slices.Repeat([]string{"?"}, max(len(c.Args), 1))
	switch {
	case c.Other != nil:
		operands[0] = c.Other.String()
	case c.Op == IsType:
		operands[0] = c.Type
	}
	return string(clause.Expand(nil, operators[c.Op].is.Text(), path, operands...))
}

func joinedText(c *Cond) string {
	if len(c.Children) == 1 {
		return c.Children[0].String()
	}
	texts := make([]string, len(c.Children))
	for i, child := range c.Children {
		texts[i] = child.String()
		if child.Op == And || child.Op == Or || child.Op == During {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	return strings.Join(texts, " "+strings.ToUpper(c.Op.String())+" ")
}

// nameOf returns the path of the condition, or "" for And, Or and Not.
func nameOf(c *Cond) string {
	if c.Path == nil {
		return ""
	}
	return c.Path.String()
}

// Attributes returns the top-level attributes that a condition uses, each once, in their order.
func Attributes(c *Cond, p *core.Plan) ([]string, error) {
	var list []string
	var problems errs.Problems
	visitPaths(c, func(path *core.Path) {
		b, err := path.Bind(p)
		if err != nil {
			problems.AddErr("", err)
		} else if !slices.Contains(list, b.Attribute) {
			list = append(list, b.Attribute)
		}
	})
	return list, problems.Err()
}

// visitPaths calls visit for every path in the tree.
func visitPaths(c *Cond, visit func(*core.Path)) {
	if c == nil {
		return
	}
	for _, child := range c.Children {
		visitPaths(child, visit)
	}
	if len(c.Children) == 0 && c.Err == nil {
		visit(c.Path)
	}
	if c.Other != nil {
		visit(c.Other)
	}
}

// Format prints the structure for every verb and flag, so that fmt never prints an operand.
func (c *Cond) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, c.String()) }

// MarshalText returns the structure for encoders, which would encode the operands without it.
func (c *Cond) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

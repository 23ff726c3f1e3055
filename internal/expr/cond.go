package expr

import (
	"github.com/trestledb/trestle/internal/core"
)

// Op is the operator of a node in a condition tree.
type Op uint8

// The operators. Eq to Contains apply to one path, or compare it with another. And, Or and Not join
// other conditions.
const (
	And Op = iota + 1
	Or
	Not
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Between    // Args[0] <= path <= Args[1]
	During     // Args[0] <= path < Args[1]
	In         // path is one of Args
	Exists     // the attribute exists, even as NULL
	NotExists  // the attribute does not exist
	Type       // the attribute has the type Cond.Type
	BeginsWith // path begins with Args[0]
	Substring  // path, a text, contains the text Args[0]
	// Contains: path, a list or a set, contains the only element of Args[0], a Go slice of the
	// field's type.
	Contains
)

// Cond is a node of a condition tree. It is immutable.
type Cond struct {
	Op       Op
	Path     *core.Path // nil for And, Or and Not
	Size     bool       // compares the size of Path's value; operands are *int
	Other    *core.Path // compares with another attribute; then Args is empty
	Args     []any      // pointers to operands of the path's leaf type
	Type     string     // for operator Type: the DynamoDB name of the type
	Children []*Cond    // for And, Or and Not
	Err      error      // why the condition cannot be used

	buffer [2]any // holds a short Args, to save an allocation
}

// NewCond returns a condition on a path. args are pointers to its operands.
func NewCond(op Op, path *core.Path, args ...any) *Cond {
	c := &Cond{Op: op, Path: path}
	if len(args) <= len(c.buffer) {
		c.Args = append(c.buffer[:0], args...)
	} else {
		c.Args = append(c.Args, args...)
	}
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
		c.Err = invalid("", "no condition is given", "leave it out if there is no condition")
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

// String returns the operator in DynamoDB's spelling.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return ""
}

var opNames = [...]string{
	And: "AND", Or: "OR", Not: "NOT", Eq: "=", Ne: "<>", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Between: "BETWEEN", During: "WITHIN",
	In: "IN", Exists: "attribute_exists", NotExists: "attribute_not_exists", Type: "attribute_type", BeginsWith: "begins_with",
	Substring: "contains", Contains: "contains",
}

// ordered reports whether the operator needs ordered operands.
func (o Op) ordered() bool { return o >= Lt && o <= During }

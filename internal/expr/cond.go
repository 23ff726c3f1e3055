package expr

import (
	"github.com/trestledb/trestle/internal/core"
)

// Op is what a node of a condition tree asks.
type Op uint8

// The operators. Compare and everything up to Contains ask something of one path; And, Or and Not join other conditions.
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
	Within     // Args[0] <= path < Args[1]
	In         // path is one of Args
	Exists     // the attribute is there, be it NULL
	NotExists  // the attribute is not there
	Type       // the attribute is stored as the type Cond.Type
	BeginsWith // path starts with Args[0]
	Substring  // path, a text, holds the text Args[0]
	Contains   // path, a list or a set, holds the only element of Args[0], a Go slice like the field's
)

// Cond is a node of a condition tree. It does not change once it is made.
type Cond struct {
	Op    Op
	Path  *core.Path // what is asked about; nil for And, Or and Not
	Size  bool       // the size of what Path names is compared, with operands of type *int
	Other *core.Path // compared with another attribute; then there are no Args
	Args  []any      // pointers to operands of the path's leaf type
	Type  string     // of the operator Type: DynamoDB's name of it
	Kids  []*Cond    // of And, Or and Not
	Err   error      // why it cannot be used

	few [2]any // where Args stands when it is short: one allocation less
}

// Ask makes a condition on a path, with pointers to its operands.
func Ask(op Op, path *core.Path, args ...any) *Cond {
	c := &Cond{Op: op, Path: path}
	if len(args) <= len(c.few) {
		c.Args = append(c.few[:0], args...)
	} else {
		c.Args = append(c.Args, args...)
	}
	return c
}

// Compare makes a condition on two paths.
func Compare(op Op, path, other *core.Path) *Cond { return &Cond{Op: op, Path: path, Other: other} }

// Join makes a condition of conditions. It must have some: an empty list is a mistake more often than a wish.
func Join(op Op, kids []*Cond) *Cond {
	c := &Cond{Op: op, Kids: kids}
	if len(kids) == 0 {
		c.Err = refuse("", "no condition is given", "leave the call out where there is nothing to ask")
	}
	return c
}

// All joins conditions that must all hold. None is nil, and one is itself.
func All(conds ...*Cond) *Cond {
	switch len(conds) {
	case 0:
		return nil
	case 1:
		return conds[0]
	default:
		return &Cond{Op: And, Kids: conds}
	}
}

// String names the operator as the service spells it.
func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return ""
}

var opNames = [...]string{
	And: "AND", Or: "OR", Not: "NOT", Eq: "=", Ne: "<>", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Between: "BETWEEN", Within: "WITHIN",
	In: "IN", Exists: "attribute_exists", NotExists: "attribute_not_exists", Type: "attribute_type", BeginsWith: "begins_with",
	Substring: "contains", Contains: "contains",
}

// ordered reports whether the operator needs operands that have an order.
func (o Op) ordered() bool { return o >= Lt && o <= Within }

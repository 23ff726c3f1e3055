package partiql

import (
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Statement is a parsed statement: a [*Select], [*Insert], [*Update], [*Delete] or [*Exists].
type Statement interface{ isStatement() }

// Select is SELECT.
type Select struct {
	Paths []expression.Path // nil is *
	Table string
	Index string
	Where Node // may be nil
	Order []Order
}

// Order is a key of ORDER BY.
type Order struct {
	Key        string
	Descending bool
}

// Insert is INSERT.
type Insert struct {
	Table string
	Item  []Member
}

// Member is an attribute of the item to insert. Its value is a [Literal] or a [Parameter].
type Member struct {
	Name  string
	Value Node
}

// Update is UPDATE.
type Update struct {
	Table     string
	Changes   []Change
	Where     Node      // may be nil
	Returning Returning // may be empty
}

// Change is one SET or REMOVE of an update. The source of a REMOVE is nil.
type Change struct {
	Target expression.Path
	Source Node
}

// Delete is DELETE.
type Delete struct {
	Table     string
	Where     Node // may be nil
	Returning Returning
}

// Exists is EXISTS, a condition of a transaction.
type Exists struct{ Select *Select }

func (*Select) isStatement() {}
func (*Insert) isStatement() {}
func (*Update) isStatement() {}
func (*Delete) isStatement() {}
func (*Exists) isStatement() {}

// Returning is the RETURNING clause of a write, such as "ALL OLD". The empty one returns nothing.
type Returning string

// The RETURNING clauses.
const (
	AllOld      Returning = "ALL OLD"
	ModifiedOld Returning = "MODIFIED OLD"
	AllNew      Returning = "ALL NEW"
	ModifiedNew Returning = "MODIFIED NEW"
)

// values returns the ReturnValues of the corresponding write.
func (r Returning) values() string {
	switch r {
	case AllOld:
		return "ALL_OLD"
	case ModifiedOld:
		return "UPDATED_OLD"
	case AllNew:
		return "ALL_NEW"
	case ModifiedNew:
		return "UPDATED_NEW"
	default:
		return ""
	}
}

// Node is an operand or a condition: a [Literal], [Parameter], [Path], [*Call] or [*Operation].
type Node interface{ isNode() }

type (
	// Literal is a value in the statement.
	Literal struct{ value.Value }
	// Parameter is the number of a question mark, counted from 0.
	Parameter int
	// Path is the path to an attribute.
	Path expression.Path
	// Call is a function with its operands. Its name is in lower case.
	Call struct {
		Name     string
		Operands []Node
	}
	// Operation is an operator with its operands. A chain of ANDs, or of ORs, is one operation.
	Operation struct {
		Symbol   string
		Operands []Node
	}
)

func (Literal) isNode()    {}
func (Parameter) isNode()  {}
func (Path) isNode()       {}
func (*Call) isNode()      {}
func (*Operation) isNode() {}

// The symbols of operators that the parser and the planner treat in a special way.
const (
	symbolAnd     = "AND"
	symbolOr      = "OR"
	symbolNot     = "NOT"
	symbolIn      = "IN"
	symbolBetween = "BETWEEN"
	symbolEqual   = "="
	symbolUnequal = "<>"
	symbolPlus    = "+"
	symbolMinus   = "-"
)

// isCondition reports whether a node can only be a condition. A call may be either.
func isCondition(n Node) bool {
	o, ok := n.(*Operation)
	return ok && o.Symbol != symbolPlus && o.Symbol != symbolMinus
}

// isTest reports whether a node can be a condition.
func isTest(n Node) bool {
	_, call := n.(*Call)
	return call || isCondition(n)
}

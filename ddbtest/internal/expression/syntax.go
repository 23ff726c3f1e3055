package expression

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// A parsed expression consists of nodes: a [*documentPath], a [*placeholder], a [*call] or an
// [*operation]. Their names are those in the expression, with placeholders. Other parsers make a
// [*resolvedPath] and a [*constant] instead of the first two.

// documentPath is the path to an attribute or to a nested attribute.
type documentPath struct{ steps []step }

// step is a name, a placeholder of a name, or an index.
type step struct {
	name   string // empty for an index
	index  int    // -1 if it does not fit in an int32
	digits string // of an index, as written
}

// placeholder is a placeholder of a value.
type placeholder struct{ name string }

// call is a function with its operands.
type call struct {
	name     string
	operands []node
}

// operation is an operator with its operands. A chain of ANDs, or of ORs, is one operation.
type operation struct {
	operator *operator
	operands []node
}

func (*documentPath) isNode() {}
func (*placeholder) isNode()  {}
func (*call) isNode()         {}
func (*operation) isNode()    {}

// isCondition reports whether a node is a condition by its syntax. It is false for a function,
// because that depends on which function it is.
func isCondition(n node) bool {
	o, ok := n.(*operation)
	return ok && o.operator != plus && o.operator != minus
}

// section is one of the sections of an update.
type section struct {
	keyword tokenKind
	actions []action
}

// action is one action of an update. The source of a REMOVE is nil.
type action struct {
	keyword tokenKind
	target  node // a path
	source  node
}

// maxText is the largest size of an expression, in bytes.
const maxText = 4096

// sourceText is an expression of a request. Kind is the name of the request's member, with which
// every error message begins. It is empty if another parser made the expression.
type sourceText struct {
	kind string
	text string
}

// errorf returns the service's error for an invalid expression.
func (s sourceText) errorf(format string, args ...any) error {
	if s.kind != "" {
		format = "Invalid " + s.kind + ": " + format
	}
	return awserr.Validation(format, args...)
}

// checkText rejects an expression that is empty or too long.
func (s sourceText) checkText() error {
	switch {
	case s.text == "":
		return s.errorf("The expression can not be empty;")
	case len(s.text) > maxText:
		return s.errorf("Expression size has exceeded the maximum allowed size; expression size: %d", len(s.text))
	}
	return nil
}

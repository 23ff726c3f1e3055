package expression

// node is a part of a parsed expression: a [*documentPath], a [*placeholder], a [*call] or an [*operation]. Names in it are those of the text.
type node interface{ isNode() }

// documentPath names an attribute, or something inside it.
type documentPath struct{ steps []step }

// step is a name, a placeholder for one, or an index.
type step struct {
	name   string // empty in an index
	index  int    // -1 where it is no int
	digits string // of an index, as they are written
}

// placeholder stands for a value.
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

// isCondition tells whether a node is true or false by its form alone. A function is not: that depends on which one it is.
func isCondition(n node) bool {
	o, ok := n.(*operation)
	return ok && o.operator != plus && o.operator != minus
}

// section is one of the parts of an update.
type section struct {
	keyword tokenKind
	actions []action
}

// action is one change of an update: to the target, from the node; a REMOVE has none.
type action struct {
	keyword tokenKind
	target  *documentPath
	source  node
}

package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// Node is an operand or a condition that another parser made, such as that of PartiQL. It is
// checked like a part of an expression, but its errors do not name a member of the request.
type Node interface{ isNode() }

// node is the same for the parsers of this package.
type node = Node

// resolvedPath is a path without placeholders.
type resolvedPath struct{ path Path }

// constant is a value without a placeholder.
type constant struct{ value value.Value }

func (*resolvedPath) isNode() {}
func (*constant) isNode()     {}

// PathNode returns the operand with that path.
func PathNode(p Path) Node { return &resolvedPath{p} }

// ValueNode returns the operand with that value.
func ValueNode(v value.Value) Node { return &constant{v} }

// CallNode returns the function of that name with its operands.
func CallNode(name string, operands ...Node) Node { return &call{name, operands} }

// OperationNode returns the operator with that symbol, such as "<=" or "AND", with its operands. It
// is nil if there is no such operator.
func OperationNode(symbol string, operands ...Node) Node {
	o, ok := operators[symbol]
	if !ok {
		return nil
	}
	return &operation{o, operands}
}

var operators = func() map[string]*operator {
	all := map[string]*operator{}
	for _, o := range []*operator{equal, unequal, less, lessEqual, greater, greaterEqual, between, in, and, or, not, plus, minus} {
		all[o.symbol] = o
	}
	return all
}()

// isCondition reports whether a node of another parser is a condition.
func (b *binder) isCondition(n node) bool {
	if c, ok := n.(*call); ok {
		f := functions[c.name]
		return f == nil || f.test != nil // an unknown function has an error of its own
	}
	return isCondition(n)
}

// BuildCondition checks a condition that another parser made.
func BuildCondition(n Node) (*Condition, error) {
	var s sourceText
	if !newBinder(s, nil).isCondition(n) {
		return nil, s.errorf("The condition is an operand")
	}
	b, predicate, err := bindCondition(s, n, nil)
	if err != nil {
		return nil, err
	}
	return &Condition{predicate: predicate, paths: b.paths, size: b.size}, nil
}

// NodeChange is one change of an update that another parser made. The source of a Remove is nil.
// That of an Add or a Delete is a value.
type NodeChange struct {
	Action Action
	Target Path
	Source Node
}

// BuildUpdate checks the changes of an update that another parser made.
func BuildUpdate(changes []NodeChange) (*Update, error) {
	actions := make([]action, len(changes))
	for i, c := range changes {
		actions[i] = action{keyword: actionKeywords[c.Action], target: &resolvedPath{c.Target}, source: c.Source}
	}
	var s sourceText
	if err := s.checkActions(actions); err != nil {
		return nil, err
	}
	return newUpdate(s, actions, nil)
}

// BuildProjection checks the paths of a projection that another parser made. Each value that it
// returns is an attribute of its own, which has the name of the last element of its path.
func BuildProjection(paths []Path) (*Projection, error) {
	nodes := make([]node, len(paths))
	for i, p := range paths {
		nodes[i] = &resolvedPath{p}
	}
	p, err := newProjection(sourceText{}, nodes, nil)
	if err != nil {
		return nil, err
	}
	p.leaves = true
	return p, nil
}

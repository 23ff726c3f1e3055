package partiql

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// prepared is a statement with its parameters.
type prepared struct {
	text       string
	statement  Statement
	parameters []value.Value
}

// prepare parses a statement. It needs no table.
func prepare(text string, parameters []value.Value) (*prepared, error) {
	s, n, err := Parse(text)
	if err != nil {
		return nil, err
	}
	p := &prepared{text, s, parameters}
	if n != len(parameters) {
		return nil, awserr.Validation("Number of parameters in request and statement don't match.")
	}
	return p, checkTable(p.table())
}

// table returns the name of the table.
func (p *prepared) table() string {
	switch s := p.statement.(type) {
	case *Insert:
		return s.Table
	case *Update:
		return s.Table
	case *Delete:
		return s.Table
	default:
		return p.selection().Table
	}
}

// selection returns the SELECT of a SELECT or of an EXISTS, or nil.
func (p *prepared) selection() *Select {
	switch s := p.statement.(type) {
	case *Select:
		return s
	case *Exists:
		return s.Select
	default:
		return nil
	}
}

// isRead reports whether the statement is a SELECT. EXISTS is a part of transactions that write.
func (p *prepared) isRead() bool {
	_, ok := p.statement.(*Select)
	return ok
}

// where returns the condition of the statement. It is nil if there is none.
func (p *prepared) where() Node {
	switch s := p.statement.(type) {
	case *Insert:
		return nil
	case *Update:
		return s.Where
	case *Delete:
		return s.Where
	default:
		return p.selection().Where
	}
}

// checkTable rejects the name of a table that cannot exist.
func checkTable(name string) error {
	name = api.TableName(name)
	ok := 3 <= len(name) && len(name) <= 255
	for i := range len(name) {
		c := name[i]
		ok = ok && (isWordStart(c) && c != '$' || isDigit(c) || c == '-' || c == '.')
	}
	if !ok {
		return awserr.Validation("Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', '_', '.'.")
	}
	return nil
}

// value returns the value of a literal or a parameter, or nil for another node.
func (p *prepared) value(n Node) value.Value {
	switch n := n.(type) {
	case Literal:
		return n.Value
	case Parameter:
		return p.parameters[n]
	default:
		return nil
	}
}

// node converts a node to one of expressions.
func (p *prepared) node(n Node) expression.Node {
	switch n := n.(type) {
	case Path:
		return expression.PathNode(expression.Path(n))
	case *Call:
		return expression.CallNode(n.Name, p.nodes(n.Operands)...)
	case *Operation:
		if test := p.test(n); test != nil {
			return p.node(test)
		}
		return expression.OperationNode(n.Symbol, p.nodes(n.Operands)...)
	default:
		return expression.ValueNode(p.value(n))
	}
}

// tests are the functions that are true or false.
var tests = map[string]bool{"attribute_exists": true, "attribute_not_exists": true, "attribute_type": true, "begins_with": true, "contains": true}

// test converts the comparison of such a function with TRUE or FALSE, which expressions do not
// have, to the function or its negation. It returns nil for another operation.
func (p *prepared) test(o *Operation) Node {
	if o.Symbol != symbolEqual && o.Symbol != symbolUnequal {
		return nil
	}
	for i, n := range o.Operands {
		call, isCall := n.(*Call)
		b, isBool := p.value(o.Operands[1-i]).(value.Bool)
		switch {
		case !isCall || !isBool || !tests[call.Name]:
		case bool(b) == (o.Symbol == symbolEqual):
			return call
		default:
			return negated(call)
		}
	}
	return nil
}

func (p *prepared) nodes(nodes []Node) []expression.Node {
	converted := make([]expression.Node, len(nodes))
	for i, n := range nodes {
		converted[i] = p.node(n)
	}
	return converted
}

// condition converts a condition. It is nil if n is nil.
func (p *prepared) condition(n Node) (*expression.Condition, error) {
	if n == nil {
		return nil, nil
	}
	return expression.BuildCondition(p.node(n))
}

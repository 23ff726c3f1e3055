package partiql_test

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/partiql"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// printStatement returns the text of a statement, which parses to the same statement.
func printStatement(s partiql.Statement) string {
	var p printer
	p.statement(s)
	return p.String()
}

type printer struct{ strings.Builder }

func (p *printer) write(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

func (p *printer) statement(s partiql.Statement) {
	switch s := s.(type) {
	case *partiql.Select:
		p.selection(s)
	case *partiql.Insert:
		p.write("INSERT INTO ", quotedName(s.Table), " VALUE {")
		p.list(len(s.Item), func(i int) {
			p.write(quotedText(s.Item[i].Name), ": ")
			p.node(s.Item[i].Value)
		})
		p.write("}")
	case *partiql.Update:
		p.write("UPDATE ", quotedName(s.Table))
		for _, c := range s.Changes {
			p.change(c)
		}
		p.where(s.Where)
		p.returning(s.Returning)
	case *partiql.Delete:
		p.write("DELETE FROM ", quotedName(s.Table))
		p.where(s.Where)
		p.returning(s.Returning)
	case *partiql.Exists:
		p.write("EXISTS(")
		p.selection(s.Select)
		p.write(")")
	}
}

func (p *printer) selection(s *partiql.Select) {
	p.write("SELECT ")
	if s.Paths == nil {
		p.write("*")
	}
	p.list(len(s.Paths), func(i int) { p.path(s.Paths[i]) })
	p.write(" FROM ", quotedName(s.Table))
	if s.Index != "" {
		p.write(".", quotedName(s.Index))
	}
	p.where(s.Where)
	if len(s.Order) > 0 {
		p.write(" ORDER BY ")
	}
	p.list(len(s.Order), func(i int) {
		p.write(quotedName(s.Order[i].Key))
		if s.Order[i].Descending {
			p.write(" DESC")
		}
	})
}

func (p *printer) change(c partiql.Change) {
	if c.Source == nil {
		p.write(" REMOVE ")
		p.path(c.Target)
		return
	}
	p.write(" SET ")
	p.path(c.Target)
	p.write(" = ")
	p.node(c.Source)
}

func (p *printer) where(n partiql.Node) {
	if n != nil {
		p.write(" WHERE ")
		p.node(n)
	}
}

func (p *printer) returning(r partiql.Returning) {
	if r != "" {
		p.write(" RETURNING ", string(r), " *")
	}
}

func (p *printer) list(n int, part func(i int)) {
	for i := range n {
		if i > 0 {
			p.write(", ")
		}
		part(i)
	}
}

func (p *printer) path(path expression.Path) {
	for i, e := range path {
		switch {
		case e.Name == "":
			p.write("[", strconv.Itoa(e.Index), "]")
		case i == 0:
			p.write(quotedName(e.Name))
		default:
			p.write(".", quotedName(e.Name))
		}
	}
}

func (p *printer) node(n partiql.Node) {
	switch n := n.(type) {
	case partiql.Literal:
		p.value(n.Value)
	case partiql.Parameter:
		p.write("?")
	case partiql.Path:
		p.path(expression.Path(n))
	case *partiql.Call:
		p.write(n.Name)
		p.group(n.Operands)
	case *partiql.Operation:
		p.operation(n)
	}
}

func (p *printer) group(nodes []partiql.Node) {
	p.write("(")
	p.list(len(nodes), func(i int) { p.node(nodes[i]) })
	p.write(")")
}

func (p *printer) operation(o *partiql.Operation) {
	operands := o.Operands
	switch o.Symbol {
	case "NOT":
		p.write("NOT ")
		p.operand(operands[0])
	case "IN":
		p.operand(operands[0])
		p.write(" IN ")
		p.group(operands[1:])
	case "BETWEEN":
		p.operand(operands[0])
		p.write(" BETWEEN ")
		p.operand(operands[1])
		p.write(" AND ")
		p.operand(operands[2])
	default:
		for i, n := range operands {
			if i > 0 {
				p.write(" ", o.Symbol, " ")
			}
			if c, ok := n.(*partiql.Operation); ok && isComparison(c.Symbol) {
				p.operation(c)
				continue
			}
			p.operand(n)
		}
	}
}

// isComparison reports whether an operator needs no parentheses between ANDs.
func isComparison(symbol string) bool {
	return !slices.Contains([]string{"AND", "OR", "NOT", "+", "-"}, symbol)
}

// operand puts an operation in parentheses.
func (p *printer) operand(n partiql.Node) {
	if o, ok := n.(*partiql.Operation); ok {
		p.write("(")
		p.operation(o)
		p.write(")")
		return
	}
	p.node(n)
}

func (p *printer) value(v value.Value) {
	switch v := v.(type) {
	case value.String:
		p.write(quotedText(string(v)))
	case value.Number:
		p.write(v.String())
	case value.Bool:
		p.write(strconv.FormatBool(bool(v)))
	case value.Null:
		p.write("NULL")
	case value.List:
		p.write("[")
		p.list(len(v), func(i int) { p.value(v[i]) })
		p.write("]")
	case value.Map:
		p.write("{")
		p.list(len(v), func(i int) {
			p.write(quotedText(v[i].Name), ":")
			p.value(v[i].Value)
		})
		p.write("}")
	case value.StringSet:
		p.write("<<")
		p.list(len(v), func(i int) { p.write(quotedText(v[i])) })
		p.write(">>")
	case value.NumberSet:
		p.write("<<")
		p.list(len(v), func(i int) { p.write(v[i].String()) })
		p.write(">>")
	}
}

func quotedName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
func quotedText(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

package partiql

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/check"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// conjuncts returns the conditions that all must hold for n to hold.
func conjuncts(n Node) []Node {
	if n == nil {
		return nil
	}
	if o, ok := n.(*Operation); ok && o.Symbol == symbolAnd {
		var all []Node
		for _, part := range o.Operands {
			all = append(all, conjuncts(part)...)
		}
		return all
	}
	return []Node{n}
}

// conjunction returns the condition that all nodes hold. It is nil if there is none.
func conjunction(nodes []Node) Node {
	switch len(nodes) {
	case 0:
		return nil
	case 1:
		return nodes[0]
	default:
		return &Operation{symbolAnd, nodes}
	}
}

// attribute returns the name of a top-level attribute, or "" for another node.
func attribute(n Node) string {
	if path, ok := n.(Path); ok && len(path) == 1 {
		return path[0].Name
	}
	return ""
}

// keyOperators are the operators of key conditions, and those with the operands exchanged.
var keyOperators = map[string]struct{ as, reversed expression.KeyOperator }{
	"=":  {expression.Equal, expression.Equal},
	"<":  {expression.Less, expression.Greater},
	"<=": {expression.LessOrEqual, expression.GreaterOrEqual},
	">":  {expression.Greater, expression.Less},
	">=": {expression.GreaterOrEqual, expression.LessOrEqual},
}

// keyComparison converts a condition to one on a key. ok is false if it is no comparison of one
// attribute with values that a key condition can have.
func (p *prepared) keyComparison(n Node) (c expression.KeyComparison, ok bool) {
	switch n := n.(type) {
	case *Call:
		if n.Name != "begins_with" || len(n.Operands) != 2 {
			return c, false
		}
		return p.keyFirst(expression.BeginsWith, n.Operands)
	case *Operation:
		if n.Symbol == symbolBetween {
			return p.keyFirst(expression.Between, n.Operands)
		}
		o, ok := keyOperators[n.Symbol]
		if !ok {
			return c, false
		}
		if attribute(n.Operands[1]) != "" {
			return p.keyFirst(o.reversed, []Node{n.Operands[1], n.Operands[0]})
		}
		return p.keyFirst(o.as, n.Operands)
	}
	return c, false
}

// keyFirst returns the comparison of an attribute, the first operand, with values.
func (p *prepared) keyFirst(op expression.KeyOperator, operands []Node) (c expression.KeyComparison, ok bool) {
	c = expression.KeyComparison{Attribute: attribute(operands[0]), Op: op}
	for _, n := range operands[1:] {
		v := p.value(n)
		if v == nil {
			return c, false
		}
		c.Operands = append(c.Operands, v)
	}
	return c, c.Attribute != ""
}

// equality returns the attribute and the value that a condition compares for equality.
func (p *prepared) equality(n Node) (name string, v value.Value, ok bool) {
	c, ok := p.keyComparison(n)
	if !ok || c.Op != expression.Equal {
		return "", nil, false
	}
	return c.Attribute, c.Operands[0], true
}

// equalities returns the attributes that must have one value.
func (p *prepared) equalities(n Node) value.Map {
	var equal value.Map
	for _, part := range conjuncts(n) {
		if name, v, ok := p.equality(part); ok {
			equal = equal.With(name, v)
		}
	}
	return equal
}

// among returns the only values that an attribute can have if a condition holds. known is false if
// it can have any. exact reports whether the condition holds for each of these values.
func (p *prepared) among(n Node, name string) (values []value.Value, known, exact bool) {
	if equal, v, ok := p.equality(n); ok {
		return []value.Value{v}, equal == name, true
	}
	o, ok := n.(*Operation)
	if !ok {
		return nil, false, false
	}
	switch o.Symbol {
	case symbolIn:
		return p.list(o, name)
	case symbolAnd:
		return p.intersection(o, name)
	case symbolOr:
		exact = true
		for _, part := range o.Operands {
			among, known, all := p.among(part, name)
			if !known {
				return nil, false, false
			}
			values, exact = append(values, among...), exact && all
		}
		return values, true, exact
	}
	return nil, false, false
}

// list returns the values of an IN.
func (p *prepared) list(in *Operation, name string) (values []value.Value, known, exact bool) {
	if attribute(in.Operands[0]) != name {
		return nil, false, false
	}
	for _, n := range in.Operands[1:] {
		v := p.value(n)
		if v == nil {
			return nil, false, false
		}
		values = append(values, v)
	}
	return values, true, true
}

// intersection returns the values that all parts of an AND allow.
func (p *prepared) intersection(and *Operation, name string) (values []value.Value, known, exact bool) {
	exact = true
	for _, part := range and.Operands {
		among, some, all := p.among(part, name)
		exact = exact && some && all
		switch {
		case some && known:
			values = common(values, among)
		case some:
			values, known = among, true
		}
	}
	return values, known, exact
}

// common returns the values that are in both lists.
func common(a, b []value.Value) []value.Value {
	return slices.DeleteFunc(slices.Clone(a), func(v value.Value) bool {
		return !slices.ContainsFunc(b, func(w value.Value) bool { return value.Equal(v, w) })
	})
}

// key returns the key that a condition requires, and whether it requires nothing else.
func (p *prepared) key(n Node, schema store.KeySchema) (key value.Map, only bool, err error) {
	only = true
	for _, part := range conjuncts(n) {
		name, v, ok := p.equality(part)
		if !ok || !schema.Has(name) {
			only = false
			continue
		}
		if before := key.Get(name); before != nil && !value.Equal(before, v) {
			return nil, false, awserr.Validation("Multiple conditions on same key %s. Only single item Update/Insert/Delete are supported", name)
		}
		key = key.With(name, v)
	}
	if len(key) < schema.Len() {
		return nil, false, awserr.Validation("Where clause does not contain a mandatory equality on all key attributes")
	}
	return key, only, checkKey(key, schema)
}

// checkKey rejects a key, or an item without one.
func checkKey(attributes value.Map, schema store.KeySchema) error {
	for _, a := range schema.All() {
		v := attributes.Get(a.Name)
		if v == nil {
			return awserr.Validation("Key attribute should be present in the item: Key %s", a.Name)
		}
		if err := checkType(a, v); err != nil {
			return err
		}
	}
	return nil
}

func checkType(a store.KeyAttribute, v value.Value) error {
	if v.Kind() != a.Kind {
		return awserr.Validation("Key attribute's data type should match its data type in table's schema: Key %s", a.Name)
	}
	return nil
}

// checkOperands rejects a condition that compares a key attribute with a value of another type, or
// with a value that no key can have.
func (p *prepared) checkOperands(n Node, schema store.KeySchema) error {
	switch n := n.(type) {
	case *Call:
		if n.Name == "begins_with" {
			return p.compareWithKey(n.Operands, schema)
		}
	case *Operation:
		switch n.Symbol {
		case symbolAnd, symbolOr, symbolNot:
			for _, part := range n.Operands {
				if err := p.checkOperands(part, schema); err != nil {
					return err
				}
			}
		default:
			return p.compareWithKey(n.Operands, schema)
		}
	}
	return nil
}

// compareWithKey checks the values that are compared with a key attribute.
func (p *prepared) compareWithKey(operands []Node, schema store.KeySchema) error {
	for _, a := range schema.All() {
		if !slices.ContainsFunc(operands, func(n Node) bool { return attribute(n) == a.Name }) {
			continue
		}
		for _, n := range operands {
			v := p.value(n)
			if v == nil {
				continue
			}
			if err := checkType(a, v); err != nil {
				return err
			}
			if err := check.KeyOperand(schema, a, v); err != nil {
				return err
			}
		}
	}
	return nil
}

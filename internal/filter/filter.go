package filter

import "github.com/trestledb/trestle/internal/core"

// Filter is a filter expression. The zero value matches every item. It is safe for concurrent use.
type Filter struct {
	root predicate // nil: no expression
}

// predicate reports whether an item fulfills a condition.
type predicate func(item core.Row) bool

// operand returns a value of a condition in an item, or nil if it has none.
type operand func(item core.Row) core.AV

// New returns the filter of an expression, with its names and values by placeholder. An error means
// that the expression is not one of package expr.
func New(expression string, names map[string]string, values map[string]core.AV) (Filter, error) {
	if expression == "" {
		return Filter{}, nil
	}
	p := parser{tokens: tokensOf(expression), names: names, values: values}
	root := p.or()
	if p.next() != "" {
		p.fail()
	}
	return Filter{root}, p.err
}

// Matches reports whether an item fulfills the filter.
func (f Filter) Matches(item core.Row) bool { return f.root == nil || f.root(item) }

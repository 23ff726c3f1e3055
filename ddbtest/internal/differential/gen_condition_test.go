package differential

import (
	"fmt"
	"slices"
)

// nested are paths into documents, with the usual type of their values.
var nested = []attribute{
	{"m/x", "N"},
	{"m/y", "S"},
	{"m/size", "N"},
	{"m/ss", "SS"},
	{"m/d", "M"},
	{"m/d/x", "N"},
	{"m/d/l", "L"},
	{"m/d/l/0", "N"},
	{"l/0", "N"},
	{"l/1", "N"},
	{"l/3", "N"},
	{"l/4/x", "N"},
}

// operands returns the paths for conditions: non-key attributes, and more.
func operands(more []attribute) []attribute {
	// Keys and indexes have triple weight.
	return slices.Concat(attributes, nested, more, more, more)
}

// condition generates a condition over some paths.
func (e *expression) condition(paths []attribute) string { return e.clause(paths, 2) }

func (e *expression) clause(paths []attribute, depth int) string {
	if depth == 0 || e.g.chance(0.4) {
		return choose(e.g, comparisons)(e, paths)
	}
	left := e.clause(paths, depth-1)
	switch e.g.IntN(6) {
	case 0, 1, 5:
		e.mark("NOT")
		return "NOT " + e.group(left)
	case 2:
		e.mark("AND")
		return e.group(left) + " AND " + e.group(e.clause(paths, depth-1))
	case 3:
		e.mark("OR")
		return e.group(left) + " OR " + e.group(e.clause(paths, depth-1))
	// Without parentheses: AND has a higher precedence than OR.
	default:
		e.mark("AND")
		e.mark("OR")
		return choose(e.g, comparisons)(e, paths) + " OR " + choose(e.g, comparisons)(e, paths) + " AND " + choose(e.g, comparisons)(e, paths)
	}
}

// group adds parentheses to a clause, unless it has them: redundant ones are invalid.
func (e *expression) group(clause string) string {
	if parenthesized(clause) {
		return clause
	}
	e.mark("( )")
	return "(" + clause + ")"
}

func parenthesized(clause string) bool {
	if clause[0] != '(' {
		return false
	}
	depth := 0
	for i, c := range clause {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(clause)-1
			}
		}
	}
	return false
}

type comparison func(*expression, []attribute) string

var comparisons = []weighted[comparison]{
	{30, (*expression).compare},
	{6, (*expression).compareSize},
	{7, (*expression).between},
	{7, (*expression).in},
	{10, (*expression).exists},
	{10, (*expression).existsNot},
	{7, (*expression).attributeType},
	{7, (*expression).beginsWith},
	{10, (*expression).contains},
}

var operators = []string{"=", "=", "<>", "<>", "<", "<=", ">", ">="}

// compare compares a path with a value or with another path. Only strings, numbers and binary
// values have an order.
func (e *expression) compare(paths []attribute) string {
	p := pick(e.g, paths)
	operator := pick(e.g, operators)
	if !ordered(p.kind) {
		operator = pick(e.g, []string{"=", "<>"})
	}
	e.mark(operator)
	left := e.path(p.name)
	var right string
	switch {
	case e.g.chance(0.15):
		right = e.path(pick(e.g, paths).name)
	case e.g.chance(0.1):
		right = e.value(e.g.value(pick(e.g, []string{"S", "N", "B"})))
	default:
		right = e.value(e.g.value(p.kind))
	}
	if e.g.chance(0.1) {
		left, right = right, left
	}
	return left + " " + operator + " " + right
}

func ordered(kind string) bool { return kind == "S" || kind == "N" || kind == "B" }

func (e *expression) compareSize(paths []attribute) string {
	operator := pick(e.g, operators)
	e.mark(operator)
	e.mark("size")
	left := fmt.Sprintf("size(%s)", e.path(pick(e.g, paths).name))
	right := e.value(number(pick(e.g, []string{"0", "1", "2", "3", "4"})))
	if e.g.chance(0.1) {
		right = fmt.Sprintf("size(%s)", e.path(pick(e.g, paths).name))
	}
	if left == right { // which is invalid
		right = e.value(number("1"))
	}
	return left + " " + operator + " " + right
}

// operand returns a value, or sometimes a path whose values usually have that type.
func (e *expression) operand(paths []attribute, kind string) string {
	if p := pick(e.g, paths); p.kind == kind && e.g.chance(0.4) {
		return e.path(p.name)
	}
	return e.value(e.g.value(kind))
}

func (e *expression) between(paths []attribute) string {
	p := pick(e.g, paths)
	kind := p.kind
	if !ordered(kind) {
		kind = "N"
	}
	low, high := e.g.value(kind), e.g.value(kind)
	if less(high, low) {
		low, high = high, low
	}
	e.mark("BETWEEN")
	if e.g.chance(0.15) {
		return fmt.Sprintf("%s BETWEEN %s AND %s", e.operand(paths, kind), e.path(p.name), e.value(high))
	}
	return fmt.Sprintf("%s BETWEEN %s AND %s", e.path(p.name), e.value(low), e.value(high))
}

func (e *expression) in(paths []attribute) string {
	p := pick(e.g, paths)
	e.mark("IN")
	clause := e.path(p.name) + " IN (" + e.value(e.g.value(p.kind))
	for range e.g.IntN(4) {
		clause += ", " + e.operand(paths, p.kind)
	}
	return clause + ")"
}

func (e *expression) exists(paths []attribute) string {
	e.mark("attribute_exists")
	return fmt.Sprintf("attribute_exists(%s)", e.path(pick(e.g, paths).name))
}

func (e *expression) existsNot(paths []attribute) string {
	e.mark("attribute_not_exists")
	return fmt.Sprintf("attribute_not_exists(%s)", e.path(pick(e.g, paths).name))
}

func (e *expression) attributeType(paths []attribute) string {
	p := pick(e.g, paths)
	kind := p.kind
	if e.g.chance(0.3) {
		kind = pick(e.g, kinds)
	}
	e.mark("attribute_type")
	return fmt.Sprintf("attribute_type(%s, %s)", e.path(p.name), e.value(text(kind)))
}

func (e *expression) beginsWith(paths []attribute) string {
	p := pick(e.g, paths)
	prefix := e.g.value("S")
	if p.kind == "B" {
		prefix = e.g.value("B")
	}
	e.mark("begins_with")
	return fmt.Sprintf("begins_with(%s, %s)", e.path(p.name), e.value(prefix))
}

func (e *expression) contains(paths []attribute) string {
	p := pick(e.g, paths)
	part := map[string]string{"SS": "S", "NS": "N", "BS": "B", "L": "N", "B": "B"}[p.kind]
	if part == "" {
		part = "S"
	}
	e.mark("contains")
	return fmt.Sprintf("contains(%s, %s)", e.path(p.name), e.value(e.g.value(part)))
}

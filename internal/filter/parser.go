package filter

import (
	"errors"
	"regexp"
	"strconv"
	"sync"

	"github.com/trestledb/trestle/internal/core"
)

var errSyntax = errors.New("a filter expression cannot be evaluated")

// token matches a placeholder, a word, a number, an operator of two characters, or any other
// character.
var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[#:]?[0-9A-Za-z_]+|<>|<=|>=|[^ ]`) })

func tokensOf(expression string) []string { return token().FindAllString(expression, -1) }

// parser parses an expression by recursive descent. After an error it reads no further tokens.
type parser struct {
	tokens []string
	names  map[string]string
	values map[string]core.AV
	err    error
}

// next returns the next token, or "" at the end.
func (p *parser) next() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

// take reads the next token.
func (p *parser) take() string {
	t := p.next()
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

// accept reads the next token if it is the given one.
func (p *parser) accept(t string) bool {
	if p.next() != t {
		return false
	}
	p.take()
	return true
}

func (p *parser) expect(t string) {
	if !p.accept(t) {
		p.fail()
	}
}

func (p *parser) fail() { p.tokens, p.err = nil, errSyntax }

func (p *parser) or() predicate {
	list := []predicate{p.and()}
	for p.accept("OR") {
		list = append(list, p.and())
	}
	return anyOf(list)
}

func (p *parser) and() predicate {
	list := []predicate{p.not()}
	for p.accept("AND") {
		list = append(list, p.not())
	}
	return allOf(list)
}

func (p *parser) not() predicate {
	if p.accept("NOT") {
		return negated(p.not())
	}
	if p.accept("(") {
		inner := p.or()
		p.expect(")")
		return inner
	}
	if test, ok := functions[p.next()]; ok {
		p.take()
		return p.function(test)
	}
	return p.comparison(p.operand())
}

// function parses the operands of a function.
func (p *parser) function(test func(a, b core.AV) bool) predicate {
	p.expect("(")
	a, b := p.operand(), operand(none)
	if p.accept(",") {
		b = p.operand()
	}
	p.expect(")")
	return func(item core.Row) bool { return test(a(item), b(item)) }
}

// comparison parses what follows the left operand of a comparison.
func (p *parser) comparison(left operand) predicate {
	switch op := p.take(); op {
	case "BETWEEN":
		low := p.operand()
		p.expect("AND")
		return between(left, low, p.operand())
	case "IN":
		return in(left, p.list())
	default:
		test, ok := comparisons[op]
		if !ok {
			p.fail()
			return nil
		}
		right := p.operand()
		return func(item core.Row) bool { return test(left(item), right(item)) }
	}
}

// list parses operands in parentheses.
func (p *parser) list() []operand {
	p.expect("(")
	list := []operand{p.operand()}
	for p.accept(",") {
		list = append(list, p.operand())
	}
	p.expect(")")
	return list
}

// operand parses a path, a value, or the size of a path.
func (p *parser) operand() operand {
	t := p.take()
	if t == "size" {
		p.expect("(")
		inner := p.operand()
		p.expect(")")
		return func(item core.Row) core.AV { return size(inner(item)) }
	}
	if v, ok := p.values[t]; ok {
		return func(core.Row) core.AV { return v }
	}
	name, ok := p.names[t]
	if !ok {
		p.fail()
		return none
	}
	return p.path(func(item core.Row) core.AV { return item.Attribute(name) })
}

// path parses the steps after the first name of a path.
func (p *parser) path(from operand) operand {
	for {
		switch {
		case p.accept("."):
			name := p.names[p.take()]
			outer := from
			from = func(item core.Row) core.AV { return entry(outer(item), name) }
		case p.accept("["):
			i, err := strconv.Atoi(p.take())
			if err != nil {
				p.fail()
			}
			p.expect("]")
			outer := from
			from = func(item core.Row) core.AV { return element(outer(item), i) }
		default:
			return from
		}
	}
}

func none(core.Row) core.AV { return nil }

package partiql

import "strings"

// operand parses a parameter, a literal, a path, a function, or one of them in parentheses.
func (p *parser) operand() (Node, error) {
	switch t := p.next(); {
	case p.isSymbol("("):
		return p.group(p.operand)
	case p.isSymbol("?"):
		return p.parameter(), nil
	case t.kind == wordToken && p.following() == token{symbolToken, "("}:
		return p.call()
	case p.isName():
		path, err := p.path()
		if err != nil {
			return nil, err
		}
		return Path(path), nil
	}
	v, err := p.value(1)
	if err != nil {
		return nil, err
	}
	return Literal{v}, nil
}

func (p *parser) parameter() Node {
	p.at++
	p.parameters++
	return Parameter(p.parameters - 1)
}

// call parses a function and its operands, at least one.
func (p *parser) call() (Node, error) {
	c := &Call{Name: strings.ToLower(p.next().text)}
	p.at += 2
	err := p.list(func() error {
		n, err := p.operand()
		c.Operands = append(c.Operands, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, p.expect(")")
}

// sum parses the right side of a SET: an operand, or sums and differences of operands.
func (p *parser) sum() (Node, error) {
	left, err := p.summand()
	for err == nil && (p.isSymbol(symbolPlus) || p.isSymbol(symbolMinus)) {
		o := &Operation{p.next().text, []Node{left, nil}}
		p.at++
		o.Operands[1], err = p.summand()
		left = o
	}
	return left, err
}

func (p *parser) summand() (Node, error) {
	if p.isSymbol("(") {
		return p.group(p.sum)
	}
	return p.operand()
}

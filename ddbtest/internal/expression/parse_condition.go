package expression

// parseCondition parses a whole condition.
func parseCondition(s sourceText) (node, error) {
	p, err := newParser(s)
	if err != nil {
		return nil, err
	}
	n, err := p.condition()
	if err != nil {
		return nil, err
	}
	return n, p.finish()
}

// condition parses a condition and rejects an operand.
func (p *parser) condition() (node, error) {
	n, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	return n, p.rejectOperand(n)
}

// rejectOperand returns an error at the next token if n is only an operand: a comparator is
// missing.
func (p *parser) rejectOperand(n node) error {
	switch n.(type) {
	case *documentPath, *placeholder:
		return p.unexpected()
	}
	return nil
}

// disjunction parses conditions joined by OR. Inside parentheses the result may be an operand only;
// the caller decides with the token that follows.
func (p *parser) disjunction() (node, error) { return p.chain(orToken, or, p.conjunction) }

func (p *parser) conjunction() (node, error) { return p.chain(andToken, and, p.negation) }

func (p *parser) chain(between tokenKind, o *operator, part func() (node, error)) (node, error) {
	first, err := part()
	if err != nil || p.kind() != between {
		return first, err
	}
	if err := p.rejectOperand(first); err != nil {
		return nil, err
	}
	chain := &operation{operator: o, operands: append(make([]node, 0, 4), first)}
	for p.skip(between) {
		n, err := part()
		if err != nil {
			return nil, err
		}
		if err := p.rejectOperand(n); err != nil {
			return nil, err
		}
		chain.operands = append(chain.operands, n)
	}
	return chain, nil
}

func (p *parser) negation() (node, error) {
	if !p.skip(notToken) {
		return p.comparison()
	}
	n, err := p.negation()
	if err != nil {
		return nil, err
	}
	return &operation{operator: not, operands: []node{n}}, p.rejectOperand(n)
}

// comparison parses a comparison, a function, or a group in parentheses.
func (p *parser) comparison() (node, error) {
	left, err := p.leftOperand()
	if err != nil || isCondition(left) {
		return left, err
	}
	switch p.kind() {
	case betweenToken:
		return p.between(left)
	case inToken:
		return p.in(left)
	}
	o, ok := comparators[p.kind()]
	if !ok {
		return left, nil
	}
	p.at++
	right, err := p.operand()
	return &operation{operator: o, operands: []node{left, right}}, err
}

func (p *parser) leftOperand() (node, error) {
	if p.kind() == openToken {
		return p.group(p.disjunction)
	}
	return p.operand()
}

func (p *parser) between(left node) (node, error) {
	p.at++
	low, err := p.operand()
	if err != nil {
		return nil, err
	}
	if err := p.expect(andToken); err != nil {
		return nil, err
	}
	high, err := p.operand()
	return &operation{operator: between, operands: []node{left, low, high}}, err
}

func (p *parser) in(left node) (node, error) {
	p.at++
	among, err := p.list()
	return &operation{operator: in, operands: append([]node{left}, among...)}, err
}

package expression

// parseUpdate parses a whole update.
func parseUpdate(s sourceText) ([]section, error) {
	p, err := newParser(s)
	if err != nil {
		return nil, err
	}
	var sections []section
	for {
		s, err := p.section()
		if err != nil {
			return nil, err
		}
		sections = append(sections, s)
		if !p.atSection() {
			return sections, p.finish()
		}
	}
}

func (p *parser) atSection() bool { return setToken <= p.kind() && p.kind() <= deleteToken }

// section parses a keyword and its actions.
func (p *parser) section() (section, error) {
	if !p.atSection() {
		return section{}, p.unexpected()
	}
	s := section{keyword: p.kind()}
	p.at++
	for {
		a, err := p.action(s.keyword)
		if err != nil {
			return section{}, err
		}
		s.actions = append(s.actions, a)
		if !p.skip(commaToken) {
			return s, nil
		}
	}
}

func (p *parser) action(keyword tokenKind) (action, error) {
	target, err := p.path()
	a := action{keyword: keyword, target: target}
	if err != nil {
		return a, err
	}
	switch keyword {
	case removeToken:
	case setToken:
		if err := p.expect(equalToken); err != nil {
			return a, err
		}
		a.source, err = p.assigned()
	default:
		if p.kind() != valueToken {
			return a, p.unexpected()
		}
		a.source = &placeholder{p.next()}
	}
	return a, err
}

// assigned parses the right side of a SET: an operand, or a sum or difference of two.
func (p *parser) assigned() (node, error) {
	left, err := p.leftOfSum()
	if err != nil || isSum(left) {
		return left, err
	}
	o := plus
	switch p.kind() {
	case plusToken:
	case minusToken:
		o = minus
	default:
		return left, nil
	}
	p.at++
	right, err := p.operand()
	return &operation{operator: o, operands: []node{left, right}}, err
}

func (p *parser) leftOfSum() (node, error) {
	if p.kind() == openToken {
		return p.group(p.assigned)
	}
	return p.operand()
}

func isSum(n node) bool {
	_, ok := n.(*operation)
	return ok
}

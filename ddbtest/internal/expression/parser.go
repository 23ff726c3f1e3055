package expression

import "strconv"

// parser parses the tokens of one expression from left to right. It checks the grammar, but no
// names of functions or attributes.
type parser struct {
	sourceText
	tokens    []token
	at        int
	lastGroup group
	redundant bool // a group contains only another group
}

// group is the token indexes of a pair of parentheses.
type group struct{ open, closed int }

// newParser returns a parser of a text that is neither empty nor too long.
func newParser(s sourceText) (*parser, error) {
	if err := s.checkText(); err != nil {
		return nil, err
	}
	return &parser{sourceText: s, tokens: tokenize(s.text), lastGroup: group{-1, -1}}, nil
}

func (p *parser) kind() tokenKind { return p.tokens[p.at].kind }

// word returns the text of the next token.
func (p *parser) word() string {
	t := p.tokens[p.at]
	return p.text[t.start:t.end]
}

// next returns the text of the next token and advances.
func (p *parser) next() string {
	word := p.word()
	p.at++
	return word
}

// skip advances if the next token has that kind.
func (p *parser) skip(kind tokenKind) bool {
	if p.kind() != kind {
		return false
	}
	p.at++
	return true
}

// expect advances past a token of that kind, or returns an error.
func (p *parser) expect(kind tokenKind) error {
	if !p.skip(kind) {
		return p.unexpected()
	}
	return nil
}

// unexpected returns the syntax error for the next token. It quotes the token with its neighbors.
func (p *parser) unexpected() error {
	near := p.tokens[max(p.at-1, 0)].start
	if p.at == 0 {
		near = 0
	}
	if p.kind() == endOfText {
		return p.errorf(`Syntax error; token: "<EOF>", near: "%s"`, p.text[near:])
	}
	behind := p.tokens[p.at+1] // at least the end of the text
	return p.errorf(`Syntax error; token: "%s", near: "%s"`, p.word(), p.text[near:behind.end])
}

// finish returns an error if tokens are left, or if the expression has redundant parentheses.
func (p *parser) finish() error {
	if p.kind() != endOfText {
		return p.unexpected()
	}
	if p.redundant {
		return p.errorf("The expression has redundant parentheses;")
	}
	return nil
}

// group parses a group. The next token is the opening parenthesis.
func (p *parser) group(inside func() (node, error)) (node, error) {
	g := group{open: p.at}
	p.at++
	n, err := inside()
	if err != nil {
		return nil, err
	}
	g.closed = p.at
	if err := p.expect(closeToken); err != nil {
		return nil, err
	}
	if p.lastGroup.open == g.open+1 && p.lastGroup.closed == g.closed-1 {
		p.redundant = true
	}
	p.lastGroup = g
	return n, nil
}

// operand parses a path, a value, a function, or one of them in parentheses.
func (p *parser) operand() (node, error) {
	switch p.kind() {
	case openToken:
		return p.group(p.operand)
	case valueToken:
		return &placeholder{p.next()}, nil
	case nameToken:
		if p.tokens[p.at+1].kind == openToken {
			return p.call()
		}
		return p.operandPath()
	case aliasToken:
		return p.operandPath()
	default:
		return nil, p.unexpected()
	}
}

func (p *parser) operandPath() (node, error) {
	path, err := p.path()
	if err != nil {
		return nil, err
	}
	return path, nil
}

// call parses a function name and its operands, at least one.
func (p *parser) call() (node, error) {
	c := &call{name: p.next()}
	operands, err := p.list()
	c.operands = operands
	return c, err
}

// list parses operands in parentheses.
func (p *parser) list() ([]node, error) {
	if err := p.expect(openToken); err != nil {
		return nil, err
	}
	operands := make([]node, 0, maxOperands)
	for {
		n, err := p.operand()
		if err != nil {
			return nil, err
		}
		operands = append(operands, n)
		if !p.skip(commaToken) {
			return operands, p.expect(closeToken)
		}
	}
}

// path parses a document path.
func (p *parser) path() (*documentPath, error) {
	first, err := p.name()
	if err != nil {
		return nil, err
	}
	path := &documentPath{steps: []step{first}}
	for {
		var s step
		switch {
		case p.skip(dotToken):
			s, err = p.name()
		case p.skip(openIndexToken):
			s, err = p.index()
		default:
			return path, nil
		}
		if err != nil {
			return nil, err
		}
		path.steps = append(path.steps, s)
	}
}

func (p *parser) name() (step, error) {
	if p.kind() != nameToken && p.kind() != aliasToken {
		return step{}, p.unexpected()
	}
	return step{name: p.next()}, nil
}

func (p *parser) index() (step, error) {
	if p.kind() != indexToken {
		return step{}, p.unexpected()
	}
	s := step{digits: p.next()}
	i, err := strconv.ParseInt(s.digits, 10, 32)
	s.index = int(i)
	if err != nil {
		s.index = -1
	}
	return s, p.expect(closeIndexToken)
}

package partiql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
)

// parser parses the tokens of one statement from left to right.
type parser struct {
	text       string
	tokens     []token
	starts     []int // their positions in the text
	at         int
	parameters int // question marks so far
}

// Parse parses a statement, and returns it with its number of parameters.
func Parse(text string) (s Statement, parameters int, err error) {
	p := &parser{text: text}
	p.tokens, p.starts = tokenize(text)
	if slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind == otherToken }) {
		return nil, 0, malformed("")
	}
	if s, err = p.statement(); err != nil {
		return nil, 0, err
	}
	p.skip(";")
	if p.next().kind != endOfText {
		return nil, 0, malformed(unexpectedRemainder)
	}
	return s, p.parameters, nil
}

// The reasons for which a statement is malformed, as far as those of the service are known. It has
// none for a text that has no tokens, such as one with an unbalanced quote. DynamoDB Local repeats
// the statement instead of a reason.
const (
	expectedStatement   = "Expected data manipulation"
	expectedFrom        = "Expected FROM after SELECT list"
	expectedFromDelete  = "Expected FROM after DELETE"
	unexpectedKeyword   = "Unexpected keyword"
	unexpectedOperator  = "Unexpected operator"
	unexpectedTerm      = "Unexpected term"
	unexpectedRemainder = "Unexpected token after expression"
)

// operators are the symbols of operators.
var operators = []string{"=", "<", ">", "<=", ">=", "<>", "!=", "+", "-"}

func malformed(reason string) error {
	return awserr.Validation("Statement wasn't well formed, can't be processed: %s", reason)
}

// unexpected returns the error of a statement in which something else must follow than the next
// token.
func (p *parser) unexpected() error {
	switch t := p.next(); {
	case t.kind == wordToken && reserved[strings.ToUpper(t.text)]:
		return malformed(unexpectedKeyword)
	case t.kind == symbolToken && slices.Contains(operators, t.text):
		return malformed(unexpectedOperator)
	default:
		return malformed(unexpectedTerm)
	}
}

// position returns the line and the column of the next token, from 1, and its length.
func (p *parser) position() (line, column, length int) {
	start := p.starts[p.at]
	before := p.text[:start]
	line = 1 + strings.Count(before, "\n")
	column = start - strings.LastIndexByte(before, '\n')
	_, length = nextToken(p.text[start:])
	return line, column, length
}

func (p *parser) next() token { return p.tokens[p.at] }

// following returns the token after the next one.
func (p *parser) following() token { return p.tokens[min(p.at+1, len(p.tokens)-1)] }

// isSymbol reports whether the next token is that symbol.
func (p *parser) isSymbol(symbol string) bool { return p.next() == token{symbolToken, symbol} }

// isWord reports whether the next token is that keyword, in upper or lower case.
func (p *parser) isWord(word string) bool {
	t := p.next()
	return t.kind == wordToken && strings.EqualFold(t.text, word)
}

// skip advances if the next token is that symbol.
func (p *parser) skip(symbol string) bool {
	if !p.isSymbol(symbol) {
		return false
	}
	p.at++
	return true
}

// skipWord advances if the next token is that keyword.
func (p *parser) skipWord(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.at++
	return true
}

// expect advances past a symbol, or returns an error.
func (p *parser) expect(symbol string) error {
	if !p.skip(symbol) {
		return p.unexpected()
	}
	return nil
}

// expectWords advances past keywords, or returns an error.
func (p *parser) expectWords(words ...string) error {
	for _, word := range words {
		if !p.skipWord(word) {
			return p.unexpected()
		}
	}
	return nil
}

// isName reports whether the next token is a name. A reserved word is one in quotes only.
func (p *parser) isName() bool {
	t := p.next()
	return t.kind == quotedToken || t.kind == wordToken && !reserved[strings.ToUpper(t.text)]
}

// name parses a name.
func (p *parser) name() (string, error) {
	if !p.isName() {
		return "", p.unexpected()
	}
	text := p.next().text
	p.at++
	return text, checkName(text)
}

func checkName(name string) error {
	if name == "" {
		return awserr.Validation("Path component cannot be an empty string")
	}
	return nil
}

// path parses the path to an attribute.
func (p *parser) path() (expression.Path, error) {
	first, err := p.name()
	if err != nil {
		return nil, err
	}
	path := expression.Path{{Name: first}}
	for {
		var e expression.Element
		switch {
		case p.skip("."):
			e.Name, err = p.name()
		case p.skip("["):
			e, err = p.step()
		default:
			return path, nil
		}
		if err != nil {
			return nil, err
		}
		path = append(path, e)
	}
}

// step parses an index or a name in brackets, after the opening one.
func (p *parser) step() (e expression.Element, err error) {
	t := p.next()
	switch t.kind {
	case textToken:
		e.Name, err = t.text, checkName(t.text)
	case numberToken:
		if digitsLength(t.text) < len(t.text) {
			return e, p.unexpected()
		}
		i, tooLarge := strconv.ParseInt(t.text, 10, 32)
		if tooLarge != nil {
			return e, awserr.Validation("List index is not within the allowable range; index: [%s]", t.text)
		}
		e.Index = int(i)
	default:
		return e, p.unexpected()
	}
	p.at++
	if err != nil {
		return e, err
	}
	return e, p.expect("]")
}

// list parses what part parses, separated by commas.
func (p *parser) list(part func() error) error {
	for {
		if err := part(); err != nil {
			return err
		}
		if !p.skip(",") {
			return nil
		}
	}
}

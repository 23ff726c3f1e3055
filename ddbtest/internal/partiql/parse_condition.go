package partiql

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// condition parses a whole condition.
func (p *parser) condition() (Node, error) {
	n, err := p.disjunction()
	if err == nil && !isTest(n) {
		err = p.unexpected()
	}
	return n, err
}

func (p *parser) disjunction() (Node, error) { return p.chain(symbolOr, p.conjunction) }

func (p *parser) conjunction() (Node, error) { return p.chain(symbolAnd, p.negation) }

// chain parses conditions separated by AND or by OR.
func (p *parser) chain(word string, part func() (Node, error)) (Node, error) {
	first, err := part()
	if err != nil || !p.isWord(word) {
		return first, err
	}
	o := &Operation{word, []Node{first}}
	for p.skipWord(word) {
		n, err := part()
		if err != nil {
			return nil, err
		}
		o.Operands = append(o.Operands, n)
	}
	for _, n := range o.Operands {
		if !isTest(n) {
			return nil, awserr.Validation("The arguments to AND/OR must be Expressions")
		}
	}
	return o, nil
}

func (p *parser) negation() (Node, error) {
	if !p.skipWord(symbolNot) {
		return p.comparison()
	}
	n, err := p.negation()
	if err == nil && !isTest(n) {
		err = awserr.Validation("The argument to NOT must be a Type or Expression")
	}
	return negated(n), err
}

func negated(n Node) Node { return &Operation{symbolNot, []Node{n}} }

// comparators are the symbols of comparisons, with the operators of expressions.
var comparators = map[string]string{"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

// comparison parses an operator with its operands, or an operand alone.
func (p *parser) comparison() (Node, error) {
	left, err := p.leftOperand()
	if err != nil || isCondition(left) {
		return left, err
	}
	if symbol, ok := comparators[p.next().text]; ok && p.next().kind == symbolToken {
		p.at++
		right, err := p.operand()
		return &Operation{symbol, []Node{left, right}}, err
	}
	if p.skipWord("IS") {
		return p.is(left)
	}
	if p.isWord(symbolNot) {
		p.at++
		n, err := p.membership(left)
		if err == nil && n == nil {
			err = p.unexpected()
		}
		return negated(n), err
	}
	n, err := p.membership(left)
	if n == nil && err == nil {
		return left, nil
	}
	return n, err
}

// membership parses BETWEEN or IN after its left operand. It returns nil if neither follows.
func (p *parser) membership(left Node) (Node, error) {
	switch {
	case p.skipWord(symbolBetween):
		low, err := p.operand()
		if err != nil {
			return nil, err
		}
		if err := p.expectWords(symbolAnd); err != nil {
			return nil, err
		}
		high, err := p.operand()
		return &Operation{symbolBetween, []Node{left, low, high}}, err
	case p.skipWord(symbolIn):
		o := &Operation{symbolIn, []Node{left}}
		return o, p.among(o)
	default:
		return nil, nil
	}
}

// among parses the list of an IN.
func (p *parser) among(o *Operation) error {
	for open, closing := range map[string]string{"[": "]", "(": ")", "<<": ">>"} {
		if !p.skip(open) {
			continue
		}
		err := p.list(func() error {
			n, err := p.operand()
			o.Operands = append(o.Operands, n)
			return err
		})
		if err != nil {
			return err
		}
		return p.expect(closing)
	}
	return awserr.Validation("IN operator must have a left hand argument of type Variable Reference and " +
		"right hand argument of type Seq with at least one member")
}

// types are the types that IS compares with, and their descriptors.
var types = map[string]value.Kind{
	"NULL": value.KindNull, "BOOL": value.KindBool, "BOOLEAN": value.KindBool, "BLOB": value.KindBinary, "STRING": value.KindString,
	"NUMERIC": value.KindNumber, "STRUCT": value.KindMap, "TUPLE": value.KindMap, "LIST": value.KindList,
}

// is parses an IS after its keyword. It becomes a function of conditions.
func (p *parser) is(left Node) (Node, error) {
	if _, ok := left.(Path); !ok {
		return nil, awserr.Validation("The left hand side argument to IS must be a Variable Reference, Literal, or Path")
	}
	not := p.skipWord(symbolNot)
	word := strings.ToUpper(p.next().text)
	if p.next().kind != wordToken {
		return nil, p.unexpected()
	}
	p.at++
	if word == "MISSING" {
		name := "attribute_not_exists"
		if not {
			name = "attribute_exists"
		}
		return &Call{name, []Node{left}}, nil
	}
	kind, ok := types[word]
	if !ok {
		return nil, awserr.Validation("Unsupported data type for IS operator: %s. Supported data types are "+
			"[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]", word)
	}
	n := &Call{"attribute_type", []Node{left, Literal{value.String(kind.String())}}}
	if not {
		return negated(n), nil
	}
	return n, nil
}

// leftOperand parses an operand, or a condition in parentheses.
func (p *parser) leftOperand() (Node, error) {
	if p.isSymbol("(") {
		return p.group(p.disjunction)
	}
	return p.operand()
}

// group parses what is in parentheses.
func (p *parser) group(inside func() (Node, error)) (Node, error) {
	p.at++
	n, err := inside()
	if err != nil {
		return nil, err
	}
	return n, p.expect(")")
}

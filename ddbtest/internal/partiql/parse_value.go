package partiql

import (
	"errors"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// value parses a literal. Depth is its level, counted from 1.
func (p *parser) value(depth int) (value.Value, error) {
	if depth > value.MaxDepth {
		return nil, errDepth()
	}
	switch t := p.next(); {
	case t.kind == textToken:
		p.at++
		return value.String(t.text), nil
	case t.kind == numberToken, p.isSymbol(symbolPlus), p.isSymbol(symbolMinus):
		return p.number()
	case p.skip("["):
		return p.listValue(depth)
	case p.isSymbol("{"):
		return p.mapValue(depth)
	case p.skip("<<"):
		return p.setValue()
	case p.skipWord("TRUE"):
		return value.Bool(true), nil
	case p.skipWord("FALSE"):
		return value.Bool(false), nil
	case p.skipWord("NULL"):
		return value.Null{}, nil
	case p.isWord("MISSING"):
		return nil, awserr.Validation("MISSING must be compared using IS operator")
	default:
		return nil, p.unexpected()
	}
}

func errDepth() error {
	return awserr.Validation("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
}

// number parses a number with its sign.
func (p *parser) number() (value.Value, error) {
	sign := ""
	if t := p.next(); t.kind == symbolToken {
		sign = t.text
		p.at++
	}
	t := p.next()
	if t.kind != numberToken {
		return nil, p.unexpected()
	}
	p.at++
	n, err := decimal.Parse(sign + t.text)
	switch {
	case err == nil:
		return value.Number{Decimal: n}, nil
	case errors.Is(err, decimal.ErrPrecision):
		return nil, awserr.Validation("DynamoDB only supports precision up to 38 digits")
	case errors.Is(err, decimal.ErrOverflow):
		return nil, awserr.Validation("Number overflow. Attempting to store a number with magnitude larger than supported range")
	case errors.Is(err, decimal.ErrUnderflow):
		return nil, awserr.Validation("Number underflow. Attempting to store a number with magnitude smaller than supported range")
	default:
		return nil, p.unexpected()
	}
}

// listValue parses a list after its opening bracket.
func (p *parser) listValue(depth int) (value.Value, error) {
	l := value.List{}
	if p.skip("]") {
		return l, nil
	}
	err := p.list(func() error {
		v, err := p.value(depth + 1)
		l = append(l, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, p.expect("]")
}

// mapValue parses a map.
func (p *parser) mapValue(depth int) (value.Value, error) {
	var attributes []value.Attribute
	err := p.members(func(name string) error {
		v, err := p.value(depth + 1)
		attributes = append(attributes, value.Attribute{Name: name, Value: v})
		return err
	})
	if err != nil {
		return nil, err
	}
	return value.MapOf(attributes...), nil
}

// members parses the members of a map: it calls f for each name, to parse its value.
func (p *parser) members(f func(name string) error) error {
	if err := p.expect("{"); err != nil {
		return err
	}
	if p.skip("}") {
		return nil
	}
	seen := map[string]bool{}
	err := p.list(func() error {
		t := p.next()
		if t.kind != textToken {
			return awserr.Validation("Tuple keys must be of type String.")
		}
		p.at++
		if seen[t.text] {
			return awserr.Validation("Duplicate keys in tuple. Key: %s", t.text)
		}
		seen[t.text] = true
		if err := checkName(t.text); err != nil {
			return err
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		return f(t.text)
	})
	if err != nil {
		return err
	}
	return p.expect("}")
}

// setValue parses a set after its opening brackets. It has strings or numbers.
func (p *parser) setValue() (value.Value, error) {
	if p.isSymbol(">>") {
		return nil, awserr.Validation("Empty bags are not supported")
	}
	var texts []string
	var numbers []decimal.Decimal
	err := p.list(func() error {
		v, err := p.value(1)
		if err != nil {
			return err
		}
		switch v := v.(type) {
		case value.String:
			texts = append(texts, string(v))
		case value.Number:
			numbers = append(numbers, v.Decimal)
		}
		if (texts == nil) == (numbers == nil) || v.Kind() != value.KindString && v.Kind() != value.KindNumber {
			return awserr.Validation("Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := p.expect(">>"); err != nil {
		return nil, err
	}
	if texts != nil {
		return distinct(value.NewStringSet(texts))
	}
	return distinct(value.NewNumberSet(numbers))
}

// distinct returns a set, or an error if it had duplicates.
func distinct[S value.Value](set S, ok bool) (value.Value, error) {
	if !ok {
		return nil, awserr.Validation("Input collection contains duplicates")
	}
	return set, nil
}

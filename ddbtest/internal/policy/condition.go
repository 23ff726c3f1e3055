package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// condition is one key of one operator. Its values are alternatives.
type condition struct {
	key      string // in lower case
	set      quantifier
	ifExists bool
	operator operator
	values   []pattern
	constant string // the value of a key that is a variable
	isConst  bool
}

// quantifier is the set operator of a condition.
type quantifier uint8

const (
	single quantifier = iota
	forAll
	forAny
)

// operator is a condition operator without its prefix and suffix.
type operator struct {
	negated    bool // true if the text matches no value
	wildcards  bool
	ignoreCase bool
	isNull     bool
	isBool     bool // its values are true or false
}

var operators = map[string]operator{
	"StringEquals":              {},
	"StringNotEquals":           {negated: true},
	"StringEqualsIgnoreCase":    {ignoreCase: true},
	"StringNotEqualsIgnoreCase": {ignoreCase: true, negated: true},
	"StringLike":                {wildcards: true},
	"StringNotLike":             {wildcards: true, negated: true},
	"Bool":                      {ignoreCase: true, isBool: true},
	"Null":                      {ignoreCase: true, isBool: true, isNull: true},
}

// conditions parses a Condition element: keys and values by operator.
func (p *parser) conditions(raw json.RawMessage) ([]condition, error) {
	byOperator, err := object(raw)
	if err != nil {
		return nil, err
	}
	var list []condition
	for _, m := range byOperator {
		c, err := parseOperator(m.name)
		if err != nil {
			return nil, err
		}
		keys, err := object(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		for _, key := range keys {
			one, err := p.condition(c, key)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", m.name, key.name, err)
			}
			list = append(list, one)
		}
	}
	return list, nil
}

// parseOperator parses a name such as "ForAllValues:StringLikeIfExists".
func parseOperator(text string) (c condition, err error) {
	name := text
	if rest, ok := strings.CutPrefix(name, "ForAllValues:"); ok {
		name, c.set = rest, forAll
	} else if rest, ok := strings.CutPrefix(name, "ForAnyValue:"); ok {
		name, c.set = rest, forAny
	}
	name, c.ifExists = strings.CutSuffix(name, "IfExists")
	var known bool
	c.operator, known = operators[name]
	switch {
	case !known:
		return c, fmt.Errorf("the condition operator %s is not supported", text)
	case c.operator.isNull && (c.ifExists || c.set != single):
		return c, fmt.Errorf("the condition operator %s does not exist: write Null", text)
	}
	return c, nil
}

// condition parses the values of one key.
func (p *parser) condition(c condition, m member) (condition, error) {
	c.key = strings.ToLower(m.name)
	list, known := contextKeys[c.key]
	c.constant, c.isConst = p.variables[c.key]
	switch {
	case !known && !c.isConst:
		return c, errors.New("the condition key is not supported: set its value in Variables, if it has one")
	case list && c.set == single && !c.operator.isNull:
		return c, errors.New("the key has several values: write ForAllValues or ForAnyValue before the operator")
	}
	var err error
	if c.values, err = p.patterns(m.value, c.operator.wildcards); err != nil {
		return c, err
	}
	for i, v := range c.values {
		if c.operator.ignoreCase {
			c.values[i] = v.lower()
		}
		if c.operator.isBool && !c.values[i].matches("true") && !c.values[i].matches("false") {
			return c, errors.New("the value must be true or false")
		}
	}
	return c, nil
}

// holds reports whether the condition is true for an access.
func (c *condition) holds(a *Access) bool {
	given := a.Keys[c.key]
	if c.isConst {
		given = []string{c.constant}
	}
	switch {
	case c.operator.isNull:
		return anyMatches(c.values, boolText(len(given) == 0))
	case len(given) == 0 && c.ifExists:
		return true
	case len(given) == 0 && c.set == single:
		return c.operator.negated
	}
	for _, text := range given {
		if c.accepts(text) != (c.set == forAll) {
			return c.set != forAll
		}
	}
	return c.set == forAll
}

// accepts reports whether one value of the request fulfills the condition.
func (c *condition) accepts(text string) bool {
	if c.operator.ignoreCase {
		text = strings.ToLower(text)
	}
	return anyMatches(c.values, text) != c.operator.negated
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

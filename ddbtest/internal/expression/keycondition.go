package expression

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// KeyCondition is the key condition of a query: comparisons of different attributes, joined by AND.
type KeyCondition struct {
	Comparisons []KeyComparison
	Legacy      bool // of the parameter KeyConditions, which has other error messages
}

// KeyComparison compares an attribute with values of the request.
type KeyComparison struct {
	Attribute string
	Op        KeyOperator
	Operands  []value.Value // two for [Between], else one; any number for [NotIndexable]
}

// KeyOperator is an operator of a key condition.
type KeyOperator uint8

// The operators of a key condition.
const (
	Equal KeyOperator = iota + 1
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
	Between // both bounds included
	BeginsWith
	NotIndexable // any operator that a key condition cannot have
)

// For returns the comparison of an attribute.
func (k *KeyCondition) For(attribute string) (KeyComparison, bool) {
	for _, c := range k.Comparisons {
		if c.Attribute == attribute {
			return c, true
		}
	}
	return KeyComparison{}, false
}

// ParseKeyCondition parses a key condition. It does not check it against the key of a table.
func ParseKeyCondition(text string, p *Placeholders) (*KeyCondition, error) {
	_, predicate, err := parseAndBind(sourceText{"KeyConditionExpression", text}, p)
	if err != nil {
		return nil, err
	}
	k := &KeyCondition{}
	if err := k.add(predicate); err != nil {
		return nil, err
	}
	return k, nil
}

// add adds the comparisons in a predicate.
func (k *KeyCondition) add(p predicate) error {
	switch p := p.(type) {
	case andTest:
		for _, part := range p {
			if err := k.add(part); err != nil {
				return err
			}
		}
		return nil
	case orTest:
		return errKeyOperator("OR")
	case notTest:
		return errKeyOperator("NOT")
	case inTest:
		return errKeyOperator("IN")
	case betweenTest:
		return k.addKeyFirst("BETWEEN", Between, p.operand, p.low, p.high)
	case functionTest:
		if p.name != "begins_with" {
			return errKeyOperator(p.name)
		}
		return k.addKeyFirst(p.name, BeginsWith, p.operands...)
	case comparison:
		if p.operator == unequal {
			return errKeyOperator("<>")
		}
		return k.addComparison(p)
	}
	return nil
}

// keyOperators maps comparators to key operators, as they are and with exchanged operands.
var keyOperators = map[*operator]struct{ as, reversed KeyOperator }{
	equal:        {Equal, Equal},
	less:         {Less, Greater},
	lessEqual:    {LessOrEqual, GreaterOrEqual},
	greater:      {Greater, Less},
	greaterEqual: {GreaterOrEqual, LessOrEqual},
}

// addComparison adds a comparison, which may have the key on either side.
func (k *KeyCondition) addComparison(c comparison) error {
	op := keyOperators[c.operator].as
	if _, ok := c.right.(Path); ok {
		op = keyOperators[c.operator].reversed
	}
	return k.addOne(op, c.left, c.right)
}

// addKeyFirst adds a condition whose first operand must be the key.
func (k *KeyCondition) addKeyFirst(name string, op KeyOperator, operands ...operand) error {
	if _, ok := operands[0].(literal); ok {
		return awserr.Validation("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", name)
	}
	return k.addOne(op, operands...)
}

func (k *KeyCondition) addOne(op KeyOperator, operands ...operand) error {
	c := KeyComparison{Op: op}
	for _, o := range operands {
		switch o := o.(type) {
		case literal:
			c.Operands = append(c.Operands, o.value)
		case functionCall:
			return awserr.Validation("Invalid KeyConditionExpression: KeyConditionExpressions cannot contain nested operations")
		case Path:
			if c.Attribute != "" {
				return awserr.Validation("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
			}
			if len(o) > 1 {
				return awserr.Validation("Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes")
			}
			c.Attribute = o[0].Name
		}
	}
	if c.Attribute == "" {
		return awserr.Validation("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	if _, ok := k.For(c.Attribute); ok {
		return awserr.Validation("Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key")
	}
	k.Comparisons = append(k.Comparisons, c)
	return nil
}

func errKeyOperator(name string) error {
	return awserr.Validation("Invalid operator used in KeyConditionExpression: %s", name)
}

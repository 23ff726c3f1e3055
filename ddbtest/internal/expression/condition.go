package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// Condition is a condition or a filter. It is safe for concurrent use.
type Condition struct {
	predicate predicate
	paths     []Path
	size      int
}

// ParseCondition parses a condition. Kind is the request's member that holds it,
// ConditionExpression or FilterExpression. Error messages name it.
func ParseCondition(kind, text string, p *Placeholders) (*Condition, error) {
	b, predicate, err := parseAndBind(sourceText{kind, text}, p)
	if err != nil {
		return nil, err
	}
	return &Condition{predicate: predicate, paths: b.paths, size: b.size}, nil
}

// parseAndBind parses, checks and binds a condition.
func parseAndBind(s sourceText, p *Placeholders) (*binder, predicate, error) {
	n, err := parseCondition(s)
	if err != nil {
		return nil, nil, err
	}
	return bindCondition(s, n, p)
}

// bindCondition checks the names of a condition and binds it.
func bindCondition(s sourceText, n node, p *Placeholders) (*binder, predicate, error) {
	if err := (nameChecker{s, conditionGrammar}).check(n, conditionPosition); err != nil {
		return nil, nil, err
	}
	b := newBinder(s, p)
	predicate, err := b.bindPredicate(n)
	if err == nil {
		err = b.finish()
	}
	return b, predicate, err
}

// Eval reports whether an item fulfills the condition. The item may be empty.
func (c *Condition) Eval(item value.Map) bool { return c.predicate.eval(item) }

// Size returns the bytes of the expression with the names and values of its placeholders. It bounds
// the cost of one evaluation, in addition to the item.
func (c *Condition) Size() int { return c.size }

// Paths returns the paths in the condition, in the order of the expression. The caller must not
// change them.
func (c *Condition) Paths() []Path { return c.paths }

// TopLevelNames returns the attributes in the condition, without duplicates.
func (c *Condition) TopLevelNames() []string { return topLevelNames(c.paths) }

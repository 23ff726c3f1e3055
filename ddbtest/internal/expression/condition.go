package expression

import "github.com/trestledb/trestle/ddbtest/internal/value"

// Condition is a condition or a filter. It may be shared by goroutines.
type Condition struct {
	predicate predicate
	paths     []Path
	size      int
}

// ParseCondition understands a condition. Kind is the request's member that has it, ConditionExpression or FilterExpression: refusals name it.
func ParseCondition(kind, text string, p *Placeholders) (*Condition, error) {
	b, predicate, err := understandCondition(source{kind, text}, p)
	if err != nil {
		return nil, err
	}
	return &Condition{predicate: predicate, paths: b.paths, size: b.size}, nil
}

// understandCondition goes all the steps from a text to a predicate.
func understandCondition(s source, p *Placeholders) (*binder, predicate, error) {
	n, err := parseCondition(s)
	if err != nil {
		return nil, nil, err
	}
	if err := (vocabulary{s, conditionGrammar}).check(n, conditionPlace); err != nil {
		return nil, nil, err
	}
	b := newBinder(s, p)
	predicate, err := b.predicate(n)
	if err == nil {
		err = b.finish()
	}
	return b, predicate, err
}

// Eval tells whether an item, which may be empty, fulfills the condition.
func (c *Condition) Eval(item value.Map) bool { return c.predicate.holds(item) }

// Size is the bytes of the text with all that stands for its placeholders: beside the item, what it may take to look at one.
func (c *Condition) Size() int { return c.size }

// Paths are the paths that the condition asks for, in the order of its text. The caller may not change them.
func (c *Condition) Paths() []Path { return c.paths }

// TopLevelNames are the attributes that the condition asks for, each once.
func (c *Condition) TopLevelNames() []string { return topLevelNames(c.paths) }

package clause

import "slices"

// And, Or and Not join conditions. Rendered, they have parentheses only where DynamoDB needs them,
// because it rejects redundant ones.

// Not holds if another condition does not.
type Not struct{ Pred Pred }

// Holds implements [Pred].
func (n Not) Holds(item Item) bool { return !n.Pred.Holds(item) }

// Render implements [Pred].
func (n Not) Render(to []byte, m Marks) []byte {
	return operand(append(to, "NOT "...), n.Pred, 0, m)
}

// Or holds if one of several conditions does.
type Or []Pred

// Holds implements [Pred].
func (o Or) Holds(item Item) bool {
	return slices.ContainsFunc(o, func(p Pred) bool { return p.Holds(item) })
}

// Render implements [Pred].
func (o Or) Render(to []byte, m Marks) []byte { return join(to, o, joinsOr, m) }

// And holds if several conditions do.
type And []Pred

// Holds implements [Pred].
func (a And) Holds(item Item) bool {
	return !slices.ContainsFunc(a, func(p Pred) bool { return !p.Holds(item) })
}

// Render implements [Pred].
func (a And) Render(to []byte, m Marks) []byte { return join(to, a, joinsAnd, m) }

// Caller is a condition of the caller, in parentheses.
type Caller struct{ Pred }

// Render implements [Pred].
func (c Caller) Render(to []byte, m Marks) []byte {
	return append(c.Pred.Render(append(to, '('), m), ')')
}

// joiner is the operator at the top of an expression: AND, OR, or 0 for any other.
type joiner uint8

const (
	joinsAnd joiner = iota + 1
	joinsOr
)

var words = [...]string{joinsAnd: " AND ", joinsOr: " OR "}

func top(p Pred) joiner {
	switch p := p.(type) {
	case And:
		if len(p) == 1 {
			return top(p[0])
		}
		return joinsAnd
	case Or:
		if len(p) == 1 {
			return top(p[0])
		}
		return joinsOr
	case Test:
		if p.Is == During {
			return joinsAnd
		}
	}
	return 0
}

// operand appends an expression as an operand of another, with parentheses if it needs them.
func operand(to []byte, p Pred, of joiner, m Marks) []byte {
	if t := top(p); t == 0 || t == of {
		return p.Render(to, m)
	}
	return append(p.Render(append(to, '('), m), ')')
}

func join(to []byte, list []Pred, by joiner, m Marks) []byte {
	if len(list) == 1 {
		return list[0].Render(to, m)
	}
	for i, p := range list {
		if i > 0 {
			to = append(to, words[by]...)
		}
		to = operand(to, p, by, m)
	}
	return to
}

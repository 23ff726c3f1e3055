package expr

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Update builds an update expression. Changes and the library's own clauses can be added in any
// order. Two clauses whose places overlap are an error, because DynamoDB refuses them.
type Update struct {
	b        *Builder
	plan     *core.Plan
	clauses  [4][]string // by clause
	targets  []target
	problems errs.Problems
}

// clause is a section of an update expression. The order is that of the text.
type clause uint8

const (
	clauseSet clause = iota
	clauseRemove
	clauseAdd
	clauseDelete
)

var clauseNames = [...]string{clauseSet: "SET", clauseRemove: "REMOVE", clauseAdd: "ADD", clauseDelete: "DELETE"}

// target is a place that the update changes, and its name in error texts.
type target struct {
	at   *core.BoundPath
	name string
}

// NewUpdate returns an empty update expression for an item of the plan.
func NewUpdate(b *Builder, p *core.Plan) *Update { return &Update{b: b, plan: p} }

// Apply adds a change. An If adds nothing: the caller compiles its conditions.
func (u *Update) Apply(c *Change) error {
	bound, err := BindChange(c, u.plan)
	if err != nil {
		return err
	}
	return u.ApplyBound(bound)
}

// ApplyBound is Apply for a bound change.
func (u *Update) ApplyBound(c *BoundChange) error {
	switch {
	case c.Verb == If:
		return nil
	case c.Target.Field != nil && c.Target.Field.KeyOnly:
		return invalid(c.Path.String(), "is stored only in keys: it has no attribute to change", "store the field as an attribute too")
	}
	if err := u.addTarget(c.Target, c.Path.String()); err != nil {
		return err
	}
	return u.addChange(c)
}

// SetValue sets a top-level attribute.
func (u *Update) SetValue(attribute string, av types.AttributeValue) {
	u.addAttribute(clauseSet, attribute, " = "+u.b.Value(av))
}

// SetExpr sets a top-level attribute to the result of an expression with the builder's
// placeholders.
func (u *Update) SetExpr(attribute, expression string) {
	u.addAttribute(clauseSet, attribute, " = "+expression)
}

// RemoveAttribute removes a top-level attribute.
func (u *Update) RemoveAttribute(attribute string) { u.addAttribute(clauseRemove, attribute, "") }

// AddValue adds to a top-level number or set.
func (u *Update) AddValue(attribute string, av types.AttributeValue) {
	u.addAttribute(clauseAdd, attribute, " "+u.b.Value(av))
}

// addAttribute adds a clause of the library. Text returns the error if the clause conflicts with
// another one.
func (u *Update) addAttribute(c clause, attribute, rest string) {
	if err := u.addTarget(&core.BoundPath{Attribute: attribute}, attribute); err != nil {
		u.problems.AddErr("", err)
	}
	u.add(c, u.b.Name(attribute)+rest)
}

func (u *Update) add(c clause, text string) { u.clauses[c] = append(u.clauses[c], text) }

// addTarget records a changed place. It returns an error if the place conflicts with a recorded
// one.
func (u *Update) addTarget(at *core.BoundPath, name string) error {
	for _, t := range u.targets {
		switch {
		case !conflict(t.at, at):
		case t.name == name:
			return invalid(name, "is changed twice in one update", "keep one of the changes")
		default:
			return invalid(name, "overlaps "+t.name+", which the same update also changes", "change only the larger one, or use two updates")
		}
	}
	u.targets = append(u.targets, target{at, name})
	return nil
}

// Text returns the update expression, such as SET #n0 = :v0 REMOVE #n1. It returns an error if the
// library's own clauses conflict or if the expression exceeds 4 KB.
func (u *Update) Text() (string, error) {
	if err := u.problems.Err(); err != nil {
		return "", err
	}
	var sections []string
	for c, list := range u.clauses {
		if len(list) > 0 {
			sections = append(sections, clauseNames[c]+" "+strings.Join(list, ", "))
		}
	}
	text := strings.Join(sections, " ")
	return text, CheckLength(text) // 4 KB of clauses cannot have 300 operators
}

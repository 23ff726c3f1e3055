package expr

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/fail"
)

// Update is an update expression in the making. Changes and the library's own clauses go into it in any order; two that touch the same
// place, or one a part of the other's, are refused, as the service does.
type Update struct {
	b        *Builder
	plan     *core.Plan
	clauses  [4][]string // by clause
	touched  []touch
	problems fail.Problems
}

// clause is a section of an update expression, in the order in which they are written.
type clause uint8

const (
	clauseSet clause = iota
	clauseRemove
	clauseAdd
	clauseDelete
)

var clauseNames = [...]string{clauseSet: "SET", clauseRemove: "REMOVE", clauseAdd: "ADD", clauseDelete: "DELETE"}

// touch is a place that the update changes, and how messages name it.
type touch struct {
	at   *core.Bound
	name string
}

// NewUpdate begins the update expression of a request on an item of that plan.
func NewUpdate(b *Builder, p *core.Plan) *Update { return &Update{b: b, plan: p} }

// Apply adds a change. An If adds nothing: its conditions are the caller's to compile.
func (u *Update) Apply(c *Change) error {
	bound, err := c.Bind(u.plan)
	if err != nil {
		return err
	}
	return u.ApplyBound(bound)
}

// ApplyBound is Apply for a change that is bound already.
func (u *Update) ApplyBound(c *BoundChange) error {
	switch {
	case c.Verb == If:
		return nil
	case c.Bound.Field != nil && c.Bound.Field.KeyOnly:
		return refuse(c.name(), "stands in keys only: there is no attribute to change", "give the field an attribute of its own")
	}
	if err := u.touch(c.Bound, c.name()); err != nil {
		return err
	}
	return u.write(c)
}

// SetValue sets a top-level attribute.
func (u *Update) SetValue(attribute string, av types.AttributeValue) {
	u.own(clauseSet, attribute, " = "+u.b.Value(av))
}

// SetExpr sets a top-level attribute to what an expression over the builder's placeholders gives.
func (u *Update) SetExpr(attribute, expression string) {
	u.own(clauseSet, attribute, " = "+expression)
}

// RemoveAttribute removes a top-level attribute.
func (u *Update) RemoveAttribute(attribute string) { u.own(clauseRemove, attribute, "") }

// AddValue adds to a number or a set that is a top-level attribute.
func (u *Update) AddValue(attribute string, av types.AttributeValue) {
	u.own(clauseAdd, attribute, " "+u.b.Value(av))
}

// own adds a clause of the library's own. A clash with a change is said by Text.
func (u *Update) own(c clause, attribute, rest string) {
	if err := u.touch(&core.Bound{Attribute: attribute}, attribute); err != nil {
		u.problems.Because("", err)
	}
	u.add(c, u.b.Name(attribute)+rest)
}

func (u *Update) add(c clause, text string) { u.clauses[c] = append(u.clauses[c], text) }

// touch notes a place, unless it overlaps one that the update touches already.
func (u *Update) touch(at *core.Bound, name string) error {
	for _, t := range u.touched {
		switch {
		case !clash(t.at, at):
		case t.name == name:
			return refuse(name, "is changed twice in one update", "change it once")
		default:
			return refuse(name, "overlaps "+t.name+", which the same update changes", "change the larger one only, or use two updates")
		}
	}
	u.touched = append(u.touched, touch{at, name})
	return nil
}

// Empty reports whether the update changes nothing so far.
func (u *Update) Empty() bool {
	for _, c := range u.clauses {
		if len(c) > 0 {
			return false
		}
	}
	return true
}

// Text is the update expression: SET #n0 = :v0 REMOVE #n1. It says what was wrong with the library's own clauses, and which limit of the
// service the expression passes.
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
	return text, CheckLength(text) // 300 operators do not fit into 4 KB of what is written here
}

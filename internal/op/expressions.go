package op

import (
	"sync"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/expr"
)

// Expressions are the condition and the changes of a write, as DynamoDB reads them.
type Expressions struct {
	Condition, Update string // with placeholders only
	Names             map[string]string
	Values            Item
}

// Expressions returns the expressions of the write. They are rendered once.
func (a *Action) Expressions() *Expressions {
	_ = a.Check() // the executor reports the error
	return &a.expressions
}

// maxScratch is the greatest capacity of a text that is kept.
const maxScratch = 16 << 10

// scratch is what rendering needs.
type scratch struct {
	expr.Builder
	text []byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Check renders the expressions. It returns an error if they exceed a limit of DynamoDB, or if
// changes of the library conflict.
func (a *Action) Check() error {
	if !a.rendered {
		a.rendered, a.problem = true, a.render()
	}
	return a.problem
}

func (a *Action) render() error {
	s := scratches.Get().(*scratch)
	defer func() {
		if s.Builder = (expr.Builder{}); cap(s.text) <= maxScratch {
			scratches.Put(s)
		}
	}()
	e := &a.expressions
	s.text = a.Changes.Render(s.text[:0], &s.Builder)
	e.Update = string(s.text)
	s.text = clause.Render(s.text[:0], a.Clauses, &s.Builder)
	e.Condition = string(s.text)
	e.Names, e.Values = s.Names(), s.Values()
	if err := a.Changes.Err(); err != nil {
		return err
	}
	if err := expr.CheckLength(e.Update); err != nil { // 4 KB of changes cannot have 300 operators
		return err
	}
	if err := expr.CheckCondition(e.Condition); err != nil {
		return err
	}
	return s.Check()
}

// Ready checks the expressions of writes.
func Ready(actions []Action) error {
	for i := range actions {
		if a := &actions[i]; a.Verb != Get && a.Check() != nil {
			return a.problem
		}
	}
	return nil
}

// Require adds clauses.
func (a *Action) Require(clauses ...clause.Clause) {
	a.Clauses = append(a.Clauses[:len(a.Clauses):len(a.Clauses)], clauses...)
	a.rendered = false
}

// Change returns the changes of the write, which the caller may add to.
func (a *Action) Change() *expr.Update {
	a.Changes, a.rendered = a.Changes.Clone(), false
	return a.Changes
}

// conditional reports whether the write has a condition.
func (a *Action) conditional() bool { return clause.Sent(a.Clauses) > 0 }

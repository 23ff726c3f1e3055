package op

import (
	"slices"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
)

// Counting describes the changes of counts in an action, which other operations cause.
type Counting struct {
	Label string // the counts
	// More are the members of the operation whose items become counted: the counting item must
	// exist. Fewer are those whose items are no longer counted, where it exists: its counts must
	// not become negative.
	More, Fewer []int
	// Enough is the part of the action's condition that no count becomes negative. Empty: none
	// does.
	Enough string
}

// judge sets the meaning of a failed conditional check for the operations whose items become
// counted, or are no longer counted. enough reports whether Enough holds. nulls are the places that
// hold NULL, which counts nothing. A counting item that does not exist counts no items that are no
// longer counted: they are planned again.
func (c *Counting) judge(j Judgement, enough bool, nulls []*core.BoundPath) Judgement {
	const create = "create it first"
	missing := "the item that counts it (" + c.Label + ") does not exist"
	switch {
	case j.Met != nil && enough && len(nulls) > 0:
		j.Verdict, j.Kind, j.Members = Null, errs.Condition, slices.Concat(c.More, c.Fewer)
		j.Cure = cureOfNull(nulls)
	case j.Met != nil:
		j.Verdict, j.Kind, j.Members = Depends, errs.Condition, c.Fewer
		j.Cure = "the count " + c.Label + " would become negative: it does not agree with the items, and query.Recount corrects it"
	case len(c.More) > 0:
		j.Verdict, j.Kind, j.Members, j.Reason, j.Cure = Depends, errs.NotFound, c.More, missing, create
	default:
		j.Verdict, j.Kind, j.Members, j.Reason, j.Cure = Changed, errs.NotFound, c.Fewer, missing, create
	}
	return j
}

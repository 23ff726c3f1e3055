package op

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/filter"
)

// Verdict is what a failed conditional check of an action means for its operation.
type Verdict uint8

// The verdicts. With Changed, Dead and Null, the operation is undecided: nothing that it requires
// is known to be false, and it is made again.
const (
	// Failed: a condition is false that the operation has in any case.
	Failed Verdict = iota
	// Depends: a condition is false that can become true if operations of the transaction are
	// planned again: another one releases a unique value, or changes a count, or the operation
	// itself is counted by another item.
	Depends
	// Changed: only conditions are false that repeat what was read.
	Changed
	// Dead: the condition is false only because an expired item was not deleted yet. Without it,
	// the action would have been applied.
	Dead
	// Null: the item holds NULL where the action needs no value. Nothing else is known to be false.
	Null
)

// Judgement is the meaning of a failed conditional check.
type Judgement struct {
	Verdict  Verdict
	Met      Item   // the item for which the check failed; nil for none, and for one that counts as none
	Expired  bool   // the item has expired
	Outdated bool   // the action was planned from another state of the item
	Kind     error  // the sentinel error
	Members  []int  // the members whose operation failed; nil: that of the action
	Reason   string // a description that is more exact than the kind; empty: none
	Cure     string // how to fix it, if the caller did not request the condition; empty: see the kind
}

// Judge returns the meaning of a failed conditional check of the action. stored is the item for
// which it failed, or nil if there is none. There is a second judgement if operations fail whose
// counts the action changes too.
func (a *Action) Judge(stored Item) []Judgement {
	w := &a.Check
	j := Judgement{Met: w.Expiry.Alive(a.Plan, stored)}
	j.Expired = stored != nil && j.Met == nil
	if w.Counting != nil && w.otherType(j.Met) {
		j.Met = nil // an item of another type counts nothing
	}
	j.Outdated = slices.ContainsFunc(w.Planned, func(p Expected) bool { return p.ChangedIn(j.Met) })
	if w.Counting != nil {
		return []Judgement{w.Counting.judge(j, a.holds(w.Counting.Enough, j.Met), w.Nulls(j.Met))}
	}
	if j.Verdict, j.Kind = a.definite(j.Met); j.Kind == nil {
		return []Judgement{a.indefinite(j)}
	}
	j.Cure = w.Cure(j.Met)
	if !errors.Is(j.Kind, errs.NotFound) || w.Joined == nil || len(w.Joined.More) == 0 {
		return []Judgement{j}
	}
	none := j
	none.Met = nil
	return []Judgement{j, w.Joined.judge(none, true, nil)}
}

// indefinite completes the judgement of a check that failed although no condition is known to be
// false that the operation has in any case.
func (a *Action) indefinite(j Judgement) Judgement {
	w := &a.Check
	j.Kind, j.Cure = w.Kind(j.Met), w.Cure(j.Met)
	switch {
	case j.Expired && w.Anew:
		j.Verdict = Dead
	case j.Outdated:
		j.Verdict = Changed
	case w.Joined != nil && !a.holds(w.Joined.Enough, j.Met):
		return w.Joined.judge(j, false, nil)
	case len(w.Nulls(j.Met)) > 0:
		j.Verdict = Null
	}
	return j
}

// ChangedIn reports whether an item has another value of the attribute; nil is no item.
func (p Expected) ChangedIn(met Item) bool { return !same(met[p.Attribute], p.Value) }

// same reports whether two attribute values are equal for DynamoDB; nil is none.
func same(a, b types.AttributeValue) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return core.SameValue(a, b)
}

// definite returns the sentinel error of the first condition that is false for an item, apart from
// conditions that repeat what was read, with its verdict. It returns nil if there is none.
func (a *Action) definite(met Item) (Verdict, error) {
	w := &a.Check
	switch {
	case w.Failed != nil:
		return Failed, w.Failed
	case w.Unique != "":
		return Depends, errs.Taken
	case met == nil && w.MustExist:
		return Failed, errs.NotFound
	case w.otherType(met):
		return Failed, w.OtherType
	case met != nil && w.MustNotExist:
		return Failed, errs.Exists
	case w.VersionAttribute != "" && !w.reads(w.VersionAttribute) && !w.expected(met[w.VersionAttribute]),
		slices.ContainsFunc(w.Counts, notIn(met)):
		return Failed, errs.Stale
	case slices.ContainsFunc(w.Example, notIn(met)), !a.holds(w.Caller, met),
		slices.ContainsFunc(w.Parents, func(p Parent) bool { return !p.isIn(met) }):
		return Failed, errs.Condition
	case slices.ContainsFunc(w.Moved, notIn(met)):
		return Depends, errs.Condition
	default:
		return Failed, nil
	}
}

// holds reports whether a part of the action's condition holds for an item.
func (a *Action) holds(condition string, met Item) bool {
	f, err := filter.New(condition, a.Names, a.Values)
	return err != nil || f.Matches(core.NewRow(met))
}

// otherType reports whether an item is of another type, if the action requires its type.
func (w *ConditionCheck) otherType(met Item) bool {
	return w.ItemType != nil && met[w.ItemType.Attribute] != nil && w.ItemType.ChangedIn(met)
}

// reads reports whether the action was planned from an attribute that was read.
func (w *ConditionCheck) reads(attribute string) bool {
	return slices.ContainsFunc(w.Planned, func(p Expected) bool { return p.Attribute == attribute })
}

// notIn returns a function that reports whether an item lacks a state.
func notIn(met Item) func(ExampleValue) bool {
	return func(c ExampleValue) bool { return !c.matches(met[c.Attribute]) }
}

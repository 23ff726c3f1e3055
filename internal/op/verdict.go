package op

import (
	"reflect"
	"slices"

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
	// Depends: a condition is false that another operation of the transaction can make true, if
	// that one is planned again: it releases a unique value, or changes a count.
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
	Met      Item  // the item for which the check failed; nil for none, and for an expired one
	Expired  bool  // the item has expired
	Outdated bool  // the action was planned from another state of the item
	Kind     error // the sentinel error
	Members  []int // the members whose operation failed; nil: that of the action
}

// Judge returns the meaning of a failed conditional check of the action. stored is the item for
// which it failed, or nil if there is none.
func (a *Action) Judge(stored Item) Judgement {
	j := Judgement{Met: a.Check.Expiry.Alive(a.Plan, stored)}
	j.Expired, j.Members = stored != nil && j.Met == nil, a.Check.Counting.failed(j.Met)
	j.Outdated = slices.ContainsFunc(a.Check.Planned, func(p Expected) bool { return p.ChangedIn(j.Met) })
	if j.Verdict, j.Kind = a.definite(j.Met); j.Kind != nil {
		return j
	}
	j.Kind = a.Check.Kind(j.Met)
	switch {
	case j.Expired && a.Check.Anew:
		j.Verdict = Dead
	case j.Outdated:
		j.Verdict = Changed
	case len(a.Check.Nulls(j.Met)) > 0:
		j.Verdict = Null
	case a.Check.Fewer:
		j.Verdict = Depends
	}
	return j
}

// ChangedIn reports whether an item has another value of the attribute; nil is no item.
func (p Expected) ChangedIn(met Item) bool { return !reflect.DeepEqual(met[p.Attribute], p.Value) }

// definite returns the sentinel error of the first condition that is false for an item, apart from
// conditions that repeat what was read, with its verdict. It returns nil if there is none.
func (a *Action) definite(met Item) (Verdict, error) {
	w := &a.Check
	switch {
	case w.Failed != nil:
		return Failed, w.Failed
	case w.Unique != "":
		return Depends, errs.Taken
	case w.Counting != nil && len(w.Nulls(met)) == 0:
		return w.Counting.definite(met)
	case met == nil && w.MustExist:
		return Failed, errs.NotFound
	case w.otherType(met):
		return Failed, w.OtherType
	case met != nil && w.MustNotExist:
		return Failed, errs.Exists
	case w.VersionAttribute != "" && !w.reads(w.VersionAttribute) && !w.expected(met[w.VersionAttribute]),
		slices.ContainsFunc(w.Counts, notIn(met)):
		return Failed, errs.Stale
	case slices.ContainsFunc(w.Example, notIn(met)), !a.callerHolds(met),
		slices.ContainsFunc(w.Parents, func(p Parent) bool { return !p.isIn(met) }):
		return Failed, errs.Condition
	case slices.ContainsFunc(w.Moved, notIn(met)):
		return Depends, errs.Condition
	default:
		return Failed, nil
	}
}

// callerHolds reports whether the caller's conditions hold for an item.
func (a *Action) callerHolds(met Item) bool {
	f, err := filter.New(a.Check.Caller, a.Names, a.Values)
	return err != nil || f.Matches(core.NewRow(met))
}

// otherType reports whether an item is of another type, if the action requires its type.
func (w *ConditionCheck) otherType(met Item) bool {
	return w.ItemType != nil && met[w.ItemType.Attribute] != nil && !reflect.DeepEqual(met[w.ItemType.Attribute], w.ItemType.Value)
}

// reads reports whether the action was planned from an attribute that was read.
func (w *ConditionCheck) reads(attribute string) bool {
	return slices.ContainsFunc(w.Planned, func(p Expected) bool { return p.Attribute == attribute })
}

// notIn returns a function that reports whether an item lacks a state.
func notIn(met Item) func(ExampleValue) bool {
	return func(c ExampleValue) bool { return !c.matches(met[c.Attribute]) }
}

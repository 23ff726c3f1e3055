package write

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// leavingOut returns an edit that drops actions.
func leavingOut(drop func(a *op.Action) bool) func([]op.Action) []op.Action {
	return func(actions []op.Action) []op.Action {
		return slices.DeleteFunc(slices.Clone(actions), func(a op.Action) bool { return drop(&a) })
	}
}

// change returns an edit of each action.
func change(edit func(a *op.Action)) func([]op.Action) []op.Action {
	return func(actions []op.Action) []op.Action {
		actions = slices.Clone(actions)
		for i := range actions {
			edit(&actions[i])
		}
		return actions
	}
}

// TestCrossingMutantsAreCaught is the negative control of what TestIndexesAreNeverStale checks of
// unique values, counts, transactions, and items that have expired.
func TestCrossingMutantsAreCaught(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for name, run := range map[string]propertyRun{
		"a value is not claimed":    {edit: leavingOut(func(a *op.Action) bool { return a.Guard != nil && a.Guard.Claims })},
		"a value is not released":   {edit: leavingOut(func(a *op.Action) bool { return a.Guard != nil && !a.Guard.Claims })},
		"a new item is not counted": {edit: leavingOut(func(a *op.Action) bool { return a.Count != nil && a.Count.Delta > 0 })},
		"an item is counted twice": {edit: change(func(a *op.Action) {
			if a.Count != nil {
				a.Count = &op.Count{Counted: a.Count.Counted, Delta: 2 * a.Count.Delta}
			}
		})},
		"a claim replaces the guard of another item": {edit: change(func(a *op.Action) {
			if a.Guard != nil && a.Guard.Claims {
				l := a.Clauses[0]
				l.Pred = append(slices.Clip(l.Pred.(clause.Or)), clause.Attribute(reserved.OwnerAttribute, clause.Ne, a.Guard.Owner))
				a.Clauses = nil
				a.Require(l)
			}
		})},
		"an item that counts is alive for ever": {edit: change(func(a *op.Action) {
			if a.Count != nil {
				a.Expiry = core.Expiry{}
			}
		})},
		"nothing begins anew": {edit: change(func(a *op.Action) {
			a.Clauses = slices.Clone(a.Clauses)
			for i := range a.Clauses {
				if a.Clauses[i].Then == clause.Bury {
					a.Clauses[i].Then = clause.Fail
				}
			}
		})},
		"an expired item exists for a create":     {blind: "create"},
		"an expired item exists for a put":        {blind: "put"},
		"an expired item exists for an overwrite": {blind: "overwrite"},
		"an expired item exists for an update":    {blind: "update"},
		"an expired item exists for an upsert":    {blind: "upsert"},
		"an expired item exists for a deletion":   {blind: "delete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run.seed, run.schemas, run.calls, run.update, run.companions = testrand.Seed(t), 3000, 100, Update, true
			schemas, err := run.run()
			require.Error(t, err, "%d schemas and %d calls find nothing", schemas, run.counts.calls)
			t.Logf("caught in schema %d, after %d calls: %v", schemas, run.counts.calls, err)
		})
	}
}

package write

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// mutant plans updates like the package, but violates one rule. Each mutant is a typical bug.
type mutant struct {
	name            string
	allowAll        bool                             // allows every change
	skipStep        int                              // the number of the planning step to skip, from 1
	beforeIndexKeys func(*updatePlanner)             // changes the known values before the index step
	setIndexKeys    func(*updatePlanner) error       // replaces the index step
	editAction      func(*updatePlanner, *op.Action) // changes the action
	complete        func(*updatePlanner) error       // replaces the step that completes a new item
}

// The numbers of planning steps.
const (
	stepKeyFields = 3
	stepIndexKeys = 7
	stepComplete  = 8
)

var mutants = []mutant{
	{name: "an unknown value is taken for zero", beforeIndexKeys: func(p *updatePlanner) {
		for _, f := range unsetMembers(p) {
			v, _ := f.Key(p.Plan.NewEntity())
			p.setKnown(f, v)
		}
	}},
	{name: "values of the example are not checked", beforeIndexKeys: func(p *updatePlanner) {
		for _, f := range unsetMembers(p) {
			if v, given, _ := p.fromExample(f); given && !p.Upsert {
				p.setKnown(f, v)
			}
		}
	}},
	{name: "a zero in the example counts", beforeIndexKeys: func(p *updatePlanner) {
		for _, f := range unsetMembers(p) {
			if v, _ := f.Key(p.Example); f.IsZero(p.Example) && !v.IsAbsent() {
				p.setKnown(f, v)
			}
		}
	}},
	{name: "a zero of an item as it was read is not checked", beforeIndexKeys: func(p *updatePlanner) {
		for _, f := range unsetMembers(p) {
			if v, given, _ := p.fromExample(f); given && f.IsZero(p.Example) {
				p.setKnown(f, v)
			}
		}
	}},
	{name: "a zero of an item as it was read is not stored", beforeIndexKeys: func(p *updatePlanner) {
		for _, f := range unsetMembers(p) {
			if v, given, _ := p.fromExample(f); given && f.IsZero(p.Example) && !v.IsAbsent() {
				p.conds.requireExample(zeroOf(f))
				p.setKnown(f, v)
			}
		}
	}},
	{name: "the operand of Add is rendered", beforeIndexKeys: func(p *updatePlanner) { useOperands(p, expr.Add) }},
	{name: "the operand of SetIfAbsent is rendered", beforeIndexKeys: func(p *updatePlanner) { useOperands(p, expr.SetIfAbsent) }},
	{name: "Add does not change the indexes", beforeIndexKeys: func(p *updatePlanner) {
		for _, c := range p.changes {
			if f := c.Field(); c.Verb == expr.Add && p.stored == nil {
				delete(p.assigned, f)
			}
		}
	}},
	{name: "one half of an index key is removed", editAction: func(p *updatePlanner, a *op.Action) {
		editRemoved(p, a, func(names []string, rendered func(string) bool) []string {
			i := slices.IndexFunc(names, rendered)
			if i < 0 {
				return names
			}
			return slices.Delete(names, i, i+1)
		})
	}},
	{name: "removal leaves the index", editAction: func(p *updatePlanner, a *op.Action) {
		editRemoved(p, a, slices.DeleteFunc)
	}},
	{name: "an absent member is written as an empty text", editAction: func(p *updatePlanner, a *op.Action) {
		editRemoved(p, a, func(names []string, rendered func(string) bool) []string {
			i := slices.IndexFunc(names, rendered)
			if i < 0 || !strings.HasPrefix(a.Expressions().Update, "SET ") {
				return names
			}
			e := a.Expressions()
			e.Values[":empty"] = &types.AttributeValueMemberS{}
			e.Update = "SET " + names[i] + " = :empty, " + strings.TrimPrefix(e.Update, "SET ")
			return slices.Delete(names, i, i+1)
		})
	}},
	{name: "a field is removed with the rendered half", editAction: func(p *updatePlanner, a *op.Action) {
		editRemoved(p, a, func(names []string, rendered func(string) bool) []string {
			for _, x := range p.Plan.Indexes {
				for k := range x.Key.Attributes() {
					mark := "#other"
					if k.Field == nil || k.Table || changedBy(p, k.Field) || !slices.ContainsFunc(names, func(n string) bool { return x.Key.Has(p.Plan.KeyAttr(a.Expressions().Names[n])) }) {
						continue
					}
					a.Expressions().Names[mark] = k.Name
					return append(names, mark)
				}
			}
			return names
		})
	}},
	{name: "a part of the table's key is changed", allowAll: true},
	{name: "what is read first is not required", editAction: func(p *updatePlanner, a *op.Action) {
		kept := slices.DeleteFunc(slices.Clone(a.Clauses), func(l clause.Clause) bool {
			_, exists := l.Pred.(clause.AnItem)
			return l.Then == clause.Replan && !exists
		})
		for i := range kept {
			if kept[i].Then == clause.Replan {
				kept[i].Then, kept[i].Rank = clause.Fail, clause.Rest
			}
		}
		a.Clauses = nil
		a.Require(kept...)
	}},
	{name: "a missing number is absent in a key", beforeIndexKeys: func(p *updatePlanner) {
		if !p.exists() {
			return
		}
		for _, f := range p.Plan.Shape.Fields() {
			if _, set := p.assigned[f]; !set && p.Plan.IndexMember(f) && f.ZeroIsValue() && !p.Plan.TableMember(f) && !p.stored.has(f) {
				p.requireStored(f)
				p.setKnown(f, keys.Value{})
			}
		}
	}},
	{name: "a new item lacks the zeros and the keys that follow from them", skipStep: stepComplete},
	{name: "a new item lacks the zeros", complete: func(p *updatePlanner) error {
		c, err := p.creation()
		lacksKey := func(a *core.KeyAttr) bool { return a.Rendered() && !core.SameValue(c.given[a.Name], c.whole[a.Name]) }
		if err != nil || slices.ContainsFunc(p.Plan.Attrs, lacksKey) {
			return p.completeItem()
		}
		return nil
	}},
	{name: "assumed fields are rendered in one index only", setIndexKeys: assumeExamplesOnce},
	{name: "the time of the update is no member", beforeIndexKeys: func(p *updatePlanner) { delete(p.assigned, p.Plan.Updated) }},
	{name: "the time of creation is no member", beforeIndexKeys: func(p *updatePlanner) { delete(p.assigned, p.Plan.Created) }},
	{name: "a new item lacks the fields of its key", skipStep: stepKeyFields},
	{name: "a new item lacks the constant indexes", beforeIndexKeys: func(p *updatePlanner) {
		call := *p.updateCall
		call.Upsert = false
		p.updateCall = &call
	}},
	{name: "index keys are not changed by updates", skipStep: stepIndexKeys},
	{name: "times are rendered more precisely than they are stored", beforeIndexKeys: func(p *updatePlanner) {
		for _, c := range p.changes {
			if f := c.Field(); f != nil && c.Verb == expr.Set && p.Plan.IndexMember(f) {
				v, _ := c.Value()
				p.setKnown(f, v)
			}
		}
	}},
}

// unsetMembers lists the members of changed indexes that the update does not set.
func unsetMembers(p *updatePlanner) fieldSet {
	var open fieldSet
	for _, x := range p.Plan.Indexes {
		for a := range x.Key.Attributes() {
			for _, f := range a.Members {
				if _, set := p.assigned[f]; !set && p.changesIndex(x) && !p.Plan.TableMember(f) && p.stored == nil {
					open.add(f)
				}
			}
		}
	}
	return open
}

// useOperands uses the operand of a change as the value after it.
func useOperands(p *updatePlanner, verb expr.Verb) {
	for _, c := range p.changes {
		if f := c.Field(); c.Verb == verb && p.Plan.IndexMember(f) {
			v, _ := c.Value()
			p.setKnown(f, v)
		}
	}
}

func changedBy(p *updatePlanner, f *codec.Field) bool {
	_, set := p.assigned[f]
	return set || p.changesField(f)
}

// editRemoved edits the list of removed attributes in an update expression.
func editRemoved(p *updatePlanner, a *op.Action, edit func(names []string, rendered func(string) bool) []string) {
	e := a.Expressions()
	_, list, found := strings.Cut(e.Update, "REMOVE ")
	if !found {
		return
	}
	list, tail, added := strings.Cut(list, " ADD ")
	names := edit(strings.Split(list, ", "), func(mark string) bool {
		k := p.Plan.KeyAttr(a.Expressions().Names[mark])
		return k != nil && k.Rendered()
	})
	head, _, _ := strings.Cut(e.Update, "REMOVE ") // edit may have changed the text before REMOVE
	e.Update = head
	if len(names) > 0 {
		e.Update += "REMOVE " + strings.Join(names, ", ")
	}
	if added {
		e.Update += " ADD " + tail
	}
	e.Update = strings.TrimSpace(e.Update)
}

// assumeExamplesOnce plans the index keys and assumes example values, but does not plan the index
// keys again.
func assumeExamplesOnce(p *updatePlanner) error {
	d, err := p.indexKeys()
	if err != nil || len(d.unknown) > 0 || !p.mayCreate() || p.creates() {
		return p.setIndexKeys()
	}
	if _, err := p.assumeExamples(d.required); err != nil {
		return err
	}
	for _, c := range d.changes {
		p.expr.ChangeAttribute(expr.Set, c.attr.Name, c.value)
	}
	for _, f := range d.required {
		if _, assumed := p.assigned[f]; !assumed {
			p.requireStored(f)
		}
	}
	return nil
}

// update plans an update with the mutation.
func (m mutant) update(a UpdateArgs) (op.Operation, error) {
	u, err := newUpdate(a)
	if err != nil && !m.allowAll {
		return op.Operation{}, err
	}
	for _, b := range u.changes {
		if f := b.Field(); f != nil && (f == a.Plan.Version || f == a.Plan.Updated || a.Plan.Native(f) != nil) && err != nil {
			return op.Operation{}, err
		}
	}
	p := u.planner(nil)
	act, err := m.plan(p)
	o := op.Operation{Plan: a.Plan, Actions: []op.Action{act}}
	if !p.readsFirst && (!a.ReadFirst || len(p.unknown) == 0) {
		return o, err
	}
	reads := []op.Action{readBefore(a.Plan, u.key, indexMemberAttributes(a.Plan), a.Expiry)}
	o.PreRead = &op.PreRead{Reads: reads, Plan: func(items []op.Item) ([]op.Action, error) {
		if items[0] == nil {
			return u.planAfterRead(items)
		}
		stored, err := decodeStored(u.Plan, items[0])
		if err != nil {
			return nil, err
		}
		act, err := m.plan(u.planner(stored))
		return []op.Action{act}, err
	}}
	return o, nil
}

func (m mutant) plan(p *updatePlanner) (op.Action, error) {
	steps := p.steps()
	if m.complete != nil {
		steps[stepComplete-1] = func() error { return m.complete(p) }
	}
	if m.setIndexKeys != nil {
		steps[stepIndexKeys-1] = func() error { return m.setIndexKeys(p) }
	}
	if m.beforeIndexKeys != nil {
		steps = slices.Insert(steps, stepIndexKeys-1, func() error { m.beforeIndexKeys(p); return nil })
	}
	if m.skipStep > 0 {
		steps = slices.Delete(steps, m.skipStep-1, m.skipStep)
	}
	if err := inOrder(steps...); err != nil {
		return op.Action{}, err
	}
	act, err := p.action()
	if err == nil && m.editAction != nil {
		m.editAction(p, &act)
	}
	return act, err
}

// TestMutantsAreCaught is the negative control of the property test. It checks that every mutant
// fails the test.
func TestMutantsAreCaught(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			run := propertyRun{seed: testrand.Seed(t), schemas: 3000, calls: 100, update: m.update, itemsOnly: true}
			schemas, err := run.run()
			require.Error(t, err, "%d schemas and %d calls find nothing", schemas, run.counts.calls)
			t.Logf("caught in schema %d, after %d calls: %v", schemas, run.counts.calls, err)
		})
	}
}

// TestUnmutated checks that the mutant without a mutation passes the property test.
func TestUnmutated(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	run := propertyRun{seed: testrand.Seed(t), schemas: 100, calls: 60, update: mutant{}.update}
	_, err := run.run()
	require.NoError(t, err)
}

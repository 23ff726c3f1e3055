package write

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testrand"
)

// mutant plans updates like the package, but violates one rule. Each mutant is a typical bug.
type mutant struct {
	name   string
	blind  bool                             // allows every change
	drops  int                              // the number of the planning step to skip, from 1
	before func(*working)                   // changes the facts before the index step
	index  func(*working) error             // replaces the index step
	after  func(*working, *op.Action)       // changes the action
	met    func(*working, op.Item) *reading // replaces the decoding of the item read
}

// The numbers of planning steps, for drops.
const (
	stepIdentity = 3
	stepIndex    = 5
)

var mutants = []mutant{
	{name: "what is not known is taken for zero", before: func(w *working) {
		for _, f := range openMembers(w) {
			v, _ := f.Key(w.Plan.Blank())
			w.facts.touches(f, v)
		}
	}},
	{name: "what the example gives is not checked", before: func(w *working) {
		for _, f := range openMembers(w) {
			if v, given, _ := w.facts.gives(f); given && !w.Upsert {
				w.facts.touches(f, v)
			}
		}
	}},
	{name: "a zero in the example counts as given", before: func(w *working) {
		for _, f := range openMembers(w) {
			if v, _ := f.Key(w.Example); f.IsZero(w.Example) && !v.IsAbsent() {
				w.facts.touches(f, v)
			}
		}
	}},
	{name: "a zero of an item as it was read is not checked", before: func(w *working) {
		for _, f := range openMembers(w) {
			if v, given, _ := w.facts.gives(f); given && f.IsZero(w.Example) {
				w.facts.touches(f, v)
			}
		}
	}},
	{name: "a zero of an item as it was read is not stored", before: func(w *working) {
		for _, f := range openMembers(w) {
			if v, given, _ := w.facts.gives(f); given && f.IsZero(w.Example) && !v.IsAbsent() {
				w.c.guardZero(f)
				w.facts.touches(f, v)
			}
		}
	}},
	{name: "the operand of Add is rendered", before: func(w *working) { takeOperands(w, expr.Add) }},
	{name: "the operand of SetIfAbsent is rendered", before: func(w *working) { takeOperands(w, expr.SetIfAbsent) }},
	{name: "Add does not touch the indexes", before: func(w *working) {
		for _, c := range w.changes {
			if f := c.Field(); c.Verb == expr.Add && w.met == nil {
				delete(w.facts.set, f)
			}
		}
	}},
	{name: "one half of an index key is removed", after: func(w *working, a *op.Action) {
		editRemoved(w, a, func(names []string, rendered func(string) bool) []string {
			i := slices.IndexFunc(names, rendered)
			if i < 0 {
				return names
			}
			return slices.Delete(names, i, i+1)
		})
	}},
	{name: "removal leaves the index", after: func(w *working, a *op.Action) {
		editRemoved(w, a, slices.DeleteFunc)
	}},
	{name: "an absent member is written as an empty text", after: func(w *working, a *op.Action) {
		editRemoved(w, a, func(names []string, rendered func(string) bool) []string {
			i := slices.IndexFunc(names, rendered)
			if i < 0 || !strings.HasPrefix(a.Update, "SET ") {
				return names
			}
			a.Values[":empty"] = &types.AttributeValueMemberS{}
			a.Update = "SET " + names[i] + " = :empty, " + strings.TrimPrefix(a.Update, "SET ")
			return slices.Delete(names, i, i+1)
		})
	}},
	{name: "a field is removed with the rendered half", after: func(w *working, a *op.Action) {
		editRemoved(w, a, func(names []string, rendered func(string) bool) []string {
			for _, x := range w.Plan.Indexes {
				for k := range x.Key.Sides() {
					mark := "#other"
					if k.Field == nil || k.Table || touchedBy(w, k.Field) || !slices.ContainsFunc(names, func(n string) bool { return x.Key.Has(w.Plan.KeyAttr(a.Names[n])) }) {
						continue
					}
					a.Names[mark] = k.Name
					return append(names, mark)
				}
			}
			return names
		})
	}},
	{name: "a part of the table's key is changed", blind: true},
	{name: "reading first guards nothing", after: func(w *working, a *op.Action) {
		for _, g := range w.why.Guards {
			mark := w.c.b.Name(g.Attribute)
			w.c.parts = slices.DeleteFunc(w.c.parts, func(part string) bool {
				return part == "attribute_not_exists("+mark+")" || strings.HasPrefix(part, mark+" = ")
			})
		}
		a.Condition, a.Why.Guards = strings.Join(w.c.parts, " AND "), nil
	}},
	{name: "a number that was not there is read as 0", met: func(w *working, met op.Item) *reading {
		r, _ := newReading(w.Plan, met)
		for _, f := range w.Plan.Shape.Fields() {
			if av, err := f.Encode(r.entity); err == nil && av != nil && w.Plan.IndexMember(f) && met[f.Name] == nil {
				r.item[f.Name] = av
			}
		}
		return r
	}},
	{name: "adopted fields are rendered in one index only", index: adoptOnce},
	{name: "the moment of the update is no member", before: func(w *working) { delete(w.facts.set, w.Plan.Updated) }},
	{name: "the moment of creation is no member", before: func(w *working) { delete(w.facts.set, w.Plan.Created) }},
	{name: "a new item lacks the fields of its key", drops: stepIdentity},
	{name: "a new item lacks the constant indexes", before: func(w *working) { w.facts.fresh = false }},
	{name: "indexes are not touched by updates", drops: stepIndex},
	{name: "times are rendered finer than they are stored", before: func(w *working) {
		for _, c := range w.changes {
			if f := c.Field(); f != nil && c.Verb == expr.Set && w.Plan.IndexMember(f) {
				v, _ := c.Value()
				w.facts.touches(f, v)
			}
		}
	}},
}

// openMembers lists the members of touched indexes that the update does not set.
func openMembers(w *working) fieldSet {
	var open fieldSet
	for _, x := range w.Plan.Indexes {
		for a := range x.Key.Sides() {
			for _, f := range a.Members {
				if _, set := w.facts.set[f]; !set && w.facts.touchesIndex(x) && !w.Plan.TableMember(f) && w.met == nil {
					open.add(f)
				}
			}
		}
	}
	return open
}

// takeOperands uses the operand of a change as the value after it.
func takeOperands(w *working, verb expr.Verb) {
	for _, c := range w.changes {
		if f := c.Field(); c.Verb == verb && w.Plan.IndexMember(f) {
			v, _ := c.Operand()
			w.facts.touches(f, v)
		}
	}
}

func touchedBy(w *working, f *codec.Field) bool {
	_, set := w.facts.set[f]
	return set || w.changed(f)
}

// editRemoved edits the list of removed attributes in an update expression.
func editRemoved(w *working, a *op.Action, edit func(names []string, rendered func(string) bool) []string) {
	_, list, found := strings.Cut(a.Update, "REMOVE ")
	if !found {
		return
	}
	list, tail, added := strings.Cut(list, " ADD ")
	names := edit(strings.Split(list, ", "), func(mark string) bool {
		k := w.Plan.KeyAttr(a.Names[mark])
		return k != nil && k.Rendered()
	})
	head, _, _ := strings.Cut(a.Update, "REMOVE ") // edit may have changed the text before REMOVE
	a.Update = head
	if len(names) > 0 {
		a.Update += "REMOVE " + strings.Join(names, ", ")
	}
	if added {
		a.Update += " ADD " + tail
	}
	a.Update = strings.TrimSpace(a.Update)
}

// adoptOnce decides the indexes and adopts example values, but does not decide the indexes again.
func adoptOnce(w *working) error {
	d, err := w.facts.indexes()
	if err != nil || len(d.missing) > 0 || !w.Upsert {
		return w.index()
	}
	if _, err := w.adopt(d.guards); err != nil {
		return err
	}
	for _, c := range d.changes {
		if c.value != nil {
			w.u.SetValue(c.attr.Name, c.value)
		} else {
			w.u.RemoveAttribute(c.attr.Name)
		}
	}
	for _, f := range d.guards {
		if _, adopted := w.facts.set[f]; !adopted {
			w.readGuard(f)
		}
	}
	return nil
}

// update plans an update with the mutation.
func (m mutant) update(a UpdateArgs) (op.Operation, error) {
	u, err := newUpdate(a)
	if err != nil && !m.blind {
		return op.Operation{}, err
	}
	for _, b := range u.changes {
		if f := b.Field(); f != nil && (f == a.Plan.Version || f == a.Plan.Updated || a.Plan.Native(f) != nil) && err != nil {
			return op.Operation{}, err
		}
	}
	act, missing, err := m.plan(u, nil)
	switch {
	case err != nil:
		return op.Operation{}, err
	case len(missing) == 0:
		return op.Operation{Plan: a.Plan, Primary: act}, nil
	case !a.ReadFirst:
		return op.Operation{}, u.refuse(missing)
	}
	return op.Operation{Plan: a.Plan, PreRead: &op.PreRead{
		Read: readFor(a.Plan, u.key, readSet(a.Plan)),
		Plan: func(met op.Item) (op.Action, error) {
			if met == nil {
				return u.replan(met)
			}
			r, err := newReading(u.Plan, met)
			if err != nil {
				return op.Action{}, err
			}
			act, missing, err := m.plan(u, r)
			if err == nil && len(missing) > 0 {
				err = u.refuse(missing)
			}
			return act, err
		},
	}}, nil
}

func (m mutant) plan(u *update, met *reading) (op.Action, fieldSet, error) {
	w := u.begin(met)
	if met != nil && m.met != nil {
		w.met = m.met(w, met.item)
		w.facts.met = w.met
	}
	steps := w.steps()
	if m.index != nil {
		steps[stepIndex-1] = func() error { return m.index(w) }
	}
	if m.before != nil {
		steps = slices.Insert(steps, stepIndex-1, func() error { m.before(w); return nil })
	}
	if m.drops > 0 {
		steps = slices.Delete(steps, m.drops-1, m.drops)
	}
	for _, step := range steps {
		if err := step(); err != nil || len(w.missing) > 0 {
			return op.Action{}, w.missing, err
		}
	}
	act, err := w.action()
	if err == nil && m.after != nil {
		m.after(w, &act)
	}
	return act, nil, err
}

// TestMutantsAreCaught is the negative control of the property test. It checks that every mutant
// fails the test.
func TestMutantsAreCaught(t *testing.T) {
	t.Parallel()
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			run := campaign{seed: testrand.Seed(t), schemas: 3000, steps: 100, plans: m.update, itemsOnly: true}
			schemas, err := run.play()
			require.Error(t, err, "%d schemas and %d steps show nothing", schemas, run.counts.steps)
			t.Logf("caught in schema %d, after %d steps: %v", schemas, run.counts.steps, err)
		})
	}
}

// TestUnmutated checks that the mutant without a mutation passes the property test.
func TestUnmutated(t *testing.T) {
	t.Parallel()
	run := campaign{seed: testrand.Seed(t), schemas: 100, steps: 60, plans: mutant{}.update}
	_, err := run.play()
	require.NoError(t, err)
}

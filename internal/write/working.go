package write

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// working is one attempt to plan an update.
type working struct {
	*update
	facts      facts
	met        *reading // the item read before the write; nil: not read
	c          *conditions
	u          *expr.Update
	why        op.ConditionCheck
	missing    fieldSet
	idempotent bool
}

// replan plans the update from the item that was read, or from a missing item if met is nil.
func (u *update) replan(met op.Item) (op.Action, error) {
	switch {
	case met == nil && !u.Upsert:
		return op.Action{}, errs.NotFound
	case met == nil && u.version != 0:
		return op.Action{}, errs.Stale
	case met != nil && !u.Plan.Matches(core.NewRow(met)):
		return op.Action{}, u.otherType()
	}
	r, err := newReading(u.Plan, met)
	if err != nil {
		return op.Action{}, err
	}
	act, missing, err := u.plan(r)
	if err == nil && len(missing) > 0 {
		err = u.refuse(missing)
	}
	return act, err
}

// plan returns the action, planned from the call and from the item read if met is not nil. It
// returns the unknown fields instead if there are any.
func (u *update) plan(met *reading) (op.Action, fieldSet, error) {
	w := u.begin(met)
	for _, step := range w.steps() {
		if err := step(); err != nil || len(w.missing) > 0 {
			return op.Action{}, w.missing, err
		}
	}
	act, err := w.action()
	return act, nil, err
}

func (u *update) begin(met *reading) *working {
	w := &working{update: u, met: met, c: newConditions(u.Plan), idempotent: true}
	w.u = expr.NewUpdate(w.c.b, u.Plan)
	w.facts = facts{plan: u.Plan, set: map[*codec.Field]fact{}, given: u.Example, asRead: u.AsRead, met: met, fresh: u.Upsert}
	return w
}

// steps returns the planning steps in order. Later steps use the results of earlier ones.
func (w *working) steps() []func() error {
	return []func() error{w.require, w.change, w.identity, w.stamp, w.index}
}

func (w *working) action() (op.Action, error) {
	text, err := w.u.Text()
	if err != nil {
		return op.Action{}, err
	}
	w.why.Parents, w.why.Example = w.c.below, w.c.claims
	act := op.Action{Verb: op.Update, Plan: w.Plan, Key: w.key, Update: text, Return: w.Return, Check: w.why, Idempotent: w.idempotent && !op.ReturnsOld(w.Return)}
	err = w.c.into(&act)
	return act, err
}

// require adds the conditions on the item before any change: its version, its existence, and its
// type.
func (w *working) require() error {
	switch {
	case w.version != 0:
		w.why = w.c.version(w.version)
		w.idempotent = false
	case w.AsRead && w.Plan.Version != nil:
		w.why = w.c.noVersion()
		w.idempotent = false
	}
	w.why.MustExist = !w.Upsert
	switch {
	case w.met != nil:
		w.presence()
	case !w.Upsert && w.version == 0:
		w.c.exists()
	}
	w.c.ofType(&w.why, w.otherType())
	return nil
}

// otherType returns the error for an item of another type under the key.
func (u *update) otherType() error {
	if u.Upsert {
		return errs.Exists
	}
	return errs.NotFound
}

// change adds the caller's changes and records their effect on each field.
func (w *working) change() error {
	var wrong errs.Problems
	for _, b := range w.changes {
		w.idempotent = w.idempotent && b.Repeatable()
		if b.Verb == expr.If {
			wrong.AddErr("", w.c.add(b.Conds))
			continue
		}
		wrong.AddErr("", w.apply(b))
	}
	return wrong.Err()
}

func (w *working) apply(b *expr.BoundChange) error {
	f := b.Field()
	if !b.Whole() {
		w.c.parent(b.Target)
	}
	if f == nil || !w.Plan.IndexMember(f) {
		return w.u.ApplyBound(b)
	}
	if !b.Constant() && w.met != nil {
		return w.compute(b)
	}
	if !b.Constant() {
		return w.blurs(b)
	}
	v, err := b.Value()
	if err != nil {
		return err
	}
	if err := w.touches(f, v); err != nil || f.KeyOnly {
		return err
	}
	return w.u.ApplyBound(b)
}

// blurs adds a change of an index member that only DynamoDB can compute.
func (w *working) blurs(b *expr.BoundChange) error {
	f := b.Field()
	w.facts.blurs(f)
	if b.Verb == expr.SetIfAbsent {
		v, err := b.Operand()
		if err == nil {
			err = suits(w.Plan, f, v)
		}
		if err != nil {
			return errs.Wrap(f.Name, err)
		}
	}
	return w.u.ApplyBound(b)
}

// touches records that the write sets a field to a value.
func (w *working) touches(f *codec.Field, v keys.Value) error {
	v, err := w.Plan.RoundTrip(f, v)
	if err == nil {
		err = suits(w.Plan, f, v)
	}
	w.facts.touches(f, v)
	return errs.Wrap(f.Name, err)
}

// identity sets the fields in the table's key if the item may be new.
func (w *working) identity() error {
	if !w.Upsert {
		return nil
	}
	var done fieldSet
	for a := range w.Plan.Table.Attributes() {
		for _, m := range a.Members {
			if of := w.Plan.Native(m); m.KeyOnly || of != nil && of.Table || done.has(m) {
				continue
			}
			done.add(m)
			v, err := w.Plan.Value(m, w.Example)
			if err != nil {
				return errs.Wrap(m.Name, err)
			}
			av, err := attribute(m, w.Example)
			if err != nil {
				return err
			}
			if err := w.initial(m, v, av); err != nil {
				return err
			}
		}
	}
	return nil
}

// initial sets a field if the item lacks it.
func (w *working) initial(f *codec.Field, v keys.Value, av types.AttributeValue) error {
	switch {
	case !w.Plan.IndexMember(f) || certain(w.Plan, f):
	case w.met == nil:
		w.facts.blurs(f)
	default:
		w.readGuard(f)
		if w.met.has(f) {
			return nil
		}
		w.u.SetValue(f.Name, av)
		return w.touches(f, v)
	}
	w.u.SetExpr(f.Name, "if_not_exists("+w.c.b.Name(f.Name)+", "+w.c.b.Value(av)+")")
	return errs.Wrap(f.Name, suits(w.Plan, f, v))
}

// index adds the changes of index attributes and the conditions that they depend on.
func (w *working) index() error {
	d, err := w.facts.indexes()
	for adopted := true; adopted && err == nil; {
		if adopted, err = w.adopt(d.guards); adopted && err == nil {
			d, err = w.facts.indexes()
		}
	}
	if err != nil || len(d.missing) > 0 {
		w.missing = d.missing
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
		if err := w.guard(f); err != nil {
			return err
		}
	}
	return w.sizes()
}

// sizes reports multi-attribute index keys whose known values are too long.
func (w *working) sizes() error {
	var wrong errs.Problems
	for _, x := range w.Plan.Indexes {
		if w.facts.touchesIndex(x) {
			checkIndexSize(x, w.facts.value, &wrong)
		}
	}
	return wrong.Err()
}

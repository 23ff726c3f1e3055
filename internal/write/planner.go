package write

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// updatePlanner is one attempt to plan an update.
type updatePlanner struct {
	*updateCall
	facts      fieldValues
	stored     *storedItem // the item read before the write; nil: not read
	conds      *conditions
	expr       *expr.Update
	check      op.ConditionCheck
	unknown    fieldSet
	idempotent bool
}

// replan plans the update from the item that was read, or from a missing item if met is nil.
func (u *updateCall) replan(met op.Item) (op.Action, error) {
	switch {
	case met == nil && !u.Upsert:
		return op.Action{}, errs.NotFound
	case met == nil && u.version != 0:
		return op.Action{}, errs.Stale
	case met != nil && !u.Plan.Matches(met):
		return op.Action{}, u.otherType()
	}
	r, err := decodeStored(u.Plan, met)
	if err != nil {
		return op.Action{}, err
	}
	act, missing, err := u.plan(r)
	if err == nil && len(missing) > 0 {
		err = u.unknownError(missing)
	}
	return act, err
}

// plan returns the action, planned from the call and from the item read if met is not nil. It
// returns the unknown fields instead if there are any.
func (u *updateCall) plan(met *storedItem) (op.Action, fieldSet, error) {
	w := u.planner(met)
	for _, step := range w.steps() {
		if err := step(); err != nil || len(w.unknown) > 0 {
			return op.Action{}, w.unknown, err
		}
	}
	act, err := w.action()
	return act, nil, err
}

func (u *updateCall) planner(met *storedItem) *updatePlanner {
	w := &updatePlanner{updateCall: u, stored: met, conds: newConditions(u.Plan), idempotent: true}
	w.expr = expr.NewUpdate(w.conds.builder, u.Plan)
	w.facts = fieldValues{plan: u.Plan, assigned: map[*codec.Field]assignment{}, example: u.Example, asRead: u.AsRead, stored: met, mayCreate: u.Upsert}
	return w
}

// steps returns the planning steps in order. Later steps use the results of earlier ones.
func (w *updatePlanner) steps() []func() error {
	return []func() error{w.checkItem, w.applyChanges, w.setKeyFields, w.setRoles, w.setIndexKeys}
}

func (w *updatePlanner) action() (op.Action, error) {
	text, err := w.expr.Text()
	if err != nil {
		return op.Action{}, err
	}
	w.check.Parents, w.check.Example = w.conds.parentChecks, w.conds.exampleChecks
	act := op.Action{Verb: op.Update, Plan: w.Plan, Key: w.key, Update: text, Return: w.Return, Check: w.check, Idempotent: w.idempotent && !w.Return.Old()}
	err = w.conds.setIn(&act)
	return act, err
}

// checkItem adds the conditions on the item before any change: its version, its existence, and its
// type.
func (w *updatePlanner) checkItem() error {
	switch {
	case w.version != 0:
		w.check = w.conds.requireVersion(w.version)
		w.idempotent = false
	case w.AsRead && w.Plan.Version != nil:
		w.check = w.conds.requireNoVersion()
		w.idempotent = false
	}
	w.check.MustExist = !w.Upsert
	switch {
	case w.stored != nil:
		w.requireExistence()
	case !w.Upsert && w.version == 0:
		w.conds.requireItem()
	}
	w.conds.requireType(&w.check, w.otherType())
	return nil
}

// otherType returns the error for an item of another type under the key.
func (u *updateCall) otherType() error {
	if u.Upsert {
		return errs.Exists
	}
	return errs.NotFound
}

// applyChanges adds the caller's changes and records their effect on each field.
func (w *updatePlanner) applyChanges() error {
	var wrong errs.Problems
	for _, b := range w.changes {
		w.idempotent = w.idempotent && b.Repeatable()
		if b.Verb == expr.If {
			wrong.AddErr("", w.conds.addCallers(b.Conds))
			continue
		}
		wrong.AddErr("", w.applyChange(b))
	}
	return wrong.Err()
}

func (w *updatePlanner) applyChange(b *expr.BoundChange) error {
	f := b.Field()
	if !b.Whole() {
		w.conds.requireParent(b.Target)
	}
	if f == nil || !w.Plan.IndexMember(f) {
		return w.expr.ApplyBound(b)
	}
	if !b.Constant() && w.stored != nil {
		return w.applyToStored(b)
	}
	if !b.Constant() {
		return w.applyInDynamoDB(b)
	}
	v, err := b.Value()
	if err != nil {
		return err
	}
	if err := w.setField(f, v); err != nil || f.KeyOnly {
		return err
	}
	return w.expr.ApplyBound(b)
}

// applyInDynamoDB adds a change of an index member that only DynamoDB can compute.
func (w *updatePlanner) applyInDynamoDB(b *expr.BoundChange) error {
	f := b.Field()
	w.facts.setUnknown(f)
	if b.Verb == expr.SetIfAbsent {
		v, err := b.Operand()
		if err == nil {
			err = validate(w.Plan, f, v)
		}
		if err != nil {
			return errs.Wrap(f.Name, err)
		}
	}
	return w.expr.ApplyBound(b)
}

// setField records that the write sets a field to a value.
func (w *updatePlanner) setField(f *codec.Field, v keys.Value) error {
	v, err := w.Plan.RoundTrip(f, v)
	if err == nil {
		err = validate(w.Plan, f, v)
	}
	w.facts.setKnown(f, v)
	return errs.Wrap(f.Name, err)
}

// setKeyFields sets the fields in the table's key if the item may be new.
func (w *updatePlanner) setKeyFields() error {
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
			av, err := encodeField(m, w.Example)
			if err != nil {
				return err
			}
			if err := w.setIfAbsent(m, v, av); err != nil {
				return err
			}
		}
	}
	return nil
}

// setIfAbsent sets a field if the item lacks it.
func (w *updatePlanner) setIfAbsent(f *codec.Field, v keys.Value, av types.AttributeValue) error {
	switch {
	case !w.Plan.IndexMember(f) || inTableKey(w.Plan, f):
	case w.stored == nil:
		w.facts.setUnknown(f)
	default:
		w.requireStored(f)
		if w.stored.has(f) {
			return nil
		}
		w.expr.SetValue(f.Name, av)
		return w.setField(f, v)
	}
	w.expr.SetExpr(f.Name, "if_not_exists("+w.conds.builder.Name(f.Name)+", "+w.conds.builder.Value(av)+")")
	return errs.Wrap(f.Name, validate(w.Plan, f, v))
}

// setIndexKeys adds the changes of index attributes and the conditions that they depend on.
func (w *updatePlanner) setIndexKeys() error {
	d, err := w.facts.indexes()
	for adopted := true; adopted && err == nil; {
		if adopted, err = w.assumeExamples(d.required); adopted && err == nil {
			d, err = w.facts.indexes()
		}
	}
	if err != nil || len(d.unknown) > 0 {
		w.unknown = d.unknown
		return err
	}
	for _, c := range d.changes {
		if c.value != nil {
			w.expr.SetValue(c.attr.Name, c.value)
		} else {
			w.expr.RemoveAttribute(c.attr.Name)
		}
	}
	for _, f := range d.required {
		if err := w.requireKnown(f); err != nil {
			return err
		}
	}
	return w.checkIndexSizes()
}

// checkIndexSizes reports multi-attribute index keys whose known values are too long.
func (w *updatePlanner) checkIndexSizes() error {
	var wrong errs.Problems
	for _, x := range w.Plan.Indexes {
		if w.facts.changesIndex(x) {
			checkIndexSize(x, w.facts.value, &wrong)
		}
	}
	return wrong.Err()
}

package write

import (
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// updatePlanner is one attempt to plan an update, with or without having read the item.
type updatePlanner struct {
	fieldValues
	conds      *conditions
	expr       *expr.Update
	companions *companionChange // nil: they do not change
	created    *creation        // the item that the update creates; nil: it exists, or may exist
	puts       bool             // it creates the item by a put
	slots      []op.Item        // see companionChange
	readsFirst bool             // planning needs the stored item
	unknown    fieldSet         // if not empty, planning needs these fields and does not know them
	idempotent bool
}

func (u *updateCall) planner(stored *storedItem) *updatePlanner {
	c := newConditions(u.Plan)
	c.expiry = u.Expiry
	return &updatePlanner{
		fieldValues: fieldValues{updateCall: u, assigned: map[*codec.Field]assignment{}, stored: stored},
		conds:       c, expr: expr.NewUpdate(), idempotent: true,
	}
}

// plan runs the steps and returns the actions. The first one is on the item.
func (p *updatePlanner) plan() ([]op.Action, error) {
	if err := inOrder(p.steps()...); err != nil {
		return nil, err
	}
	act, err := p.action()
	if err != nil || p.companions == nil {
		return []op.Action{act}, err
	}
	return append([]op.Action{act}, p.companions.actions()...), nil
}

// steps returns the planning steps in order. Each adds conditions and clauses of the update
// expression, and records the values of the fields that it sets. The index keys are rendered
// afterwards, from these values.
func (p *updatePlanner) steps() []func() error {
	return []func() error{p.requireItem, p.applyChanges, p.setKeyFields, p.setRoles, p.setEmbedded, p.readForCompanions, p.setIndexKeys, p.completeItem, p.setCompanions}
}

func (p *updatePlanner) action() (op.Action, error) {
	id, err := p.conds.writeID(p.Random, p.Return)
	if err != nil {
		return op.Action{}, err
	}
	if id.Value != nil {
		p.expr.ChangeAttribute(expr.Set, id.Attribute, id.Value)
	}
	p.conds.requireNotNull(p.expr)
	if err := p.expr.Err(); err != nil {
		return op.Action{}, err
	}
	act := op.Action{
		Verb: op.Update, Plan: p.Plan, Key: p.key, Changes: p.expr, Return: p.Return,
		Idempotent: p.idempotent && !op.ReturnsOld(p.Return) && !p.mayExpire(), WriteID: id,
	}
	if p.puts {
		p.putInstead(&act)
	}
	err = p.conds.addTo(&act)
	return act, err
}

// requireItem adds the conditions on the item as a whole: its version, its existence, and its type.
func (p *updatePlanner) requireItem() error {
	switch {
	case p.version != 0:
		p.conds.requireVersion(p.version)
		p.idempotent = false
	case p.AsRead && p.Plan.Version != nil:
		p.conds.requireNoVersion()
		p.idempotent = false
	}
	if !p.Upsert {
		p.conds.requireItem()
	}
	if p.stored != nil {
		p.requireExistence()
	}
	if p.mayCreate() {
		p.conds.requireAnew()
	} else {
		p.conds.requireUnexpired()
	}
	p.conds.requireType(p.otherType())
	if p.Recounts {
		return p.conds.requireCounts(p.Example)
	}
	return nil
}

// otherType returns the error for an item of another type under the key.
func (u *updateCall) otherType() error {
	if u.Upsert {
		return errs.Exists
	}
	return errs.NotFound
}

// setIndexKeys renders or removes the index keys that have a changed member. It requires the values
// of the other members.
func (p *updatePlanner) setIndexKeys() error {
	var keys indexUpdate
	for assumed := true; assumed; {
		var err error
		if keys, err = p.indexKeys(); err != nil {
			return err
		}
		if assumed, err = p.assumeExamples(keys.required); err != nil {
			return err
		}
	}
	if p.unknown = keys.unknown; len(p.unknown) > 0 {
		return p.unknownError()
	}
	if p.creates() {
		return nil // completeItem renders all keys
	}
	for _, c := range keys.changes {
		p.expr.ChangeAttribute(expr.Set, c.attr.Name, c.value)
	}
	for _, f := range keys.required {
		if err := p.requireKnown(f); err != nil {
			return err
		}
	}
	return p.checkIndexSizes()
}

// checkIndexSizes reports multi-attribute index keys whose known values are too long.
func (p *updatePlanner) checkIndexSizes() error {
	var wrong errs.Problems
	for _, x := range p.Plan.Indexes {
		if p.changesIndex(x) {
			checkIndexSize(x, p.knownAttribute, &wrong)
		}
	}
	return wrong.Err()
}

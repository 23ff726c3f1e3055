package write

import (
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// Reindex is the comparison of a stored item with what its fields render to: the table's key, the
// index keys, the type, and the guards of its unique values.
type Reindex struct {
	plan    *core.Plan
	from    Stored
	to      op.Item // the table's key that the item should have
	changes map[string]types.AttributeValue
	expiry  core.Expiry // expired items count as none; zero: they exist
	// companions of the item: its guards, and the items that count it.
	companions companions
}

// NewReindex compares a stored item. If regroups is set, an item in the shard of an earlier number
// of shards should be in that of the current number. An item that has expired keeps its key, and
// needs no guards. For an item that cannot be decoded, the result is nil. Any other error lists why
// the keys cannot be rendered.
func NewReindex(p *core.Plan, stored Stored, regroups bool, expiry core.Expiry) (*Reindex, error) {
	s, err := decodeStored(p, stored.Item)
	if err != nil {
		return nil, err
	}
	r := &Reindex{plan: p, from: stored, to: stored.Key, changes: map[string]types.AttributeValue{}, expiry: expiry}
	places, err := Places(p, s.entity)
	if err != nil {
		return r, err
	}
	expired := expiry.Expired(p, core.NewRow(stored.Item))
	if !expired && (regroups || !slices.ContainsFunc(places, r.isFrom)) {
		r.to = places[0]
	}
	if err := r.compareIndexes(s.entity); err != nil {
		return r, err
	}
	if attribute := p.Schema.TypeAttr; attribute != "" && stored.Item[attribute] == nil {
		r.changes[attribute] = &types.AttributeValueMemberS{Value: p.Name}
	}
	if r.companions, err = companionsBefore(p, stored.Item, r.to); expired {
		r.companions.guards = nil
	}
	if err == nil && codec.ItemSize(r.item()) > MaxItem {
		var wrong errs.Problems
		wrong.AddLimit("", "the item would be larger than 400 KB with its index keys", "make it smaller")
		err = wrong.Err()
	}
	return r, err
}

func (r *Reindex) isFrom(key op.Item) bool {
	s := r.plan.Schema
	return s.Identity(core.NewRow(key)) == s.Identity(core.NewRow(r.from.Key))
}

// compareIndexes collects the index attributes that differ, with nil for those to remove.
func (r *Reindex) compareIndexes(entity codec.Ptr) error {
	fresh := op.Item{}
	var wrong errs.Problems
	for _, x := range r.plan.Indexes {
		addIndex(r.plan, fresh, x, entity, &wrong)
		checkIndexSize(x, func(a *core.KeyAttr) types.AttributeValue {
			if a.Rendered() {
				return fresh[a.Name]
			}
			return r.from.Item[a.Name]
		}, &wrong)
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	for _, a := range r.plan.Attrs {
		if a.Rendered() {
			r.compare(a.Name, fresh[a.Name])
		}
	}
	for _, x := range r.plan.Schema.Indexes { // the type is in some of them no more
		for _, a := range slices.Concat(x.Partition, x.Sort) {
			if r.plan.KeyAttr(a.Name) == nil && r.plan.Shape.ByName(a.Name) == nil && r.plan.IsSystem(a.Name) {
				r.compare(a.Name, nil)
			}
		}
	}
	return nil
}

func (r *Reindex) compare(name string, fresh types.AttributeValue) {
	stored := r.from.Item[name]
	if (stored == nil) != (fresh == nil) || stored != nil && !core.SameValue(stored, fresh) {
		r.changes[name] = fresh
	}
}

// item returns the item as it should be.
func (r *Reindex) item() op.Item {
	item := maps.Clone(r.from.Item)
	maps.Copy(item, r.to)
	for name, av := range r.changes {
		if item[name] = av; av == nil {
			delete(item, name)
		}
	}
	return item
}

// Moves reports whether the item should have another key.
func (r *Reindex) Moves() bool { return !r.isFrom(r.to) }

// Changes reports whether attributes of the item change.
func (r *Reindex) Changes() bool { return len(r.changes) > 0 }

// To returns the key that the item should have.
func (r *Reindex) To() op.Item { return r.to }

// Blocks reports whether a move fails because of the item under the new key, as it was read: it
// exists and has not expired.
func (r *Reindex) Blocks(target op.Item) bool {
	return len(target) > 0 && !r.expiry.Expired(r.plan, core.NewRow(target))
}

// Guards returns the keys of the guards that the item should have, by unique value: nil for none.
func (r *Reindex) Guards() []op.Item { return r.companions.guards }

// Guarded is the state of a guard.
type Guarded uint8

// The states of guards.
const (
	GuardKept  Guarded = iota // it is right, or there is no value
	GuardFree                 // the item can claim it
	GuardTaken                // another item has it
)

// GuardState returns the state of the guard of a unique value, as it was read; nil: it does not
// exist. A guard of another item that has expired is free.
func (r *Reindex) GuardState(unique int, guard op.Item, now time.Time) Guarded {
	check := GuardCheck{Plan: r.plan, Unique: r.plan.Uniques[unique], Guard: guard, Owner: r.from}
	owner := GuardOwner(r.plan.Schema, guard)
	switch own := owner != nil && r.isFrom(owner); {
	case at(r.companions.guards, unique) == nil:
		return GuardKept
	case guard == nil, own && (r.Moves() || !check.sameExpiry()):
		return GuardFree
	case own:
		return GuardKept
	case check.expired(guard, now):
		return GuardFree
	default:
		return GuardTaken
	}
}

// Actions returns the writes that make the item and its guards as they should be. claims are the
// unique values whose guards the item claims. The writes are conditional on the attributes that
// they are derived from being as they were read; a move is conditional on all attributes. They
// change neither the version nor the timestamps nor counts. There are no actions if nothing
// changes.
func (r *Reindex) Actions(claims []bool, now time.Time) ([]op.Action, error) {
	change := companionChange{plan: r.plan, before: companions{owner: r.from.Key}, after: r.companions, now: now}
	change.after.guards = make([]op.Item, len(r.plan.Uniques))
	change.before.counting = change.after.counting // the fields do not change, so no count does
	claimed := false
	for i, claims := range claims {
		if claims {
			claimed = true
			change.after.guards[i] = r.companions.guards[i]
		}
	}
	var actions []op.Action
	var err error
	switch {
	case r.Moves():
		actions, err = r.move()
	case r.Changes() || claimed:
		var a op.Action
		a, err = r.update()
		actions = []op.Action{a}
	default:
		return nil, nil
	}
	return append(actions, change.actions()...), err
}

// update returns an update of the changed attributes, or a check of the item if none changes.
func (r *Reindex) update() (op.Action, error) {
	conds := newConditions(r.plan)
	update := expr.NewUpdate()
	conds.requireThere()
	names := append(indexMemberAttributes(r.plan), companionAttributes(r.plan)...)
	if attribute := r.plan.Schema.TypeAttr; attribute != "" {
		names = append(names, attribute)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !r.plan.Schema.InTableKey(name) {
			conds.require(valueOf(name, r.from.Item[name], false))
		}
	}
	a := op.Action{Verb: op.Check, Plan: r.plan, Key: r.from.Key}
	if r.Changes() {
		for _, name := range slices.Sorted(maps.Keys(r.changes)) {
			update.ChangeAttribute(expr.Set, name, r.changes[name])
		}
		a.Verb, a.Changes = op.Update, update
	}
	err := conds.addTo(&a)
	return a, err
}

// move returns a put under the new key, and a deletion of the old item.
func (r *Reindex) move() ([]op.Action, error) {
	absent := newConditions(r.plan)
	absent.expiry = r.expiry
	absent.requireNone(clause.Clause{Rank: clause.Called})
	put := op.Action{Verb: op.Put, Plan: r.plan, Item: op.NewContent(r.item())}
	if err := absent.addTo(&put); err != nil {
		return nil, err
	}
	unchanged := newConditions(r.plan)
	unchanged.requireThere()
	for _, name := range r.attributes() {
		unchanged.require(valueOf(name, r.from.Item[name], false))
	}
	deletion := op.Action{Verb: op.Delete, Plan: r.plan, Key: r.from.Key}
	err := unchanged.addTo(&deletion)
	return []op.Action{put, deletion}, err
}

// attributes lists the attributes that a writer may have changed: those of the item, and those that
// fields of the type are stored in. The version alone shows a change by the library; the others
// show one by another program.
func (r *Reindex) attributes() []string {
	names := slices.Collect(maps.Keys(r.from.Item))
	for _, f := range r.plan.Shape.Fields() {
		if !f.KeyOnly && f != r.plan.Rest {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, r.plan.Schema.InTableKey)
}

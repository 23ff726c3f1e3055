package write

import (
	"maps"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// An item whose shard is computed stays in the partition where it was created. After the number of
// shards has changed, it may be under one of several keys: its places. New items get the key of the
// current number.

// Places returns the keys under which the item of an example may be, the current one first.
func Places(p *core.Plan, example codec.Ptr) ([]op.Item, error) {
	key, err := Key(p, example)
	if err != nil || !p.Moved() {
		return []op.Item{key}, err
	}
	a := p.Table.Sharded()
	attributes, err := shardedKeys(p, a, example)
	if err != nil {
		return nil, err
	}
	places := []op.Item{key}
	for _, av := range attributes {
		other := rekeyed(key, a.Name, av)
		if !slices.ContainsFunc(places, func(k op.Item) bool { return reflect.DeepEqual(k, other) }) {
			places = append(places, other)
		}
	}
	return places, nil
}

// shardedKeys returns the values of a key attribute for each number of shards.
func shardedKeys(p *core.Plan, a *core.KeyAttr, entity codec.Ptr) (list []types.AttributeValue, err error) {
	vals := make([]keys.Value, len(a.Members))
	for i, m := range a.Members {
		if vals[i], err = p.Value(m, entity); err != nil {
			return nil, errs.Wrap(m.Name, err)
		}
	}
	for _, count := range a.Shard.Counts {
		if vals[a.Shard.At], err = a.Shard.Of(p, entity, count); err != nil {
			return nil, err
		}
		av, err := a.Render(vals)
		if err != nil {
			return nil, errs.Wrap(a.Name, err)
		}
		list = append(list, av)
	}
	return list, nil
}

// rekeyed returns a copy of an item with another value of an attribute.
func rekeyed(item op.Item, name string, av types.AttributeValue) op.Item {
	own := make(op.Item, len(item))
	for k, v := range item {
		own[k] = v
	}
	own[name] = av
	return own
}

// Existence is what an operation requires of its item.
type Existence uint8

// The requirements.
const (
	MustExist    Existence = iota // it changes an item, or deletes one
	MayCreate                     // it creates the item if there is none
	MustNotExist                  // it creates the item
)

// Locate returns an operation that first finds the item in all its places. o is planned for the
// first one. If the item is elsewhere, it is written there. If it does not exist, it is created in
// the first place, and the other places are checked in the same transaction.
func Locate(o op.Operation, p *core.Plan, places []op.Item, need Existence, expiry core.Expiry) op.Operation {
	l := &location{plan: p, places: places, need: need, expiry: expiry, inner: o.PreRead}
	if l.inner == nil {
		actions := o.Actions
		l.inner = &op.PreRead{Plan: func([]op.Item) ([]op.Action, error) { return slices.Clone(actions), nil }}
	}
	own := op.PreRead{Slots: l.inner.Slots, Known: l.inner.Known, Plan: l.actions}
	for _, place := range places {
		l.addReads(&own, place)
	}
	l.reads = len(own.Reads)
	o.Actions, o.PreRead = nil, &own
	if o.After != nil {
		after := *o.After
		after.Elsewhere = places[1:]
		o.After = &after
	}
	return o
}

// location finds the place of an item.
type location struct {
	plan   *core.Plan
	places []op.Item
	need   Existence
	expiry core.Expiry // expired items count as none; zero: they exist
	inner  *op.PreRead // of the operation in the first place
	read   [][]int     // by place: the indexes of the inner operation's reads
	at     []int       // by place: the index of the read of the item
	reads  int
}

// addReads adds the reads of the inner operation for one place, and a read of the item if there is
// none. A read of another item is the same for all places, and is added once.
func (l *location) addReads(own *op.PreRead, place op.Item) {
	at := -1
	indexes := make([]int, len(l.inner.Reads))
	for i, r := range l.inner.Reads {
		if l.rekey(&r, place); reflect.DeepEqual(r.Key, place) {
			at = len(own.Reads)
		}
		if indexes[i] = i; len(l.read) == 0 || !reflect.DeepEqual(r.Key, l.inner.Reads[i].Key) {
			indexes[i] = len(own.Reads)
			own.Reads = append(own.Reads, r)
		}
	}
	l.read = append(l.read, indexes)
	if at < 0 {
		at = len(own.Reads)
		own.Reads = append(own.Reads, readBefore(l.plan, place, nil, l.expiry))
	}
	l.at = append(l.at, at)
}

// actions plans the actions from the items that were read.
func (l *location) actions(stored []op.Item) ([]op.Action, error) {
	place := slices.IndexFunc(l.at, func(i int) bool { return len(at(stored, i)) > 0 })
	exists := place >= 0
	switch {
	case exists && l.need == MustNotExist:
		return nil, errs.Exists
	case !exists:
		place = 0
	}
	inner := len(l.inner.Reads)
	own := make([]op.Item, inner, inner+l.inner.Slots)
	for i := range own {
		own[i] = at(stored, l.read[place][i])
	}
	for i := range l.inner.Slots {
		own = append(own, at(stored, l.reads+i))
	}
	actions, err := l.inner.Plan(own)
	if err != nil {
		return nil, err
	}
	for i := range actions {
		l.rekey(&actions[i], l.places[place])
		l.renumber(&actions[i], place)
	}
	switch {
	case exists && l.need != MustExist:
		l.requireItem(&actions[0], place) // the first action is on the item
	case !exists && l.need != MustExist:
		actions = append(actions, l.absent()...)
	}
	return actions, nil
}

// renumber changes the indexes of reads from those of the inner operation.
func (l *location) renumber(a *op.Action, place int) {
	a.Clauses = slices.Clone(a.Clauses)
	for i := range a.Clauses {
		if p := &a.Clauses[i]; p.Read < len(l.inner.Reads) {
			p.Read = l.read[place][p.Read]
		} else {
			p.Read += l.reads - len(l.inner.Reads)
		}
	}
}

// requireItem makes an action conditional on the existence of its item, so that it does not create
// a second one.
func (l *location) requireItem(a *op.Action, place int) {
	item := clause.AnItem{Key: &l.plan.Schema.Partition}
	a.Require(clause.Clause{Pred: item, Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan, Read: l.at[place], Implied: requires(a, item)})
}

// absent returns checks that the item is in none of the places but the first.
func (l *location) absent() (checks []op.Action) {
	for i, place := range l.places[1:] {
		checks = append(checks, op.Action{
			Verb: op.Check, Plan: l.plan, Key: place, Idempotent: true,
			Clauses: l.none(l.at[1+i]), Expiry: l.expiry,
		})
	}
	return checks
}

// none returns the clauses that a place has no item. One that has expired is deleted first.
func (l *location) none(read int) []clause.Clause {
	none := clause.NoItem{Key: &l.plan.Schema.Partition}
	list := []clause.Clause{{Pred: none, Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan, Read: read}}
	if l.need == MustNotExist {
		list = append(list, clause.Clause{Pred: none, Fails: errs.Exists, Rank: clause.Existence, Implied: true})
	}
	if !l.expiry.IsZero() && l.plan.TTL != nil {
		alive := clause.Not{Pred: clause.Expired{Attribute: l.plan.TTL.Name, Expiry: l.expiry}}
		list = append(list, clause.Clause{Pred: alive, Fails: errs.Condition, Rank: clause.Dead, Then: clause.Bury, Implied: true})
	}
	return list
}

// rekey changes the key of the first place to that of another place, wherever an action has it: as
// its key, in its item, and as the owner of a guard.
func (l *location) rekey(a *op.Action, place op.Item) {
	from := l.places[0]
	if reflect.DeepEqual(from, place) {
		return
	}
	if reflect.DeepEqual(a.Key, from) {
		a.Key = place
	}
	moves := a.Item != nil && reflect.DeepEqual(l.plan.Schema.KeyOf(a.Item.Row()), from)
	own := func(av types.AttributeValue) types.AttributeValue {
		if m, ok := av.(*types.AttributeValueMemberM); ok && reflect.DeepEqual(m.Value, from) {
			return &types.AttributeValueMemberM{Value: place}
		}
		return av
	}
	item := replaced(a.Item.Map(), own)
	if moves {
		maps.Copy(item, place)
	}
	clauses := clause.Replaced(a.Clauses, own)
	a.Item, a.Clauses = op.NewContent(item), nil
	a.Require(clauses...)
	if a.Guard != nil {
		guard := *a.Guard
		guard.Owner = own(guard.Owner)
		a.Guard = &guard
	}
}

// replaced returns a copy of an item with replaced values; nil stays nil.
func replaced(item op.Item, value func(types.AttributeValue) types.AttributeValue) op.Item {
	if item == nil {
		return nil
	}
	own := make(op.Item, len(item))
	for name, av := range item {
		own[name] = value(av)
	}
	return own
}

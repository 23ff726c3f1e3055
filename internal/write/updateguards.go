package write

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// errReadsFirst ends the planning of an update that must read the item first.
var errReadsFirst = errors.New("the update reads the item first")

// readForGuards ends the planning of an update that changes a guard, if the item was not read: the
// update must read it first.
func (p *updatePlanner) readForGuards() error {
	if p.stored == nil && p.changesGuards() {
		p.readsFirst = true
		return errReadsFirst
	}
	return nil
}

// changesGuards reports whether the update changes a member of a unique value, or the time to live.
// An upsert also changes the guards of values whose members are all in the table's key, because the
// item may be new.
func (p *updatePlanner) changesGuards() bool {
	if len(p.Plan.Uniques) == 0 {
		return false
	}
	for f := range p.assigned {
		if p.Plan.Guarded(f) {
			return true
		}
	}
	constant := func(u *core.Unique) bool {
		return !slices.ContainsFunc(u.Key.Members, func(f *codec.Field) bool { return !p.Plan.TableMember(f) })
	}
	return p.Upsert && slices.ContainsFunc(p.Plan.Uniques, constant)
}

// guardedFields lists the members of unique values and the time to live, each once.
func (p *updatePlanner) guardedFields() fieldSet {
	var fields fieldSet
	for _, u := range p.Plan.Uniques {
		fields.add(u.Key.Members...)
	}
	if p.Plan.TTL != nil {
		fields.add(p.Plan.TTL)
	}
	return fields
}

// setGuards determines the guards before and after the update, and requires the stored values that
// they depend on.
func (p *updatePlanner) setGuards() error {
	if err := p.readForGuards(); err != nil || !p.changesGuards() {
		return err
	}
	for _, f := range p.guardedFields() {
		if !inTableKey(p.Plan, f) {
			p.requireStored(f)
		}
	}
	before, err := guardsBefore(p.Plan, p.stored.item, p.key)
	if err != nil {
		return err
	}
	after := guardState{owner: p.key}
	after.guards, err = guardKeys(p.Plan, func(a *core.KeyAttr, i int) (keys.Value, error) {
		v, _, err := p.member(a, i)
		return v, err
	})
	if err != nil {
		return err
	}
	if after.ttl, err = p.timeToLive(); err != nil {
		return err
	}
	p.guards = &guardChange{plan: p.Plan, before: before, after: after, foreign: p.foreign, now: p.Now}
	return nil
}

// timeToLive returns the attribute with the time to live after the update, or nil.
func (p *updatePlanner) timeToLive() (types.AttributeValue, error) {
	f := p.Plan.TTL
	if f == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	if set, ok := p.assigned[f]; ok {
		if set.value.IsAbsent() {
			return nil, nil //nolint:nilnil // there is none
		}
		return encodeValue(p.Plan, f, set.value)
	}
	return p.stored.item[f.Name], nil
}

package write

import (
	"errors"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// errReadsFirst ends the planning of an update that must read the item first.
var errReadsFirst = errors.New("the update reads the item first")

// readItemFirst ends the planning of an update that must read the item first.
func (p *updatePlanner) readItemFirst() error {
	p.readsFirst = true
	return errReadsFirst
}

// readForCompanions ends the planning of an update that changes a companion, if the item was not
// read: the update must read it first.
func (p *updatePlanner) readForCompanions() error {
	if p.stored == nil && p.changesCompanions() {
		return p.readItemFirst()
	}
	return nil
}

// changesCompanions reports whether the update changes a field that companions depend on, or
// creates or may create an item that has companions.
func (p *updatePlanner) changesCompanions() bool {
	if !p.Plan.Companions() {
		return false
	}
	for f := range p.assigned {
		if p.Plan.CompanionMember(f) {
			return true
		}
	}
	if p.stored != nil {
		return p.creates()
	}
	return p.mayCreate() && p.createsCompanions()
}

// setCompanions determines the companions before and after the update, and requires the stored
// values that they depend on.
func (p *updatePlanner) setCompanions() error {
	if err := p.readForCompanions(); err != nil || !p.changesCompanions() {
		return err
	}
	if p.creates() {
		after, err := p.created.companions(p.Plan)
		p.companions = &companionChange{plan: p.Plan, after: after, slots: p.slots, now: p.Now, expiry: p.Expiry}
		return err
	}
	for _, f := range companionFields(p.Plan) {
		if inTableKey(p.Plan, f) {
			continue
		}
		idempotent := p.idempotent
		p.requireStored(f)
		if p.unchanged(f) { // the condition holds again after the write
			p.idempotent = idempotent
		}
	}
	before, err := companionsBefore(p.Plan, p.stored.item, p.key)
	if err != nil {
		return err
	}
	after, err := companionsOf(p.Plan, p.key, func(a *core.KeyAttr, i int) (keys.Value, error) {
		return p.afterwards(a.Members[i])
	})
	if err != nil {
		return err
	}
	if after.ttl, err = p.timeToLive(); err != nil {
		return err
	}
	p.companions = &companionChange{plan: p.Plan, before: before, after: after, slots: p.slots, now: p.Now, expiry: p.Expiry}
	return nil
}

// knownGuards returns the keys of the guards of the unique values whose fields are all known before
// the item is read.
func (p *updatePlanner) knownGuards() []op.Item {
	list, _ := guardKeys(p.Plan, p.key, func(a *core.KeyAttr, i int) (keys.Value, error) {
		f := a.Members[i]
		if set, ok := p.assigned[f]; ok && set.known {
			return set.value, nil
		}
		if p.Plan.TableMember(f) {
			return fieldValue(p.Plan, f, p.Example)
		}
		return keys.Value{}, nil
	})
	return existing(list)
}

// unchanged reports whether the update leaves the value of a field of the stored item as it is.
func (p *updatePlanner) unchanged(f *codec.Field) bool {
	set, ok := p.assigned[f]
	if !ok {
		return true
	}
	stored, err := p.stored.value(f)
	return err == nil && set.known && reflect.DeepEqual(set.value, stored)
}

// afterwards returns the value of a field after the update, of an item that was read. The other
// values of the example only identify the item.
func (p *updatePlanner) afterwards(f *codec.Field) (keys.Value, error) {
	if set, ok := p.assigned[f]; ok {
		return set.value, nil
	}
	if p.mayCreate() && p.Plan.TableMember(f) && !p.stored.has(f) {
		return fieldValue(p.Plan, f, p.Example)
	}
	return p.stored.value(f)
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

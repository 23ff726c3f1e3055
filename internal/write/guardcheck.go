package write

import (
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// GuardCheck is the guard of a unique value, and the items that may have the value, as they were
// read.
type GuardCheck struct {
	Plan   *core.Plan
	Unique *core.Unique // nil: the type has no such unique value any more
	Key    op.Item      // of the guard
	Guard  op.Item      // nil: it does not exist
	Holder Stored       // an item that was found to have the value; the zero value is none
	Owner  Stored       // the item that the guard names; the zero value is none
}

// Stored is the key of an item, and the item as it was read, or nil if it does not exist.
type Stored struct{ Key, Item op.Item }

// StoredGuards returns the keys of the guards that a stored item should have, by unique value: nil
// for an absent value, and for a value that no guard can hold, which the error names. It returns no
// keys for an item that cannot be decoded.
func StoredGuards(p *core.Plan, item op.Item) ([]op.Item, error) {
	stored, err := decodeStored(p, item)
	if err != nil {
		return nil, err
	}
	return guardKeys(p, p.Schema.KeyOf(core.NewRow(item)), func(a *core.KeyAttr, i int) (keys.Value, error) {
		return stored.value(a.Members[i])
	})
}

// GuardOf returns the type and the unique value that a guard belongs to. The unique value is nil if
// the type does not have it any more. The type is nil if the item is no guard of a type of the
// schema.
func GuardOf(s *core.Schema, guard op.Item) (*core.Plan, *core.Unique) {
	partition, _ := core.KeyText(s.Partition.Type, guard[s.Partition.Name])
	partition = s.CutTenant(partition)
	for _, p := range s.Plans {
		if !strings.HasPrefix(partition, reserved.GuardPrefix(p.Name)) {
			continue
		}
		for _, u := range p.Uniques {
			if strings.HasPrefix(partition, reserved.GuardName(p.Name, u.Name)) {
				return p, u
			}
		}
		return p, nil
	}
	return nil, nil
}

// GuardOwner returns the key of the item that a guard names, or nil if it names none.
func GuardOwner(s *core.Schema, guard op.Item) op.Item {
	owner, ok := guard[reserved.OwnerAttribute].(*types.AttributeValueMemberM)
	if !ok || len(owner.Value) != len(s.Position) || s.Identity(core.NewRow(owner.Value)) == "" {
		return nil
	}
	if partition, _ := core.KeyText(s.Partition.Type, owner.Value[s.Partition.Name]); reserved.Is(s.CutTenant(partition)) {
		return nil // the library's own items have no values
	}
	return owner.Value
}

// GuardProblem is a problem of a guard; 0 is none.
type GuardProblem uint8

// The problems of guards. Package maintain documents them.
const (
	GuardMissing GuardProblem = iota + 1
	GuardOfOther
	GuardUnowned
	GuardExpiry
	ValueTwice
	GuardUnchecked
)

// Problem returns what is wrong with the guard at a time, or 0 if it is right. Items that have
// expired have no values, and a guard that has expired needs no item. The error tells why an item
// cannot be checked.
func (c *GuardCheck) Problem(now time.Time) (GuardProblem, error) {
	guard := c.Guard != nil && !c.expired(c.Guard, now)
	owned, err := c.hasValue(c.Owner)
	if err != nil {
		return GuardUnchecked, err
	}
	held, err := c.hasValue(c.Holder)
	if err != nil {
		return GuardUnchecked, err
	}
	ownerLives := owned && !c.expired(c.Owner.Item, now)
	holderLives := held && !c.expired(c.Holder.Item, now)
	switch {
	case ownerLives && holderLives && !c.Same():
		return ValueTwice, nil
	case ownerLives && !c.sameExpiry():
		return GuardExpiry, nil
	case ownerLives:
		return 0, nil
	case holderLives && c.Guard == nil:
		return GuardMissing, nil
	case holderLives:
		return GuardOfOther, nil
	case guard && !owned:
		return GuardUnowned, nil
	default:
		return 0, nil
	}
}

// Same reports whether the holder is the owner.
func (c *GuardCheck) Same() bool { return c.same(c.Holder.Key, c.Owner.Key) }

func (c *GuardCheck) same(a, b op.Item) bool {
	s := c.Plan.Schema
	return s.Identity(core.NewRow(a)) == s.Identity(core.NewRow(b))
}

// hasValue reports whether an item has the value of the guard.
func (c *GuardCheck) hasValue(i Stored) (bool, error) {
	if c.Unique == nil || i.Item == nil || !c.Plan.Admits(core.NewRow(i.Item)) {
		return false, nil
	}
	guards, err := StoredGuards(c.Plan, i.Item)
	if guards == nil {
		return false, err
	}
	n := slices.Index(c.Plan.Uniques, c.Unique)
	return guards[n] != nil && c.same(guards[n], c.Key), nil
}

// ttl returns the name of the time to live attribute, or "".
func (c *GuardCheck) ttl() string {
	if c.Plan.TTL != nil {
		return c.Plan.TTL.Name
	}
	return c.Plan.Schema.TTL
}

// expired reports whether an item of the type or a guard has expired.
func (c *GuardCheck) expired(item op.Item, now time.Time) bool {
	return c.ttl() != "" && core.ExpiryAt(now).Contains(item[c.ttl()])
}

// sameExpiry reports whether the guard has the time to live of its owner.
func (c *GuardCheck) sameExpiry() bool {
	if c.ttl() == "" {
		return true
	}
	var want types.AttributeValue
	if c.Plan.TTL != nil {
		want = c.Owner.Item[c.ttl()]
	}
	return core.SameValue(want, c.Guard[c.ttl()])
}

// Repair returns the actions that correct a problem, or nil if they cannot. They are conditional on
// the guard and the items being as they were read, so they are right beside other writers.
func (c *GuardCheck) Repair(problem GuardProblem) ([]op.Action, error) {
	var guard op.Action
	items := []Stored{c.Owner}
	switch problem {
	case GuardMissing, GuardOfOther:
		guard = c.put(c.Holder)
		if items = append(items, c.Holder); c.Same() {
			items = []Stored{c.Holder}
		}
	case GuardExpiry:
		guard = c.put(c.Owner)
	case GuardUnowned:
		guard = op.Action{Verb: op.Delete, Plan: c.Plan, Key: c.Key, Idempotent: true}
	default:
		return nil, nil
	}
	conds := newConditions(c.Plan)
	conds.require(valueOf(c.Plan.Schema.Partition.Name, nil, false))
	if c.Guard != nil {
		conds = newConditions(c.Plan)
		conds.requireThere()
		conds.require(valueOf(reserved.OwnerAttribute, c.Guard[reserved.OwnerAttribute], false))
		if ttl := c.ttl(); ttl != "" {
			conds.require(valueOf(ttl, c.Guard[ttl], false))
		}
	}
	if err := conds.addTo(&guard); err != nil {
		return nil, err
	}
	actions := []op.Action{guard}
	for _, i := range items {
		if i.Key == nil {
			continue
		}
		check, err := c.unchanged(i)
		if err != nil {
			return nil, err
		}
		actions = append(actions, check)
	}
	return actions, nil
}

// put returns a put of the guard of an item.
func (c *GuardCheck) put(owner Stored) op.Action {
	var ttl types.AttributeValue
	if c.Plan.TTL != nil {
		ttl = owner.Item[c.Plan.TTL.Name]
	}
	return op.Action{Verb: op.Put, Plan: c.Plan, Item: op.NewContent(newGuard(c.Plan, c.Key, owner.Key, ttl))}
}

// unchanged returns a check that an item still has the attributes that its guards depend on.
func (c *GuardCheck) unchanged(i Stored) (op.Action, error) {
	s := c.Plan.Schema
	conds := newConditions(c.Plan)
	if i.Item == nil {
		conds.require(valueOf(s.Partition.Name, nil, false))
	} else {
		conds.requireThere()
		for _, name := range c.attributes() {
			conds.require(valueOf(name, i.Item[name], false))
		}
	}
	a := op.Action{Verb: op.Check, Plan: c.Plan, Key: i.Key}
	err := conds.addTo(&a)
	return a, err
}

// attributes lists the attributes that the guards of an item of the type depend on, except its key.
func (c *GuardCheck) attributes() []string {
	s := c.Plan.Schema
	seen := map[string]bool{"": true, s.Partition.Name: true, s.Sort.Name: true}
	var list []string
	add := func(names ...string) {
		for _, name := range names {
			if !seen[name] {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	add(s.TypeAttr, c.ttl())
	if c.Unique != nil {
		for _, m := range c.Unique.Key.Members {
			add(c.Plan.StoredIn(m)...)
		}
	}
	return list
}

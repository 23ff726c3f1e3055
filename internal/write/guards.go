package write

import (
	"maps"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// guardState is what the guards of an item depend on, before or after a write. The zero value is
// that of no item.
type guardState struct {
	owner  op.Item              // the item's key
	guards []op.Item            // the keys of its guards by unique value, nil for none
	ttl    types.AttributeValue // nil: it does not expire
}

// guard returns the key of a guard, or nil.
func (s *guardState) guard(i int) op.Item {
	if i >= len(s.guards) {
		return nil
	}
	return s.guards[i]
}

// guardKeys returns the keys of the guards of an item. value returns its fields as members of keys.
func guardKeys(p *core.Plan, value func(a *core.KeyAttr, i int) (keys.Value, error)) ([]op.Item, error) {
	guards := make([]op.Item, len(p.Uniques))
	var wrong errs.Problems
	for n, u := range p.Uniques {
		vals, absent := make([]keys.Value, len(u.Key.Members)), false
		for i, m := range u.Key.Members {
			v, err := value(u.Key, i)
			wrong.AddErr(m.Name, err)
			vals[i], absent = v, absent || err != nil || v.IsAbsent()
		}
		if absent {
			continue
		}
		key, err := guardKey(p, u, vals)
		wrong.AddErr(u.Name, err)
		guards[n] = key
	}
	return guards, wrong.Err()
}

// guardKey returns the key of the guard of a value.
func guardKey(p *core.Plan, u *core.Unique, vals []keys.Value) (op.Item, error) {
	value, err := u.Key.Template.Render(vals...)
	if err != nil {
		return nil, err
	}
	_, value, _ = strings.Cut(value, "#") // without the literal, which only makes the template a text
	partition, sort, number := reserved.GuardKey(p.Name, u.Name, value)
	if len(partition) > reserved.MaxPartitionKey {
		var wrong errs.Problems
		wrong.AddLimit(u.Name, "the guard of the unique value would have a partition key of more than 2048 bytes", "use a shorter value")
		return nil, wrong.Err()
	}
	s := p.Schema
	key := op.Item{s.Partition.Name: core.KeyValue(s.Partition.Type, partition)}
	switch {
	case s.Sort.Name == "":
	case s.Sort.Type == keys.N:
		key[s.Sort.Name] = core.KeyValue(keys.N, number)
	default:
		key[s.Sort.Name] = core.KeyValue(s.Sort.Type, sort)
	}
	return key, nil
}

// guardsOfEntity returns the state of an entity that is stored as item.
func guardsOfEntity(p *core.Plan, entity codec.Ptr, item op.Item) (guardState, error) {
	guards, err := guardKeys(p, func(a *core.KeyAttr, i int) (keys.Value, error) { return p.Value(a.Members[i], entity) })
	s := guardState{owner: p.Schema.KeyOf(core.NewRow(item)), guards: guards}
	if p.TTL != nil {
		s.ttl = item[p.TTL.Name]
	}
	return s, err
}

// guardsBefore returns the state of an item that was read, or of no item if it is nil. key is the
// item's key.
func guardsBefore(p *core.Plan, item, key op.Item) (guardState, error) {
	if item == nil {
		return guardState{}, nil
	}
	stored, err := decodeStored(p, item)
	if err != nil {
		return guardState{}, err
	}
	state, err := guardsOfEntity(p, stored.entity, item)
	state.owner = key
	return state, err
}

// guardAttributes lists the attributes that the guards of an item depend on.
func guardAttributes(p *core.Plan) []string {
	var names []string
	for _, u := range p.Uniques {
		for _, m := range u.Key.Members {
			names = append(names, p.StoredIn(m)...)
		}
	}
	if p.TTL != nil {
		names = append(names, p.TTL.Name)
	}
	return names
}

// requireGuarded makes the write conditional on the attributes that the guards depend on being as
// they were read, and on the item's existence. These conditions do not make the write less
// repeatable: if they hold once, they hold again after the write has been applied.
func (c *conditions) requireGuarded(stored op.Item) {
	before := len(c.parts)
	partition := c.plan.Schema.Partition.Name
	c.check.Planned = append(c.check.Planned, op.Expected{Attribute: partition, Value: stored[partition]})
	if stored == nil {
		c.requireNoItem()
		return
	}
	c.requireItem()
	for _, name := range guardAttributes(c.plan) {
		if c.plan.Schema.InTableKey(name) {
			continue
		}
		c.require(valueOf(name, stored[name], false))
		c.check.Planned = append(c.check.Planned, op.Expected{Attribute: name, Value: stored[name]})
	}
	c.repeatable += len(c.parts) - before
}

// guardChange is a change of an item that has guards.
type guardChange struct {
	plan          *core.Plan
	before, after guardState
	// foreign are the guards by unique value that were found to belong to another item. The item
	// then has no guard of its own to release.
	foreign []op.Item
	now     time.Time
}

// actions returns the actions on guards: those that the item no longer has are released, the others
// are claimed if they are new or change. The guards that belong to another item are in the slots
// after the first read.
func (g *guardChange) actions() []op.Action {
	var list []op.Action
	moved := g.before.owner != nil && g.after.owner != nil && !reflect.DeepEqual(g.before.owner, g.after.owner)
	kept := !moved && reflect.DeepEqual(g.before.ttl, g.after.ttl)
	for i, u := range g.plan.Uniques {
		before, after := g.before.guard(i), g.after.guard(i)
		same := before != nil && reflect.DeepEqual(before, after)
		unchanged, foreign := same && kept, i < len(g.foreign) && g.foreign[i] != nil
		if after != nil && !unchanged {
			list = append(list, g.claim(u, after))
		}
		if before != nil && !same && !foreign {
			list = append(list, g.release(before, i))
		}
	}
	return list
}

// The placeholders of conditions on guards.
const (
	markPartition = "#p"
	markOwner     = "#o"
	markTTL       = "#t"
	valueOwner    = ":o"
	valueBefore   = ":b"
	valueNow      = ":n"
)

// claim returns a put of a guard. It fails if another item has the value: unless that item has
// expired, or is the same item before a move.
func (g *guardChange) claim(u *core.Unique, key op.Item) op.Action {
	s := g.plan.Schema
	owner := &types.AttributeValueMemberM{Value: g.after.owner}
	item := op.Item{reserved.OwnerAttribute: owner}
	for name, av := range key {
		item[name] = av
	}
	if s.TypeAttr != "" {
		item[s.TypeAttr] = &types.AttributeValueMemberS{Value: reserved.GuardType}
	}
	a := op.Action{
		Verb: op.Put, Plan: g.plan, Item: item,
		Condition: "attribute_not_exists(" + markPartition + ") OR " + markOwner + " = " + valueOwner,
		Names:     map[string]string{markPartition: s.Partition.Name, markOwner: reserved.OwnerAttribute},
		Values:    op.Item{valueOwner: owner},
		Guard:     &op.Guard{Unique: u.Name, Claims: true, Owner: owner},
		Check:     op.ConditionCheck{Unique: u.Name},
	}
	if g.before.owner != nil && !reflect.DeepEqual(g.before.owner, g.after.owner) {
		allowOwner(&a, &types.AttributeValueMemberM{Value: g.before.owner})
	}
	if ttl := g.plan.TTL; ttl != nil {
		a.Condition += " OR " + markTTL + " < " + valueNow
		a.Names[markTTL] = ttl.Name
		a.Values[valueNow] = &types.AttributeValueMemberN{Value: strconv.FormatInt(g.now.Unix(), 10)}
		if g.after.ttl != nil {
			item[ttl.Name] = g.after.ttl
		}
	}
	return a
}

// allowOwner lets a claim replace a guard of another owner.
func allowOwner(claim *op.Action, owner types.AttributeValue) {
	claim.Condition += " OR " + markOwner + " = " + valueBefore
	claim.Values[valueBefore] = owner
}

// release returns a deletion of a guard. If the guard belongs to another item, the operation is
// planned again without it.
func (g *guardChange) release(key op.Item, unique int) op.Action {
	owner := &types.AttributeValueMemberM{Value: g.before.owner}
	return op.Action{
		Verb: op.Delete, Plan: g.plan, Key: key,
		Condition: "attribute_not_exists(" + markPartition + ") OR " + markOwner + " = " + valueOwner,
		Names:     map[string]string{markPartition: g.plan.Schema.Partition.Name, markOwner: reserved.OwnerAttribute},
		Values:    op.Item{valueOwner: owner},
		Guard:     &op.Guard{Unique: g.plan.Uniques[unique].Name, Owner: owner},
		Check:     op.ConditionCheck{Planned: []op.Expected{{Attribute: reserved.OwnerAttribute, Value: owner}}, PlannedRead: 1 + unique},
	}
}

// MergeGuards merges the actions of a transaction on the same guard: one operation releases it, and
// another claims it. The result claims it from the first.
func MergeGuards(actions []op.Action, table string) []op.Action {
	claims := map[string]int{}
	for i := range actions {
		if a := &actions[i]; a.Guard != nil && a.Guard.Claims {
			claims[a.Identity(table)] = i
		}
	}
	if len(claims) == 0 {
		return actions
	}
	merged := make([]op.Action, 0, len(actions))
	at := make([]int, len(actions)) // the index in merged
	for i, a := range actions {
		if a.Guard != nil && !a.Guard.Claims {
			if _, claimed := claims[a.Identity(table)]; claimed {
				continue
			}
		}
		at[i] = len(merged)
		merged = append(merged, a)
	}
	for i := range actions {
		a := &actions[i]
		if a.Guard == nil || a.Guard.Claims {
			continue
		}
		if c, claimed := claims[a.Identity(table)]; claimed {
			claim := &merged[at[c]]
			claim.Values = maps.Clone(claim.Values)
			allowOwner(claim, a.Guard.Owner)
		}
	}
	return merged
}

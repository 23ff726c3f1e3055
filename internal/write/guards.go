package write

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
	"github.com/trestledb/trestle/keys"
)

// guardKeys returns the keys of the guards of the item with the key owner, whose tenant they have.
// value returns its fields as members of keys.
func guardKeys(p *core.Plan, owner op.Item, value func(a *core.KeyAttr, i int) (keys.Value, error)) ([]op.Item, error) {
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
		key, err := guardKey(p, u, owner, vals)
		wrong.AddErr(u.Name, err)
		guards[n] = key
	}
	return guards, wrong.Err()
}

// guardKey returns the key of the guard of a value of the item with the key owner.
func guardKey(p *core.Plan, u *core.Unique, owner op.Item, vals []keys.Value) (op.Item, error) {
	value, err := u.Key.Template.Render(vals...)
	if err != nil && !errors.Is(err, keys.ErrTooLong) {
		return nil, err
	}
	_, value, _ = strings.Cut(value, "#") // without the literal, which only makes the template a text
	partition, sort, number := reserved.GuardKey(p.Name, u.Name, value)
	tenant := ""
	if p.Tenant != nil {
		tenant = p.Schema.TenantOf(owner)
	}
	if err != nil || len(p.Schema.WithTenant(p.Schema.Partition.Name, tenant, partition)) > reserved.MaxPartitionKey {
		var wrong errs.Problems
		wrong.AddLimit(u.Name, "the guard of the unique value would have a partition key of more than 2048 bytes", "use a shorter value")
		return nil, wrong.Err()
	}
	return p.Schema.ReservedKey(tenant, partition, sort, number), nil
}

// claim returns a put of a guard. It fails if another item has the value: unless that item has
// expired, or is the same item before a move.
func (c *companionChange) claim(u *core.Unique, key op.Item) op.Action {
	owner := &types.AttributeValueMemberM{Value: c.after.owner}
	free := clause.Or{clause.NoItem{Key: &c.plan.Schema.Partition}, ownedBy(owner)}
	if c.before.owner != nil && !reflect.DeepEqual(c.before.owner, c.after.owner) {
		free = append(free, ownedBy(&types.AttributeValueMemberM{Value: c.before.owner}))
	}
	if ttl := c.plan.TTL; ttl != nil {
		free = append(free, clause.Expired{Attribute: ttl.Name, Expiry: core.ExpiryAt(c.now)})
	}
	return op.Action{
		Verb: op.Put, Plan: c.plan, Item: op.NewContent(newGuard(c.plan, key, c.after.owner, c.after.ttl)),
		Guard:   &op.Guard{Unique: u.Name, Claims: true, Owner: owner},
		Clauses: []clause.Clause{{Pred: free, Fails: errs.Taken, Rank: clause.Existence, Then: clause.Depend}},
	}
}

// ownedBy is the condition that a guard belongs to an item.
func ownedBy(owner types.AttributeValue) clause.Pred {
	return clause.Value(reserved.OwnerAttribute, owner)
}

// newGuard returns the guard of a value of an item. ttl is the item's time to live, or nil.
func newGuard(p *core.Plan, key, owner op.Item, ttl types.AttributeValue) op.Item {
	guard := p.Schema.OwnItem(reserved.GuardType, key, op.Item{reserved.OwnerAttribute: &types.AttributeValueMemberM{Value: owner}})
	if p.TTL != nil && ttl != nil {
		guard[p.TTL.Name] = ttl
	}
	return guard
}

// allowOwner lets a claim replace a guard of another owner.
func allowOwner(claim *op.Action, owner types.AttributeValue) {
	l := claim.Clauses[0]
	l.Pred = append(slices.Clip(l.Pred.(clause.Or)), ownedBy(owner))
	claim.Clauses = nil
	claim.Require(l)
}

// release returns a deletion of a guard. If the guard turns out to belong to another item, the
// operation is planned again: release then returns a check that this is still so.
func (c *companionChange) release(key op.Item, unique int) op.Action {
	var owner types.AttributeValue = &types.AttributeValueMemberM{Value: c.before.owner}
	a := op.Action{
		Verb: op.Delete, Plan: c.plan, Key: key,
		Guard: &op.Guard{Unique: c.plan.Uniques[unique].Name, Owner: owner},
	}
	free := clause.Or{clause.NoItem{Key: &c.plan.Schema.Partition}, ownedBy(owner)}
	if found := at(c.slots, unique); len(found) > 0 && !reflect.DeepEqual(found[reserved.OwnerAttribute], owner) {
		a.Verb = op.Check
		free[1] = clause.Attribute(reserved.OwnerAttribute, clause.Ne, owner)
	}
	a.Require(clause.Clause{Pred: free, Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan, Read: 1 + unique})
	return a
}

// mergeGuards merges the actions of a transaction on the same guard: one operation releases it, and
// another claims it. The result claims it from the first.
func mergeGuards(actions []op.Action, table string) []op.Action {
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
			allowOwner(&merged[at[c]], a.Guard.Owner)
		}
	}
	return merged
}

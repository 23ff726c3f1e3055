package write

import (
	"reflect"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// companions are the other items that the writes of an item keep in agreement with it, before or
// after a write: the guards of its unique values, and the items that count it. The zero value is
// that of no item.
type companions struct {
	owner    op.Item              // the item's key
	guards   []op.Item            // the keys of its guards by unique value, nil for none
	counting []op.Item            // the keys of the items that count it, by count, nil for none
	ttl      types.AttributeValue // nil: it does not expire
}

// at returns an item of a list, or nil.
func at(list []op.Item, i int) op.Item {
	if i >= len(list) {
		return nil
	}
	return list[i]
}

// existing returns the items of a list that are not nil.
func existing(list []op.Item) []op.Item {
	return slices.DeleteFunc(list, func(item op.Item) bool { return item == nil })
}

// companionsOf returns the companions of an item. value returns its fields as members of keys.
func companionsOf(p *core.Plan, owner op.Item, value func(a *core.KeyAttr, i int) (keys.Value, error)) (companions, error) {
	var wrong errs.Problems
	guards, err := guardKeys(p, owner, value)
	wrong.AddErr("", err)
	counting, err := countingKeys(p, value)
	wrong.AddErr("", err)
	return companions{owner: owner, guards: guards, counting: counting}, wrong.Err()
}

// companionsOfEntity returns the companions of an entity that is stored as item.
func companionsOfEntity(p *core.Plan, entity codec.Ptr, item core.Row) (companions, error) {
	s, err := companionsOf(p, p.Schema.KeyOf(item), func(a *core.KeyAttr, i int) (keys.Value, error) {
		return p.Value(a.Members[i], entity)
	})
	if p.TTL != nil {
		s.ttl = item.Attribute(p.TTL.Name)
	}
	return s, err
}

// companionsBefore returns the companions of an item that was read, or of no item if it is nil. key
// is the item's key.
func companionsBefore(p *core.Plan, item, key op.Item) (companions, error) {
	if item == nil {
		return companions{}, nil
	}
	stored, err := decodeStored(p, item)
	if err != nil {
		return companions{}, err
	}
	// A stored value that no key can hold has no companion.
	s, _ := companionsOf(p, key, func(a *core.KeyAttr, i int) (keys.Value, error) { return stored.value(a.Members[i]) })
	if p.TTL != nil {
		s.ttl = item[p.TTL.Name]
	}
	return s, nil
}

// companionFields lists the fields that the companions depend on, each once.
func companionFields(p *core.Plan) fieldSet {
	var fields fieldSet
	for _, u := range p.Uniques {
		fields.add(u.Key.Members...)
	}
	for _, c := range p.Counted {
		for a := range c.Key.Attributes() {
			fields.add(a.Members...)
		}
	}
	if p.TTL != nil {
		fields.add(p.TTL)
	}
	return fields
}

// companionAttributes lists the attributes that the companions depend on.
func companionAttributes(p *core.Plan) []string {
	var names []string
	for _, f := range companionFields(p) {
		names = append(names, p.StoredIn(f)...)
	}
	return names
}

// slots returns the number of slots of a PreRead: the guard of each unique value, if it belongs to
// another item, and each counting item, if it does not exist.
func slots(p *core.Plan) int { return len(p.Uniques) + len(p.Counted) }

// requireCompanions makes the write conditional on the attributes that the companions depend on
// being as they were read, and on the item's existence. If these conditions hold before a write
// that changes no companion, they hold again afterwards.
func (c *conditions) requireCompanions(stored op.Item) {
	before := c.sent()
	c.requireRead(stored, errs.Condition)
	if stored == nil {
		return
	}
	for _, name := range companionAttributes(c.plan) {
		if c.plan.Schema.InTableKey(name) {
			continue
		}
		c.requireStored(name, stored[name])
	}
	c.repeatable += c.sent() - before
}

// companionChange is a change of an item that has companions.
type companionChange struct {
	plan          *core.Plan
	before, after companions
	// slots are what failed conditional checks found: the guards that belonged to another item, by
	// unique value, then an empty item for each counting item that does not exist.
	slots  []op.Item
	now    time.Time
	expiry core.Expiry // expired counting items count as none; zero: they exist
	// uncounted reports whether a counting item is not changed; nil: all are.
	uncounted func(key op.Item) bool
}

// actions returns the actions on the companions.
func (c *companionChange) actions() []op.Action {
	moved := c.before.owner != nil && c.after.owner != nil && !reflect.DeepEqual(c.before.owner, c.after.owner)
	kept := !moved && reflect.DeepEqual(c.before.ttl, c.after.ttl)
	var list []op.Action
	for i, u := range c.plan.Uniques {
		before, after := at(c.before.guards, i), at(c.after.guards, i)
		same := before != nil && reflect.DeepEqual(before, after)
		if unchanged := same && kept; after != nil && !unchanged {
			list = append(list, c.claim(u, after))
		}
		if before != nil && !same {
			list = append(list, c.release(before, i))
		}
	}
	for i, counted := range c.plan.Counted {
		before, after := at(c.before.counting, i), at(c.after.counting, i)
		if reflect.DeepEqual(before, after) {
			continue
		}
		uncounted := c.uncounted != nil && before != nil && c.uncounted(before)
		if slot := len(c.plan.Uniques) + i; before != nil && !uncounted && at(c.slots, slot) == nil {
			list = append(list, c.count(counted, before, -1, 1+slot))
		}
		if after != nil {
			list = append(list, c.count(counted, after, 1, 0))
		}
	}
	return list
}

// Combine combines the actions of an operation or a transaction that are on one item: a guard that
// one operation releases and another claims, and changes of counts. It returns actions that can be
// sent.
func Combine(actions []op.Action, table string) ([]op.Action, error) {
	special := func(a op.Action) bool { return a.Guard != nil || a.Count != nil || a.MovesCounts }
	if !slices.ContainsFunc(actions, special) {
		return actions, nil
	}
	return combineCounts(mergeGuards(actions, table), table)
}

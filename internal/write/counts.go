package write

import (
	"maps"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// countingKeys returns the keys of the items that count an item. value returns its fields as
// members of keys.
func countingKeys(p *core.Plan, value func(a *core.KeyAttr, i int) (keys.Value, error)) ([]op.Item, error) {
	list := make([]op.Item, len(p.Counted))
	var wrong errs.Problems
	for n, c := range p.Counted {
		key, absent := op.Item{}, false
		for a := range c.Key.Attributes() {
			vals := make([]keys.Value, len(a.Members))
			for i, m := range a.Members {
				v, err := value(a, i)
				wrong.AddErr(m.Name, err)
				vals[i], absent = v, absent || err != nil || v.IsAbsent()
			}
			if absent {
				break
			}
			av, err := a.Render(vals)
			wrong.AddErr(c.Label(), err)
			key[a.Name] = av
		}
		if !absent {
			list[n] = key
		}
	}
	return list, wrong.Err()
}

// countAction returns a change of a count. slot is the slot that is set if the counting item does
// not exist, or 0 if it must exist.
func countAction(c *core.Counted, key op.Item, delta int64, slot int) op.Action {
	a := op.Action{Verb: op.Update, Plan: c.Parent, Key: key, Count: &op.Count{Counted: c, Delta: delta}}
	if slot > 0 {
		partition := c.Parent.Schema.Partition.Name
		a.Check.Planned, a.Check.PlannedRead = []op.Expected{{Attribute: partition, Value: key[partition]}}, slot
	}
	return a
}

// combineCounts replaces the changes of counts by one action for each counting item. If another
// operation writes that item, its action also changes the counts.
func combineCounts(actions []op.Action, table string) ([]op.Action, error) {
	changes := map[string]*countChange{}
	var order []string
	list := make([]op.Action, 0, len(actions))
	for _, a := range actions {
		if a.Count == nil {
			list = append(list, a)
			continue
		}
		id := a.Identity(table)
		if changes[id] == nil {
			changes[id] = &countChange{first: a}
			order = append(order, id)
		}
		changes[id].add(&a)
	}
	for i := range list {
		id := list[i].Identity(table)
		c := changes[id]
		if c == nil || list[i].Guard != nil {
			continue
		}
		delete(changes, id)
		if err := c.addTo(&list[i]); err != nil {
			return nil, err
		}
	}
	for _, id := range order {
		c := changes[id]
		if c == nil || !c.any() {
			continue
		}
		a, err := c.action()
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// countChange is the sum of the changes of the counts in one item.
type countChange struct {
	first  op.Action
	counts []fieldCount
}

// fieldCount is the change of one count.
type fieldCount struct {
	counted *core.Counted
	delta   int64
}

func (c *countChange) add(a *op.Action) {
	if c.first.Check.Planned == nil && a.Check.Planned != nil {
		c.first.Check = a.Check
	}
	for i := range c.counts {
		if c.counts[i].counted.Field == a.Count.Counted.Field {
			c.counts[i].delta += a.Count.Delta
			return
		}
	}
	c.counts = append(c.counts, fieldCount{a.Count.Counted, a.Count.Delta})
}

// any reports whether a count changes.
func (c *countChange) any() bool {
	for _, f := range c.counts {
		if f.delta != 0 {
			return true
		}
	}
	return false
}

func (f fieldCount) number() types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(f.delta, 10)}
}

// action returns an update of the counting item, which must exist.
func (c *countChange) action() (op.Action, error) {
	p := c.first.Plan
	conds := newConditions(p)
	update := expr.NewUpdate(conds.builder)
	conds.requireItem()
	conds.requireType(errs.NotFound)
	var labels []string
	for _, f := range c.counts {
		if f.delta == 0 {
			continue
		}
		labels = append(labels, f.counted.Label())
		update.ChangeAttribute(expr.Add, f.counted.Field.Name, f.number())
		if f.delta < 0 {
			least := &types.AttributeValueMemberN{Value: strconv.FormatInt(-f.delta, 10)}
			conds.parts = append(conds.parts, conds.builder.Name(f.counted.Field.Name)+" >= "+conds.builder.Value(least))
		}
	}
	if v := p.Version; v != nil {
		update.ChangeAttribute(expr.Add, v.Name, &types.AttributeValueMemberN{Value: "1"})
	}
	text, err := update.Text()
	if err != nil {
		return op.Action{}, err
	}
	a := op.Action{Verb: op.Update, Plan: p, Table: c.first.Table, Member: c.first.Member, Key: c.first.Key, Update: text}
	err = conds.addTo(&a)
	a.Check.Counting = strings.Join(labels, ", ")
	a.Check.Planned, a.Check.PlannedRead = c.first.Check.Planned, c.first.Check.PlannedRead
	return a, err
}

// addTo adds the change to an action of another operation on the counting item.
func (c *countChange) addTo(a *op.Action) error {
	switch a.Verb {
	case op.Update:
		return c.addToUpdate(a)
	case op.Put:
		return c.addToPut(a)
	case op.Check:
		return c.addToCheck(a)
	default: // the counting item is deleted
		return nil
	}
}

// The prefixes of the placeholders that are added to an action.
const (
	countName  = "#c"
	countValue = ":c"
)

// addToUpdate adds the change to an update. Its condition already requires the item.
func (c *countChange) addToUpdate(a *op.Action) error {
	if !c.any() {
		return nil
	}
	a.Names, a.Values = maps.Clone(a.Names), maps.Clone(a.Values)
	if a.Names == nil {
		a.Names = map[string]string{}
	}
	if a.Values == nil {
		a.Values = op.Item{}
	}
	var clauses []string
	for i, f := range c.counts {
		if f.delta == 0 {
			continue
		}
		name, value := countName+strconv.Itoa(i), countValue+strconv.Itoa(i)
		a.Names[name], a.Values[value] = f.counted.Field.Name, f.number()
		clauses = append(clauses, name+" "+value)
		if f.delta < 0 {
			least := value + "least"
			a.Values[least] = &types.AttributeValueMemberN{Value: strconv.FormatInt(-f.delta, 10)}
			a.Condition += " AND " + name + " >= " + least
		}
	}
	a.Update = expr.JoinAdd(a.Update, strings.Join(clauses, ", "))
	a.Idempotent = false
	if err := expr.CheckCondition(a.Condition); err != nil {
		return err
	}
	return nil
}

// addToCheck turns a condition check into an update of the item.
func (c *countChange) addToCheck(a *op.Action) error {
	if !c.any() {
		return nil
	}
	a.Verb = op.Update
	if v := a.Plan.Version; v != nil {
		a.Names, a.Values = maps.Clone(a.Names), maps.Clone(a.Values)
		if a.Values == nil {
			a.Values = op.Item{}
		}
		a.Names["#cv"], a.Values[":cv"] = v.Name, &types.AttributeValueMemberN{Value: "1"}
		a.Update = "ADD #cv :cv"
	}
	return c.addToUpdate(a)
}

// addToPut adds the change to the counts of an item that is stored as a whole.
func (c *countChange) addToPut(a *op.Action) error {
	a.Item = maps.Clone(a.Item) // the transaction may be planned again from the same action
	for _, f := range c.counts {
		field, n := f.counted.Field, int64(0)
		if stored, ok := a.Item[field.Name].(*types.AttributeValueMemberN); ok {
			var err error
			if n, err = strconv.ParseInt(stored.Value, 10, 64); err != nil {
				return errs.Wrap(field.Name, err)
			}
		}
		if n += f.delta; n < 0 {
			return errs.New(field.Name, "the count would become negative", "set it to the number of the items")
		}
		av := &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
		if err := field.Decode(av, a.Entity); err != nil {
			return errs.Wrap(field.Name, err)
		}
		if a.Item[field.Name] = av; n == 0 && field.OmitZero {
			delete(a.Item, field.Name)
		}
	}
	return nil
}

// requireCounts requires that a put does not change the counts of the item: the stored ones are
// those of the entity.
func (c *conditions) requireCounts(entity codec.Ptr) error {
	for _, f := range c.plan.Counters {
		var state op.ExampleValue
		if f.IsZero(entity) {
			state = zeroOf(f)
		} else {
			av, err := encodeField(f, entity)
			if err != nil {
				return err
			}
			state = valueOf(f.Name, av, false)
		}
		c.require(state)
		c.repeatable++
		c.check.Counts = append(c.check.Counts, state)
	}
	return nil
}

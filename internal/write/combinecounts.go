package write

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

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
	var wrong errs.Problems
	for i := range list {
		a := &list[i]
		id := a.Identity(table)
		c := changes[id]
		if a.Guard != nil || c == nil && !a.MovesCounts {
			continue
		}
		if c == nil {
			c = &countChange{}
		}
		delete(changes, id)
		wrong.AddAt(op.Place(a.Member), c.addTo(a))
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	for _, id := range order {
		c := changes[id]
		if c == nil {
			continue
		}
		a, needed, err := c.action()
		if err != nil {
			return nil, err
		}
		if needed {
			list = append(list, a)
		}
	}
	return list, nil
}

// countChange is the sum of the changes of the counts in one item.
type countChange struct {
	first   op.Action
	members op.Counting
	counts  []fieldCount
	planned []op.Expected // that the item exists, for the items that are no longer counted
}

// fieldCount is the change of one count.
type fieldCount struct {
	counted *core.Counted
	more    int64 // items that become counted: the counting item must exist
	fewer   int64 // items that are no longer counted
}

func (f fieldCount) delta() int64 { return f.more - f.fewer }

func (c *countChange) add(a *op.Action) {
	c.planned = append(c.planned, a.Check.Planned...)
	i := slices.IndexFunc(c.counts, func(f fieldCount) bool { return f.counted.Field == a.Count.Counted.Field })
	if i < 0 {
		i = len(c.counts)
		c.counts = append(c.counts, fieldCount{counted: a.Count.Counted})
	}
	if d := a.Count.Delta; d > 0 {
		c.counts[i].more += d
		c.members.More = append(c.members.More, a.Member)
	} else {
		c.counts[i].fewer -= d
		c.members.Fewer = append(c.members.Fewer, a.Member)
	}
}

// any reports whether a count changes.
func (c *countChange) any() bool {
	return slices.ContainsFunc(c.counts, func(f fieldCount) bool { return f.delta() != 0 })
}

// more reports whether items become counted, fewer whether items are no longer counted.
func (c *countChange) more() bool {
	return slices.ContainsFunc(c.counts, func(f fieldCount) bool { return f.more > 0 })
}

func (c *countChange) fewer() bool {
	return slices.ContainsFunc(c.counts, func(f fieldCount) bool { return f.fewer > 0 })
}

// label names the counts in errors.
func (c *countChange) label() string {
	labels := make([]string, len(c.counts))
	for i, f := range c.counts {
		labels[i] = f.counted.Label()
	}
	return strings.Join(labels, ", ")
}

// action returns an update of the counting item, which must exist. If no count changes, it returns
// a check that the item exists. No action is needed if no item becomes counted either.
func (c *countChange) action() (a op.Action, needed bool, err error) {
	p := c.first.Plan
	conds := newConditions(p)
	conds.expiry = c.first.Check.Expiry
	update := expr.NewUpdate(conds.builder)
	conds.requireItem()
	conds.requireUnexpired()
	conds.requireType(errs.NotFound)
	before := len(conds.parts)
	for _, f := range c.counts {
		if f.delta() == 0 {
			continue
		}
		update.ChangeAttribute(expr.Add, f.counted.Field.Name, numberOf(f.delta()))
		if f.delta() < 0 {
			conds.parts = append(conds.parts, conds.builder.Name(f.counted.Field.Name)+" >= "+conds.builder.Value(numberOf(-f.delta())))
		}
	}
	c.members.Enough = conjunction(conds.parts[before:])
	a = op.Action{Verb: op.Check, Plan: p, Table: c.first.Table, Member: c.first.Member, Key: c.first.Key}
	if c.any() {
		if v := p.Version; v != nil {
			update.ChangeAttribute(expr.Add, v.Name, numberOf(1))
		}
		if a.Update, err = update.Text(); err != nil {
			return op.Action{}, false, err
		}
		a.Verb = op.Update
	}
	conds.requireNotNull(update)
	err = conds.addTo(&a)
	c.members.Label = c.label()
	a.Check.Counting, a.Check.Planned = &c.members, c.planned
	return a, c.any() || c.more(), err
}

// addTo adds the change to an action of another operation on the counting item.
func (c *countChange) addTo(a *op.Action) error {
	a.Names, a.Values = maps.Clone(a.Names), maps.Clone(a.Values)
	if a.Names == nil {
		a.Names = map[string]string{}
	}
	if a.Values == nil {
		a.Values = op.Item{}
	}
	if a.Verb != op.Delete && len(c.counts) > 0 {
		c.members.Label = c.label()
		a.Check.Joined = &c.members
	}
	var err error
	switch a.Verb {
	case op.Update:
		err = c.addToUpdate(a)
	case op.Put:
		err = c.addToPut(a)
	case op.Check:
		err = c.addToCheck(a)
	default:
		err = c.addToDelete(a)
	}
	if err == nil {
		err = expr.CheckCondition(a.Condition)
	}
	if len(a.Names) == 0 { // DynamoDB rejects empty maps
		a.Names = nil
	}
	if len(a.Values) == 0 {
		a.Values = nil
	}
	return err
}

// The prefixes of the placeholders that are added to an action.
const (
	countName      = "#c"
	countValue     = ":c"
	countExistence = "#ce"
	countNull      = ":cn"
)

// addRequirement adds a condition to an action.
func addRequirement(a *op.Action, condition string) {
	if a.Condition != "" {
		condition = a.Condition + " AND " + condition
	}
	a.Condition, a.Idempotent = condition, false
}

// requireEnough requires that no count becomes negative. If items are no longer counted, it also
// requires that the counting item exists, as they were planned.
func (c *countChange) requireEnough(a *op.Action) {
	if !c.fewer() {
		return
	}
	partition := a.Plan.Schema.Partition.Name
	a.Names[countExistence] = partition
	addRequirement(a, "attribute_exists("+countExistence+")")
	var enough []string
	for i, f := range c.counts {
		if f.delta() < 0 {
			name, value := countName+strconv.Itoa(i), countValue+strconv.Itoa(i)+"least"
			a.Names[name], a.Values[value] = f.counted.Field.Name, numberOf(-f.delta())
			enough = append(enough, name+" >= "+value)
		}
	}
	if enough != nil {
		c.members.Enough = conjunction(enough)
		addRequirement(a, c.members.Enough)
	}
	a.Check.Planned = slices.Concat(a.Check.Planned, c.planned)
}

// addToUpdate adds the change to an update.
func (c *countChange) addToUpdate(a *op.Action) error {
	c.requireEnough(a)
	var clauses []string
	for i, f := range c.counts {
		if f.delta() != 0 {
			name, value := countName+strconv.Itoa(i), countValue+strconv.Itoa(i)
			a.Values[value] = numberOf(f.delta())
			if text, ok := addToDefault(a, f.counted.Field.Name, value); ok { // of an upsert
				a.Update, a.Idempotent = text, false
				continue
			}
			a.Names[name], a.Values[countNull] = f.counted.Field.Name, &types.AttributeValueMemberNULL{Value: true}
			clauses = append(clauses, name+" "+value)
			addRequirement(a, name+" <> "+countNull)
			a.Check.NotNull = append(slices.Clip(a.Check.NotNull), &core.BoundPath{Attribute: f.counted.Field.Name})
		}
	}
	if clauses != nil {
		a.Update, a.Idempotent = expr.JoinAdd(a.Update, strings.Join(clauses, ", ")), false
	}
	return nil
}

// addToDefault returns the update of an action in which a value is added to the default of an
// attribute, if it has one.
func addToDefault(a *op.Action, attribute, value string) (update string, ok bool) {
	for name, of := range a.Names {
		if of == attribute {
			if update, ok = expr.AddToDefault(a.Update, name, value); ok {
				return update, true
			}
		}
	}
	return "", false
}

// addToCheck turns a condition check into an update of the item, if a count changes.
func (c *countChange) addToCheck(a *op.Action) error {
	if !c.any() {
		return nil
	}
	a.Verb = op.Update
	if v := a.Plan.Version; v != nil {
		a.Names["#cv"], a.Values[":cv"], a.Values[countNull] = v.Name, numberOf(1), &types.AttributeValueMemberNULL{Value: true}
		a.Update = "ADD #cv :cv"
		addRequirement(a, "#cv <> "+countNull)
		a.Check.NotNull = append(slices.Clip(a.Check.NotNull), &core.BoundPath{Attribute: v.Name})
	}
	return c.addToUpdate(a)
}

// addToPut adds the change to the counts of an item that is stored as a whole. A new item counts
// only the items that become counted, because those that are no longer counted were not counted
// before.
func (c *countChange) addToPut(a *op.Action) error {
	isNew := a.Check.MustNotExist
	if !isNew {
		c.requireEnough(a)
	}
	item := maps.Clone(a.Item.Map()) // the transaction may be planned again from the same action
	for _, f := range c.counts {
		field, n := f.counted.Field, int64(0)
		if stored, ok := item[field.Name].(*types.AttributeValueMemberN); ok {
			var err error
			if n, err = strconv.ParseInt(stored.Value, 10, 64); err != nil {
				return errs.Wrap(field.Name, err)
			}
		}
		if n += f.more; !isNew {
			n = max(0, n-f.fewer) // requireEnough requires that it is not negative
		}
		av := numberOf(n)
		if err := field.Decode(av, a.Entity); err != nil {
			return errs.Wrap(field.Name, err)
		}
		item[field.Name] = av
	}
	a.Item = op.NewContent(item)
	return nil
}

// addToDelete adds the change to the deletion of the counting item. A move may leave no counted
// items behind: the stored counts must be the numbers of those that the same transaction takes
// away.
func (c *countChange) addToDelete(a *op.Action) error {
	if c.more() {
		return errs.New("", "another operation of the transaction writes an item that this one counts", "delete one, or neither")
	}
	if !a.MovesCounts {
		return nil
	}
	for i, field := range a.Plan.Counters {
		name, value := countName+strconv.Itoa(i), countValue+strconv.Itoa(i)
		n := c.fewerOf(field)
		a.Names[name], a.Values[value] = field.Name, numberOf(n)
		state := op.ExampleValue{Attribute: field.Name, Absent: n == 0, Null: n == 0, Values: []types.AttributeValue{numberOf(n)}}
		condition := name + " = " + value
		if n == 0 {
			a.Values[countNull] = &types.AttributeValueMemberNULL{Value: true}
			condition = "(attribute_not_exists(" + name + ") OR " + name + " = " + countNull + " OR " + condition + ")"
		}
		addRequirement(a, condition)
		a.Check.Moved = append(slices.Clip(a.Check.Moved), state)
	}
	return nil
}

// fewerOf returns the number of items that a field no longer counts.
func (c *countChange) fewerOf(field *codec.Field) int64 {
	for _, f := range c.counts {
		if f.counted.Field == field {
			return f.fewer
		}
	}
	return 0
}

package write

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
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
	first  op.Action
	counts []fieldCount
	reads  []int // the reads of those whose items are no longer counted: the counting item exists
	// moreOf are the members of the operation whose items become counted: the counting item must
	// exist. fewerOf are those whose items are no longer counted, where it exists: its counts must
	// not become negative.
	moreOf, fewerOf []int
}

// fieldCount is the change of one count.
type fieldCount struct {
	counted *core.Counted
	more    int64 // items that become counted: the counting item must exist
	fewer   int64 // items that are no longer counted
}

func (f fieldCount) delta() int64 { return f.more - f.fewer }

func (c *countChange) add(a *op.Action) {
	for _, l := range a.Clauses {
		c.reads = append(c.reads, l.Read)
	}
	i := slices.IndexFunc(c.counts, func(f fieldCount) bool { return f.counted.Field == a.Count.Counted.Field })
	if i < 0 {
		i = len(c.counts)
		c.counts = append(c.counts, fieldCount{counted: a.Count.Counted})
	}
	if d := a.Count.Delta; d > 0 {
		c.counts[i].more += d
		c.moreOf = append(c.moreOf, a.Member)
	} else {
		c.counts[i].fewer -= d
		c.fewerOf = append(c.fewerOf, a.Member)
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
	conds.expiry = c.first.Expiry
	update := expr.NewUpdate()
	missing := c.missing()
	missing.Pred = conds.anItem()
	conds.add(missing)
	conds.requireUnexpired()
	own := clause.And{missing.Pred}
	if attribute := p.Schema.TypeAttr; p.Shared && attribute != "" { // an item of another type counts nothing
		missing.Pred = valueOf(attribute, &types.AttributeValueMemberS{Value: p.Name}, true)
		conds.add(missing)
		own = append(own, missing.Pred)
	}
	others := c.reads
	if !c.more() { // the clauses above repeat the first one
		others = others[1:]
	}
	for _, read := range others {
		conds.add(clause.Clause{Pred: own, Rank: clause.Read, Then: clause.Replan, Read: read, Implied: true})
	}
	for _, f := range c.counts {
		if f.delta() == 0 {
			continue
		}
		update.ChangeAttribute(expr.Add, f.counted.Field.Name, numberOf(f.delta()))
		if f.delta() < 0 {
			conds.add(c.enough(f))
		}
	}
	a = op.Action{Verb: op.Check, Plan: p, Table: c.first.Table, Member: c.first.Member, Key: c.first.Key, Counts: c.label()}
	if c.any() {
		if v := p.Version; v != nil {
			update.ChangeAttribute(expr.Add, v.Name, numberOf(1))
		}
		a.Verb, a.Changes = op.Update, update
	}
	at := len(conds.clauses)
	conds.requireNotNull(update)
	for i := range conds.clauses[at:] {
		conds.clauses[at+i].Members = slices.Concat(c.moreOf, c.fewerOf)
	}
	err = conds.addTo(&a)
	return a, c.any() || c.more(), err
}

// missing returns the clause that the counting item exists, without its predicate. Without the
// item, those whose items become counted fail. Those whose items are no longer counted are planned
// again: nothing counts them.
func (c *countChange) missing() clause.Clause {
	l := clause.Clause{
		Fails: errs.NotFound, Rank: clause.Existence, Then: clause.Depend, Members: c.moreOf,
		Reason: "the item that counts it (" + c.label() + ") does not exist", Cure: "create it first",
	}
	if !c.more() {
		l.Then, l.Members, l.Read = clause.Replan, c.fewerOf, c.reads[0]
	}
	return l
}

// enough returns the clause that a count does not become negative.
func (c *countChange) enough(f fieldCount) clause.Clause {
	return clause.Clause{
		Pred:  clause.Attribute(f.counted.Field.Name, clause.Ge, numberOf(-f.delta())),
		Fails: errs.Condition, Rank: clause.Enough, Then: clause.Depend, Members: c.fewerOf,
		Cure: "the count " + c.label() + " would become negative: it does not agree with the items, and query.Recount corrects it",
	}
}

// addTo adds the change to an action of another operation on the counting item.
func (c *countChange) addTo(a *op.Action) error {
	if a.Verb != op.Delete && c.more() {
		a.Require(c.missingToo(a)...)
	}
	var err error
	switch a.Verb {
	case op.Update:
		c.addToUpdate(a)
	case op.Put:
		err = c.addToPut(a)
	case op.Check:
		c.addToCheck(a)
	default:
		err = c.addToDelete(a)
	}
	if err == nil {
		err = a.Check()
	}
	return err
}

// missingToo returns the clauses of an action that fail if the item is missing, as those of the
// operations whose items become counted.
func (c *countChange) missingToo(a *op.Action) (list []clause.Clause) {
	for _, l := range a.Clauses {
		if l.Rank <= clause.Existence && errors.Is(l.Fails, errs.NotFound) {
			own := c.missing()
			own.Pred, own.Rank, own.Implied = l.Pred, l.Rank, true
			list = append(list, own)
		}
	}
	return list
}

// requireEnough requires that no count becomes negative. If items are no longer counted, it also
// requires that the counting item exists, as they were planned.
func (c *countChange) requireEnough(a *op.Action) {
	if !c.fewer() {
		return
	}
	a.Idempotent = false
	item := clause.AnItem{Key: &a.Plan.Schema.Partition}
	for i, read := range c.reads {
		a.Require(clause.Clause{Pred: item, Fails: errs.Condition, Rank: clause.Read, Then: clause.Replan, Read: read, Implied: i > 0 || requires(a, item)})
	}
	for _, f := range c.counts {
		if f.delta() < 0 {
			a.Require(c.enough(f))
		}
	}
}

// requires reports whether a clause of an action is sent.
func requires(a *op.Action, p clause.Pred) bool {
	return slices.ContainsFunc(a.Clauses, func(l clause.Clause) bool { return !l.Implied && clause.Same(l.Pred, p) })
}

// addToUpdate adds the change to an update.
func (c *countChange) addToUpdate(a *op.Action) {
	c.requireEnough(a)
	update := a.Change()
	for _, f := range c.counts {
		if n := f.delta(); n != 0 {
			a.Idempotent = false
			update.AddTo(f.counted.Field.Name, numberOf(n))
			c.requireNotNull(a, f.counted.Field.Name)
		}
	}
}

// requireNotNull requires that a number does not hold NULL, unless the update changes that anyway.
func (c *countChange) requireNotNull(a *op.Action, attribute string) {
	at := &core.BoundPath{Attribute: attribute}
	if l := notNull(at); !requires(a, l.Pred) {
		a.Require(l)
	}
}

// addToCheck turns a condition check into an update of the item, if a count changes.
func (c *countChange) addToCheck(a *op.Action) {
	if !c.any() {
		return
	}
	a.Verb, a.Idempotent = op.Update, false
	if v := a.Plan.Version; v != nil {
		a.Change().AddTo(v.Name, numberOf(1))
		c.requireNotNull(a, v.Name)
	}
	c.addToUpdate(a)
}

// addToPut adds the change to the counts of an item that is stored as a whole. A new item counts
// only the items that become counted, because those that are no longer counted were not counted
// before.
func (c *countChange) addToPut(a *op.Action) error {
	isNew := mustBeNew(a)
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

// mustBeNew reports whether a write creates its item.
func mustBeNew(a *op.Action) bool {
	return slices.ContainsFunc(a.Clauses, func(l clause.Clause) bool { return l.Rank == clause.Existence && errors.Is(l.Fails, errs.Exists) })
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
	for _, field := range a.Plan.Counters {
		n := c.leaving(field)
		a.Require(clause.Clause{
			Pred:  &clause.State{Attribute: field.Name, Absent: n == 0, Null: n == 0, Values: []types.AttributeValue{numberOf(n)}},
			Fails: errs.Condition, Rank: clause.Moved, Then: clause.Depend,
			Cure: "it counts items that would stay with the old key: move them in the same transaction, or create the new item, move them one by one, and delete the old item",
		})
	}
	return nil
}

// leaving returns the number of items that a field no longer counts.
func (c *countChange) leaving(field *codec.Field) int64 {
	for _, f := range c.counts {
		if f.counted.Field == field {
			return f.fewer
		}
	}
	return 0
}

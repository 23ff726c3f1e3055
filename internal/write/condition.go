package write

import (
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// conditions collects the conditions of a write, which are joined by AND, and what their failure
// means.
type conditions struct {
	plan *core.Plan
	once bool // the conditions do not hold after the write
	// repeatable is the number of clauses that still hold after the write if they held before.
	repeatable int
	clauses    []clause.Clause
	buffer     [4]clause.Clause
	expiry     core.Expiry // expired items count as none; zero: they exist
	aware      bool        // a clause tells an expired item from others
	creates    bool        // the write creates the item
}

func newConditions(p *core.Plan) *conditions {
	c := &conditions{plan: p}
	c.clauses = c.buffer[:0]
	return c
}

// add adds a clause.
func (c *conditions) add(l clause.Clause) {
	if l.Fails == nil {
		l.Fails = errs.Condition
	}
	c.clauses = append(c.clauses, l)
}

// sent returns the number of clauses that are sent.
func (c *conditions) sent() int { return clause.Sent(c.clauses) }

// requireItem requires that the item exists, as an update does. If other clauses require an item
// already, it is not sent.
func (c *conditions) requireItem() {
	c.add(clause.Clause{Pred: c.anItem(), Fails: errs.NotFound, Rank: clause.Existence, Implied: clause.NeedItem(c.clauses)})
}

// requireThere requires that the item exists. Without it, the error is no other than that of any
// false clause.
func (c *conditions) requireThere() { c.add(clause.Clause{Pred: c.anItem(), Rank: clause.Called}) }

// requireRead requires that the item that was read still exists, or still does not if it is nil.
// The error is fails.
func (c *conditions) requireRead(stored op.Item, fails error) {
	if stored == nil {
		c.once = true
		c.add(clause.Clause{Pred: c.noItem(), Fails: fails, Rank: clause.Read, Then: clause.Replan})
		return
	}
	sent := slices.ContainsFunc(c.clauses, func(l clause.Clause) bool { return !l.Implied && l.Pred == clause.Pred(c.anItem()) })
	c.add(clause.Clause{Pred: c.anItem(), Fails: fails, Rank: clause.Read, Then: clause.Replan, Implied: sent})
}

func (c *conditions) anItem() clause.AnItem { return clause.AnItem{Key: &c.plan.Schema.Partition} }

func (c *conditions) noItem() clause.NoItem { return clause.NoItem{Key: &c.plan.Schema.Partition} }

// requireVersion requires that the item has version n.
func (c *conditions) requireVersion(n int64) {
	v, av := c.plan.Version, &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	c.once = true
	c.add(clause.Clause{Pred: clause.Value(v.Name, av), Fails: errs.Stale, Rank: clause.Version})
}

// requireNoVersion requires that there is no item, or an item of the type without a version: the
// attribute is absent, NULL or zero.
func (c *conditions) requireNoVersion() {
	v := c.plan.Version
	c.once = true
	c.add(clause.Clause{Pred: zeroOf(v), Fails: errs.Stale, Rank: clause.Version})
	if !c.plan.Shared { // for a shared plan, the caller calls requireType
		c.requireOwnType(errs.Exists)
	}
}

// valueOf returns the state of an attribute that has the value, or none if av is nil. With orAbsent
// it may also be absent.
func valueOf(attribute string, av types.AttributeValue, orAbsent bool) *clause.State {
	s := clause.Value(attribute, av)
	s.Absent = s.Absent || orAbsent
	return s
}

// zeroOf returns the states of an attribute that decode to the field's zero value: absent, NULL or
// zero.
func zeroOf(f *codec.Field) *clause.State { return absentOr(f, true, f.ZeroForm()) }

// absentOf returns the states of an attribute that decode to an absent key member, and own if it is
// not nil.
func absentOf(f *codec.Field, own types.AttributeValue) *clause.State {
	null, zeros := f.AbsentForms()
	return absentOr(f, null, append(zeros, own)...)
}

// absentOr returns the states of an attribute that is absent, has one of the non-nil values, or is
// NULL if null is true.
func absentOr(f *codec.Field, null bool, values ...types.AttributeValue) *clause.State {
	state := &clause.State{Attribute: f.Name, Absent: true, Null: null}
	for _, av := range values {
		if av == nil || codec.WireOf(av) == codec.WireNULL {
			continue
		}
		if !slices.ContainsFunc(state.Values, func(known types.AttributeValue) bool { return core.SameValue(known, av) }) {
			state.Values = append(state.Values, av)
		}
	}
	return state
}

// require requires that an attribute is in one of the given states.
func (c *conditions) require(state *clause.State) {
	c.add(clause.Clause{Pred: state, Rank: clause.Called})
}

// requireStored requires that an attribute is as it was read.
func (c *conditions) requireStored(attribute string, stored types.AttributeValue) {
	c.add(clause.Clause{Pred: clause.Value(attribute, stored), Rank: clause.Read, Then: clause.Replan})
}

// requireExample is require for a state that the example implies.
func (c *conditions) requireExample(state *clause.State) {
	c.add(clause.Clause{Pred: state, Rank: clause.Called, Cure: "the stored item has another value of " + state.Attribute +
		" than the example, or the same value in another form; a zero of the example counts if it has a version or is used with AsRead: " +
		"read the item again, or use With(entity.ReadFirst())"})
}

// requireParent requires that the parent of a changed path exists and is a map or a list. If it
// does not, this conditional check fails. Without it, DynamoDB would return a validation error.
func (c *conditions) requireParent(b *core.BoundPath) {
	last := len(b.Elements) - 1
	above := *b
	above.Elements = b.Elements[:last]
	parent := clause.Kind{At: &above, List: b.Elements[last].Name == ""}
	if slices.ContainsFunc(c.clauses, func(l clause.Clause) bool { return clause.Same(l.Pred, parent) }) {
		return
	}
	kind := "map"
	if parent.List {
		kind = "list"
	}
	c.add(clause.Clause{Pred: parent, Rank: clause.Called, Cure: "the update changes a part of " + above.String() + ", where no " + kind +
		" is stored: Set the whole attribute first"})
}

// requireNotNull requires that the places whose stored value an update uses do not hold NULL. If
// one does, it is removed before the update is sent again. A member of the table's key is never
// nil.
func (c *conditions) requireNotNull(u *expr.Update) {
	for _, at := range u.Reads() {
		if f := c.plan.Shape.ByName(at.Attribute); f != nil && c.plan.TableMember(f) {
			continue
		}
		c.add(notNull(at))
	}
}

// notNull returns the clause that a place does not hold NULL.
func notNull(at *core.BoundPath) clause.Clause {
	return clause.Clause{
		Pred: clause.NotNull{At: at}, Fails: errs.Condition, Rank: clause.Null, Then: clause.Unset,
		Cure: "other writers store NULL in " + at.String() + " at the same time: repeat the call",
	}
}

// requireType requires that the item is not of another type if types share the table's keys. The
// error for an item of another type is other.
func (c *conditions) requireType(other error) {
	if c.plan.Shared {
		c.requireOwnType(other)
	}
}

// requireOwnType requires that the item's type attribute is absent or names this type.
func (c *conditions) requireOwnType(other error) {
	attribute := c.plan.Schema.TypeAttr
	if attribute == "" {
		return
	}
	own := &types.AttributeValueMemberS{Value: c.plan.Name}
	c.add(clause.Clause{Pred: valueOf(attribute, own, true), Fails: other, Rank: clause.OtherType})
}

// addConds adds the caller's conditions.
func (c *conditions) addConds(conds []*expr.Cond) error {
	var wrong errs.Problems
	for _, cond := range conds {
		p, err := expr.Compile(c.plan, cond)
		if err != nil {
			wrong.AddErr("", err)
			continue
		}
		c.add(clause.Clause{Pred: clause.Caller{Pred: p}, Rank: clause.Called})
	}
	return wrong.Err()
}

// addTo sets the condition of the action. It checks the limits of DynamoDB.
func (c *conditions) addTo(a *op.Action) error {
	a.Clauses, a.Expiry = c.clauses, c.expiry
	return a.Check()
}

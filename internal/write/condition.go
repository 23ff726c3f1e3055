package write

import (
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

// conditions collects the conditions of a write, which are joined by AND, and what their failure
// means.
type conditions struct {
	plan    *core.Plan
	builder *expr.Builder
	parts   []string
	parents map[string]bool // the paths that requireParent has added
	once    bool            // the conditions do not hold after the write
	// repeatable is the number of parts that still hold after the write if they held before.
	repeatable int
	check      op.ConditionCheck
	expiry     core.Expiry // expired items count as none; zero: they exist
}

func newConditions(p *core.Plan) *conditions { return &conditions{plan: p, builder: expr.NewBuilder()} }

// requireItem requires that the item exists. Every item has the partition key attribute.
func (c *conditions) requireItem() {
	c.parts = append(c.parts, "attribute_exists("+c.builder.Name(c.plan.Schema.Partition.Name)+")")
}

// requireNoItem requires that the item does not exist.
func (c *conditions) requireNoItem() {
	c.once = true
	c.require(valueOf(c.plan.Schema.Partition.Name, nil, false))
}

// requireVersion requires that the item has version n.
func (c *conditions) requireVersion(n int64) {
	v, av := c.plan.Version, &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	c.once = true
	c.require(valueOf(v.Name, av, false))
	c.check.Stale, c.check.VersionAttribute, c.check.ExpectedVersion = true, v.Name, av
}

// requireNoVersion requires that there is no item, or an item of the type without a version: the
// attribute is absent, NULL or zero.
func (c *conditions) requireNoVersion() {
	v := c.plan.Version
	c.once = true
	c.require(zeroOf(v))
	c.check.Stale, c.check.VersionAttribute, c.check.ZeroVersion = true, v.Name, v.ZeroForm()
	if !c.plan.Shared { // for a shared plan, the caller calls requireType
		c.requireOwnType(errs.Exists)
	}
}

// valueOf returns the state of an attribute that has the value, or none if av is nil. With orAbsent
// it may also be absent.
func valueOf(attribute string, av types.AttributeValue, orAbsent bool) op.ExampleValue {
	if av == nil {
		return op.ExampleValue{Attribute: attribute, Absent: true}
	}
	return op.ExampleValue{Attribute: attribute, Absent: orAbsent, Values: []types.AttributeValue{av}}
}

// zeroOf returns the states of an attribute that decode to the field's zero value: absent, NULL or
// zero.
func zeroOf(f *codec.Field) op.ExampleValue { return absentOr(f, true, f.ZeroForm()) }

// absentOf returns the states of an attribute that decode to an absent key member, and own if it is
// not nil.
func absentOf(f *codec.Field, own types.AttributeValue) op.ExampleValue {
	null, zeros := f.AbsentForms()
	return absentOr(f, null, append(zeros, own)...)
}

// absentOr returns the states of an attribute that is absent, has one of the non-nil values, or is
// NULL if null is true.
func absentOr(f *codec.Field, null bool, values ...types.AttributeValue) op.ExampleValue {
	state := op.ExampleValue{Attribute: f.Name, Absent: true, Null: null}
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
func (c *conditions) require(state op.ExampleValue) {
	n := c.builder.Name(state.Attribute)
	var buffer [3]string
	forms := buffer[:0]
	if state.Absent {
		forms = append(forms, "attribute_not_exists("+n+")")
	}
	if state.Null {
		forms = append(forms, "attribute_type("+n+", "+c.builder.Value(&types.AttributeValueMemberS{Value: "NULL"})+")")
	}
	for _, av := range state.Values {
		forms = append(forms, n+" = "+c.builder.Value(av))
	}
	text := strings.Join(forms, " OR ")
	if len(forms) > 1 {
		text = "(" + text + ")"
	}
	c.parts = append(c.parts, text)
}

// requireExample is require for a state that the example implies. It is recorded to explain a
// failed condition.
func (c *conditions) requireExample(state op.ExampleValue) {
	c.require(state)
	c.check.Example = append(c.check.Example, state)
}

// requireParent requires that the parent of a changed path exists and is a map or a list. If it
// does not, this conditional check fails. Without it, DynamoDB would return a validation error.
func (c *conditions) requireParent(b *core.BoundPath) {
	last := len(b.Elements) - 1
	above := *b
	above.Elements = b.Elements[:last]
	parent := op.Parent{At: &above, List: b.Elements[last].Name == ""}
	kind := "M"
	if parent.List {
		kind = "L"
	}
	path := c.builder.Path(&above)
	if c.parents[path] {
		return
	}
	if c.parents == nil {
		c.parents = map[string]bool{}
	}
	c.parents[path] = true
	c.check.Parents = append(c.check.Parents, parent)
	c.parts = append(c.parts, "attribute_type("+path+", "+c.builder.Value(&types.AttributeValueMemberS{Value: kind})+")")
}

// requireNotNull requires that the places whose stored value an update uses do not hold NULL. If
// one does, it is removed before the update is sent again. A member of the table's key is never
// nil.
func (c *conditions) requireNotNull(u *expr.Update) {
	for _, at := range u.Reads() {
		if f := c.plan.Shape.ByName(at.Attribute); f != nil && c.plan.TableMember(f) {
			continue
		}
		c.parts = append(c.parts, c.builder.IsNull(expr.Ne, at))
		c.check.NotNull = append(c.check.NotNull, at)
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
	c.require(valueOf(attribute, own, true))
	c.check.ItemType, c.check.OtherType = &op.Expected{Attribute: attribute, Value: own}, other
}

// addConds adds the caller's conditions.
func (c *conditions) addConds(conds []*expr.Cond) error {
	var wrong errs.Problems
	before := len(c.parts)
	for _, cond := range conds {
		text, err := expr.Condition(c.builder, c.plan, cond)
		if err != nil {
			wrong.AddErr("", err)
			continue
		}
		c.parts = append(c.parts, "("+text+")")
	}
	own := c.parts[before:]
	if c.check.Caller != "" {
		own = append([]string{c.check.Caller}, own...)
	}
	c.check.Caller = conjunction(own)
	return wrong.Err()
}

func conjunction(parts []string) string { return strings.Join(parts, " AND ") }

// addTo sets the condition, its check and its placeholders in the action. It checks the limits of
// DynamoDB.
func (c *conditions) addTo(a *op.Action) error {
	a.Condition, a.Check = conjunction(c.parts), c.check
	a.Names = c.builder.Names()
	a.Values = c.builder.Values()
	if err := expr.CheckCondition(a.Condition); err != nil {
		return err
	}
	return c.builder.Check()
}

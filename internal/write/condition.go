package write

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

// conditions collects the conditions of a write. They are joined by AND.
type conditions struct {
	plan    *core.Plan
	builder *expr.Builder
	parts   []string

	parents       map[string]bool   // the paths with a condition already
	parentChecks  []op.Parent       // the same paths, to explain a failed condition
	exampleChecks []op.ExampleValue // the example's values in conditions, to explain a failed condition
}

func newConditions(p *core.Plan) *conditions { return &conditions{plan: p, builder: expr.NewBuilder()} }

// requireItem requires that the item exists. Every item has the partition key attribute.
func (c *conditions) requireItem() {
	c.parts = append(c.parts, "attribute_exists("+c.builder.Name(c.plan.Schema.Partition.Name)+")")
}

// requireNoItem requires that the item does not exist.
func (c *conditions) requireNoItem() {
	c.parts = append(c.parts, "attribute_not_exists("+c.builder.Name(c.plan.Schema.Partition.Name)+")")
}

// requireVersion requires that the item has version n.
func (c *conditions) requireVersion(n int64) op.ConditionCheck {
	av := &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	c.requireValue(c.plan.Version.Name, av)
	return op.ConditionCheck{Stale: true, VersionAttribute: c.plan.Version.Name, ExpectedVersion: av}
}

// requireNoVersion requires that there is no item, or an item of the type without a version: the
// attribute is absent, NULL or zero.
func (c *conditions) requireNoVersion() op.ConditionCheck {
	v := c.plan.Version
	c.requireZero(v)
	c.exampleChecks = nil
	why := op.ConditionCheck{Stale: true, VersionAttribute: v.Name, ZeroVersion: v.ZeroForm()}
	if !c.plan.Shared { // for a shared plan, the caller calls ofType
		c.requireOwnType(&why, errs.Exists)
	}
	return why
}

// requireValue requires that an attribute has the given value, or that it is absent if av is nil.
func (c *conditions) requireValue(attribute string, av types.AttributeValue) {
	if av == nil {
		c.parts = append(c.parts, "attribute_not_exists("+c.builder.Name(attribute)+")")
		return
	}
	c.parts = append(c.parts, c.builder.Name(attribute)+" = "+c.builder.Value(av))
}

// requireValueOrAbsent requires that an attribute has the given value or is absent.
func (c *conditions) requireValueOrAbsent(attribute string, av types.AttributeValue) {
	n := c.builder.Name(attribute)
	c.parts = append(c.parts, "(attribute_not_exists("+n+") OR "+n+" = "+c.builder.Value(av)+")")
}

// requireZero requires that a field is absent, NULL or zero. All of these decode to the zero value.
func (c *conditions) requireZero(f *codec.Field) { c.requireOneOf(f.Name, true, f.ZeroForm()) }

// requireAbsent requires that a field decodes to an absent key member or equals own, if own is not
// nil.
func (c *conditions) requireAbsent(f *codec.Field, own types.AttributeValue) {
	null, zero := f.AbsentForms()
	if own == nil || zero != nil && sameStored(own, zero) {
		c.requireOneOf(f.Name, null, zero)
	} else {
		c.requireOneOf(f.Name, null, zero, own)
	}
}

// requireOneOf requires that an attribute is absent, equals one of the non-nil values, or is NULL
// if null is true.
func (c *conditions) requireOneOf(attribute string, null bool, values ...types.AttributeValue) {
	n := c.builder.Name(attribute)
	forms := []string{"attribute_not_exists(" + n + ")"}
	claim := op.ExampleValue{Attribute: attribute, Absent: true, Null: null}
	if null {
		forms = append(forms, "attribute_type("+n+", "+c.builder.Value(&types.AttributeValueMemberS{Value: "NULL"})+")")
	}
	for _, av := range values {
		if av != nil && codec.WireOf(av) != codec.WireNULL {
			forms = append(forms, n+" = "+c.builder.Value(av))
			claim.Values = append(claim.Values, av)
		}
	}
	c.exampleChecks = append(c.exampleChecks, claim)
	text := strings.Join(forms, " OR ")
	if len(forms) > 1 {
		text = "(" + text + ")"
	}
	c.parts = append(c.parts, text)
}

// requireExample requires that an attribute has the example's value.
func (c *conditions) requireExample(attribute string, av types.AttributeValue, orAbsent bool) {
	c.exampleChecks = append(c.exampleChecks, op.ExampleValue{Attribute: attribute, Absent: orAbsent, Values: []types.AttributeValue{av}})
	if orAbsent {
		c.requireValueOrAbsent(attribute, av)
	} else {
		c.requireValue(attribute, av)
	}
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
	c.parentChecks = append(c.parentChecks, parent)
	c.parts = append(c.parts, "attribute_type("+path+", "+c.builder.Value(&types.AttributeValueMemberS{Value: kind})+")")
}

// requireType requires that the item is not of another type if types share the table's keys. The
// error for an item of another type is other.
func (c *conditions) requireType(why *op.ConditionCheck, other error) {
	if c.plan.Shared {
		c.requireOwnType(why, other)
	}
}

// requireOwnType requires that the item's type attribute is absent or names this type.
func (c *conditions) requireOwnType(why *op.ConditionCheck, other error) {
	attribute := c.plan.Schema.TypeAttr
	if attribute == "" {
		return
	}
	is := &types.AttributeValueMemberS{Value: c.plan.Name}
	c.requireValueOrAbsent(attribute, is)
	why.ItemType, why.OtherType = &op.Expected{Attribute: attribute, Value: is}, other
}

// addCallers adds the caller's conditions.
func (c *conditions) addCallers(conds []*expr.Cond) error {
	var wrong errs.Problems
	for _, cond := range conds {
		text, err := expr.Condition(c.builder, c.plan, cond)
		if err != nil {
			wrong.AddErr("", err)
			continue
		}
		c.parts = append(c.parts, "("+text+")")
	}
	return wrong.Err()
}

// setIn sets the condition and its placeholders in the action and checks the limits of DynamoDB.
func (c *conditions) setIn(a *op.Action) error {
	a.Condition = strings.Join(c.parts, " AND ")
	a.Names = c.builder.Names()
	a.Values = c.builder.Values()
	if err := expr.CheckCondition(a.Condition); err != nil {
		return err
	}
	return c.builder.Check()
}

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
	plan  *core.Plan
	b     *expr.Builder
	parts []string

	parents map[string]bool   // the paths with a condition already
	below   []op.Parent       // the same paths, to explain a failed condition
	claims  []op.ExampleValue // the example's values in conditions, to explain a failed condition
}

func newConditions(p *core.Plan) *conditions { return &conditions{plan: p, b: expr.NewBuilder()} }

// exists requires that the item exists. Every item has the partition key attribute.
func (c *conditions) exists() {
	c.parts = append(c.parts, "attribute_exists("+c.b.Name(c.plan.Schema.Partition.Name)+")")
}

// absent requires that the item does not exist.
func (c *conditions) absent() {
	c.parts = append(c.parts, "attribute_not_exists("+c.b.Name(c.plan.Schema.Partition.Name)+")")
}

// version requires that the item has version n.
func (c *conditions) version(n int64) op.ConditionCheck {
	av := &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	c.guard(c.plan.Version.Name, av)
	return op.ConditionCheck{Stale: true, VersionAttribute: c.plan.Version.Name, ExpectedVersion: av}
}

// noVersion requires that there is no item, or an item of the type without a version: the attribute
// is absent, NULL or zero.
func (c *conditions) noVersion() op.ConditionCheck {
	v := c.plan.Version
	c.guardZero(v)
	c.claims = nil
	why := op.ConditionCheck{Stale: true, VersionAttribute: v.Name, ZeroVersion: v.ZeroForm()}
	if !c.plan.Shared { // for a shared plan, the caller calls ofType
		c.ownType(&why, errs.Exists)
	}
	return why
}

// guard requires that an attribute has the given value, or that it is absent if av is nil.
func (c *conditions) guard(attribute string, av types.AttributeValue) {
	if av == nil {
		c.parts = append(c.parts, "attribute_not_exists("+c.b.Name(attribute)+")")
		return
	}
	c.parts = append(c.parts, c.b.Name(attribute)+" = "+c.b.Value(av))
}

// guardOrAbsent requires that an attribute has the given value or is absent.
func (c *conditions) guardOrAbsent(attribute string, av types.AttributeValue) {
	n := c.b.Name(attribute)
	c.parts = append(c.parts, "(attribute_not_exists("+n+") OR "+n+" = "+c.b.Value(av)+")")
}

// guardZero requires that a field is absent, NULL or zero. All of these decode to the zero value.
func (c *conditions) guardZero(f *codec.Field) { c.oneOf(f.Name, true, f.ZeroForm()) }

// guardAbsent requires that a field decodes to an absent key member or equals own, if own is not
// nil.
func (c *conditions) guardAbsent(f *codec.Field, own types.AttributeValue) {
	null, zero := f.AbsentForms()
	if own == nil || zero != nil && sameStored(own, zero) {
		c.oneOf(f.Name, null, zero)
	} else {
		c.oneOf(f.Name, null, zero, own)
	}
}

// oneOf requires that an attribute is absent, equals one of the non-nil values, or is NULL if null
// is true.
func (c *conditions) oneOf(attribute string, null bool, values ...types.AttributeValue) {
	n := c.b.Name(attribute)
	forms := []string{"attribute_not_exists(" + n + ")"}
	claim := op.ExampleValue{Attribute: attribute, Absent: true, Null: null}
	if null {
		forms = append(forms, "attribute_type("+n+", "+c.b.Value(&types.AttributeValueMemberS{Value: "NULL"})+")")
	}
	for _, av := range values {
		if av != nil && codec.WireOf(av) != codec.WireNULL {
			forms = append(forms, n+" = "+c.b.Value(av))
			claim.Values = append(claim.Values, av)
		}
	}
	c.claims = append(c.claims, claim)
	text := strings.Join(forms, " OR ")
	if len(forms) > 1 {
		text = "(" + text + ")"
	}
	c.parts = append(c.parts, text)
}

// claim requires that an attribute has the example's value.
func (c *conditions) claim(attribute string, av types.AttributeValue, orAbsent bool) {
	c.claims = append(c.claims, op.ExampleValue{Attribute: attribute, Absent: orAbsent, Values: []types.AttributeValue{av}})
	if orAbsent {
		c.guardOrAbsent(attribute, av)
	} else {
		c.guard(attribute, av)
	}
}

// parent requires that the parent of a changed path exists and is a map or a list. If it does not,
// this conditional check fails. Without it, DynamoDB would return a validation error.
func (c *conditions) parent(b *core.BoundPath) {
	last := len(b.Elements) - 1
	above := *b
	above.Elements = b.Elements[:last]
	parent := op.Parent{At: &above, List: b.Elements[last].Name == ""}
	kind := "M"
	if parent.List {
		kind = "L"
	}
	path := c.b.Path(&above)
	if c.parents[path] {
		return
	}
	if c.parents == nil {
		c.parents = map[string]bool{}
	}
	c.parents[path] = true
	c.below = append(c.below, parent)
	c.parts = append(c.parts, "attribute_type("+path+", "+c.b.Value(&types.AttributeValueMemberS{Value: kind})+")")
}

// ofType requires that the item is not of another type if types share the table's keys. The error
// for an item of another type is other.
func (c *conditions) ofType(why *op.ConditionCheck, other error) {
	if c.plan.Shared {
		c.ownType(why, other)
	}
}

// ownType requires that the item's type attribute is absent or names this type.
func (c *conditions) ownType(why *op.ConditionCheck, other error) {
	attribute := c.plan.Schema.TypeAttr
	if attribute == "" {
		return
	}
	is := &types.AttributeValueMemberS{Value: c.plan.Name}
	c.guardOrAbsent(attribute, is)
	why.ItemType, why.OtherType = &op.Expected{Attribute: attribute, Value: is}, other
}

// add adds the caller's conditions.
func (c *conditions) add(conds []*expr.Cond) error {
	var wrong errs.Problems
	for _, cond := range conds {
		text, err := expr.Condition(c.b, c.plan, cond)
		if err != nil {
			wrong.AddErr("", err)
			continue
		}
		c.parts = append(c.parts, "("+text+")")
	}
	return wrong.Err()
}

// into sets the condition and its placeholders in the action and checks the limits of DynamoDB.
func (c *conditions) into(a *op.Action) error {
	a.Condition = strings.Join(c.parts, " AND ")
	a.Names = c.b.Names()
	a.Values = c.b.Values()
	if err := expr.CheckCondition(a.Condition); err != nil {
		return err
	}
	return c.b.Check()
}

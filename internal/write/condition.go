package write

import (
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
	"github.com/trestledb/trestle/internal/op"
)

// conditions gathers what a write requires of the item that it meets; all of it must hold.
type conditions struct {
	plan  *core.Plan
	b     *expr.Builder
	parts []string

	parents map[string]bool // the paths that are required already
	below   []op.Parent     // the same, for who explains a failure
}

func newConditions(p *core.Plan) *conditions { return &conditions{plan: p, b: expr.NewBuilder()} }

// exists requires that there is an item: the partition key is the attribute that every item has.
func (c *conditions) exists() {
	c.parts = append(c.parts, "attribute_exists("+c.b.Name(c.plan.Schema.Partition.Name)+")")
}

// absent requires that there is no item.
func (c *conditions) absent() {
	c.parts = append(c.parts, "attribute_not_exists("+c.b.Name(c.plan.Schema.Partition.Name)+")")
}

// version requires the version that the caller read.
func (c *conditions) version(n int64) op.Why {
	av := &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
	c.guard(c.plan.Version.Name, av)
	return op.Why{Stale: true, Version: c.plan.Version.Name, Expect: av}
}

// noVersion requires that the item has no version: there is none, or it was stored without.
func (c *conditions) noVersion() op.Why {
	c.guard(c.plan.Version.Name, nil)
	return op.Why{Stale: true, Version: c.plan.Version.Name}
}

// guard requires that an attribute is as the plan takes it to be; a nil value requires that it is absent.
func (c *conditions) guard(attribute string, av types.AttributeValue) {
	if av == nil {
		c.parts = append(c.parts, "attribute_not_exists("+c.b.Name(attribute)+")")
		return
	}
	c.parts = append(c.parts, c.b.Name(attribute)+" = "+c.b.Value(av))
}

// guardOrAbsent lets an attribute that is absent pass.
func (c *conditions) guardOrAbsent(attribute string, av types.AttributeValue) {
	n := c.b.Name(attribute)
	c.parts = append(c.parts, "(attribute_not_exists("+n+") OR "+n+" = "+c.b.Value(av)+")")
}

// guardZero requires that a field is absent or stored as its zero value: both are read as that. A NULL is too.
func (c *conditions) guardZero(f *codec.Field) {
	n := c.b.Name(f.Name)
	null := c.b.Value(&types.AttributeValueMemberS{Value: "NULL"})
	forms := "attribute_not_exists(" + n + ") OR attribute_type(" + n + ", " + null + ")"
	if zero := f.EncodeZero(); zero != nil && codec.WireOf(zero) != codec.WireNULL {
		forms += " OR " + n + " = " + c.b.Value(zero)
	}
	c.parts = append(c.parts, "("+forms+")")
}

// parent requires that what a change goes below is there, and can hold what is changed: a change below nothing fails this condition,
// where the service would take the request for malformed.
func (c *conditions) parent(b *core.Bound) {
	last := len(b.Places) - 1
	above := *b
	above.Places = b.Places[:last]
	parent := op.Parent{At: &above, List: b.Places[last].Name == ""}
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

// ofType requires, where types share the table's keys on purpose, that no item of another type is met. Other is what meeting one means.
func (c *conditions) ofType(why *op.Why, other error) {
	attribute := c.plan.Schema.TypeAttr
	if !c.plan.Shared || attribute == "" {
		return
	}
	is := &types.AttributeValueMemberS{Value: c.plan.Name}
	c.guardOrAbsent(attribute, is)
	why.Type, why.Other = &op.Guard{Attribute: attribute, Value: is}, other
}

// add appends the caller's own conditions.
func (c *conditions) add(conds []*expr.Cond) error {
	var wrong fail.Problems
	for _, cond := range conds {
		text, err := expr.Condition(c.b, c.plan, cond)
		if err != nil {
			wrong.Because("", err)
			continue
		}
		c.parts = append(c.parts, "("+text+")")
	}
	return wrong.Err()
}

// into writes the condition and its placeholders into the action, and checks the limits of the whole.
func (c *conditions) into(a *op.Action) error {
	a.Condition = strings.Join(c.parts, " AND ")
	a.Names = c.b.Names()
	a.Values = c.b.Values()
	if err := expr.CheckCondition(a.Condition); err != nil {
		return err
	}
	return c.b.Check()
}

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
	claims  []op.Claim      // what the example says of fields, for the same
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

// noVersion requires that there is no item, or one of the type that was stored before the type had a
// version: without the attribute, or with a zero that nobody advanced.
func (c *conditions) noVersion() op.Why {
	v := c.plan.Version
	c.guardZero(v)
	c.claims = nil
	why := op.Why{Stale: true, Version: v.Name, Zero: v.ZeroForm()}
	if !c.plan.Shared { // else whoever plans the write asks for the type
		c.ownType(&why, fail.Exists)
	}
	return why
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

// guardZero requires that a field is absent, NULL, or stored as its zero value: all are read as that.
func (c *conditions) guardZero(f *codec.Field) { c.oneOf(f.Name, true, f.ZeroForm()) }

// guardAbsent requires that a field is read as an absent part of a key, as own is, if it is not nil.
func (c *conditions) guardAbsent(f *codec.Field, own types.AttributeValue) {
	null, zero := f.AbsentForms()
	if own == nil || zero != nil && sameStored(own, zero) {
		c.oneOf(f.Name, null, zero)
	} else {
		c.oneOf(f.Name, null, zero, own)
	}
}

// oneOf requires that an attribute is absent, or NULL where that may be, or one of some values; nil is none.
func (c *conditions) oneOf(attribute string, null bool, values ...types.AttributeValue) {
	n := c.b.Name(attribute)
	forms := []string{"attribute_not_exists(" + n + ")"}
	claim := op.Claim{Attribute: attribute, Absent: true, Null: null}
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

// claim requires the value that the example gives.
func (c *conditions) claim(attribute string, av types.AttributeValue, orAbsent bool) {
	c.claims = append(c.claims, op.Claim{Attribute: attribute, Absent: orAbsent, Values: []types.AttributeValue{av}})
	if orAbsent {
		c.guardOrAbsent(attribute, av)
	} else {
		c.guard(attribute, av)
	}
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
	if c.plan.Shared {
		c.ownType(why, other)
	}
}

// ownType requires that the item does not say that it is of another type.
func (c *conditions) ownType(why *op.Why, other error) {
	attribute := c.plan.Schema.TypeAttr
	if attribute == "" {
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

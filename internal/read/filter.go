package read

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// filter joins the conditions on the item type and on the time to live with the caller's filters.
func (c *compiler) filter() string {
	if len(c.query.Filter) == 0 && len(c.only) == 0 && !c.filtersExpired() {
		return ""
	}
	var texts []string
	if t := c.types(); t != "" {
		texts = append(texts, t)
	}
	if c.filtersExpired() {
		texts = append(texts, c.unexpired())
	}
	for _, f := range c.query.Filter {
		if f.Cond == nil {
			c.problems.Add("", "a condition is nil", "leave it out")
			continue
		}
		c.checkFilter(f)
		if c.target.fetch && !c.target.serves(f) {
			continue // fetchFilter compiles it
		}
		// A copy escapes to the heap instead of c, so that a query without filters allocates
		// nothing.
		b := c.b
		text, err := expr.Condition(&b, f.Plan, f.Cond)
		c.b = b
		c.problems.AddErr("", err)
		texts = append(texts, text)
	}
	text := allOf(texts)
	c.problems.AddErr("", expr.CheckCondition(text))
	return text
}

// types returns the condition that selects the wanted types, if the keys do not identify the type.
func (c *compiler) types() string {
	s, wanted := c.schema, c.only
	switch {
	case len(wanted) == 0:
		return ""
	case s.TypeAttr == "":
		c.problems.Add("", "items cannot be filtered by type: the schema has no type attribute", "narrow the collection by its sort key, with Prefix")
		return ""
	case !c.typed() && c.target.fetch:
		return "" // the fetched items have it
	case !c.typed():
		c.problems.Add(s.TypeAttr, "index "+c.target.index.Name+" does not project it", "add it to the projection")
		return ""
	}
	marks := make([]string, len(wanted))
	for i, p := range wanted {
		marks[i] = c.b.Value(&types.AttributeValueMemberS{Value: p.Name})
	}
	text := c.b.Name(s.TypeAttr) + " IN (" + strings.Join(marks, ", ") + ")"
	if len(marks) == 1 {
		text = c.b.Name(s.TypeAttr) + " = " + marks[0]
	}
	if c.query.scans() || c.keyIdentifiesType() {
		// then the key identifies the type
		text += " OR attribute_not_exists(" + c.b.Name(s.TypeAttr) + ")"
	}
	return text
}

// keyIdentifiesType reports whether an item without a type attribute can be of a wanted type. The
// table's key then identifies the type.
func (c *compiler) keyIdentifiesType() bool {
	return slices.ContainsFunc(c.only, (*core.Plan).KeyIdentifiesType)
}

// checkFilter reports attributes that DynamoDB rejects in a filter: attributes of the key that is
// read by, and attributes that the index does not project.
func (c *compiler) checkFilter(f Filter) {
	names, err := expr.Attributes(f.Cond, f.Plan)
	if err != nil {
		return // compiling the condition reports it too
	}
	for _, name := range names {
		switch {
		case c.isKeyAttribute(name):
			c.problems.Add(name, "it is part of the key that the query reads by, which a filter cannot use", "use Where")
		case c.target.fetch:
		case c.target.index != nil && !c.target.index.Projects(f.Plan.Schema, name):
			c.problems.Add(name, "index "+c.target.index.Name+" does not project it", c.target.lackHint(&c.query, "add it to the projection"))
		}
	}
}

// isKeyAttribute reports whether an attribute is part of the key that is read by.
func (c *compiler) isKeyAttribute(attribute string) bool {
	for a := range c.target.key.Attributes() {
		if a.Name == attribute {
			return true
		}
	}
	return false
}

// typed reports whether the items that are read hold the type attribute.
func (c *compiler) typed() bool {
	return c.schema.TypeAttr != "" && (c.target.index == nil || c.target.index.Projects(c.schema, c.schema.TypeAttr))
}

// clientFilters reports whether the client must drop items of other types: types share the key, and
// the items hold no type attribute.
func (c *compiler) clientFilters() bool {
	return !c.query.Collection && c.target.shared && !c.typed()
}

// rendered reports whether the library rendered the key that is read by. Other programs may write
// attributes that are used as they are.
func (t target) rendered() bool {
	for a := range t.key.Attributes() {
		if a.Field == nil && (t.index == nil || !a.Table) {
			return true
		}
	}
	return false
}

// project writes the projection if only a part of each item is wanted. For a count, it lets
// DynamoDB count if the keys alone identify the items.
func (c *compiler) project(p *Plan) {
	if c.query.Count && c.keysDecide() {
		p.Counts = true
		return
	}
	var names []string
	switch {
	case c.query.KeysOnly:
		for _, a := range c.schema.Position {
			names = append(names, a.Name)
		}
		if c.schema.TypeAttr != "" {
			names = append(names, c.schema.TypeAttr)
		}
	case !c.query.Count && c.query.Fields == nil && !c.target.fetch:
		return
	case c.target.fetch:
		names = c.target.projected(c.query.Plan, nil, p.Position)
	default:
		names = c.wanted(c.target, p.Position)
	}
	p.Projection = marksOf(&c.b, names)
	c.problems.AddErr("", expr.CheckLength(p.Projection))
}

// wanted returns the attributes to read of each item if only some fields are wanted.
func (c *compiler) wanted(t target, position []core.Attribute) []string {
	names := t.projected(c.query.Plan, c.query.Fields, position)
	if c.hides && !slices.Contains(names, c.schema.TTL) {
		names = append(names, c.schema.TTL)
	}
	return names
}

// keysDecide reports whether every item that matches the key condition and the filter is wanted,
// because the key was rendered for one type, and needs no check on arrival. An index on unrendered
// attributes may contain items of unknown types. An index that types share may contain items
// without a type attribute.
func (c *compiler) keysDecide() bool {
	switch {
	case c.query.Checked && c.target.index != nil:
		return false
	case c.query.Collection, c.clientFilters(), c.keyIdentifiesType(), c.hides && !c.filtersExpired():
		return false
	case c.target.index == nil && c.schema.TypeAttr == "":
		return true
	}
	return c.target.rendered()
}

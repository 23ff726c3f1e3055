package read

import (
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/fail"
)

// filter joins what tells types apart with what the caller asks of items that are read.
func (c *compiler) filter() string {
	if len(c.query.Filter) == 0 && len(c.only) == 0 {
		return ""
	}
	var texts []string
	if t := c.types(); t != "" {
		texts = append(texts, t)
	}
	for _, f := range c.query.Filter {
		if f.Cond == nil {
			c.problems.Add("", "a condition is nil", "leave it out")
			continue
		}
		c.filterable(f)
		b := c.b // a builder of a condition is on the heap; without filters the query's needs not be
		text, err := expr.Condition(&b, f.Plan, f.Cond)
		c.b = b
		if err != nil {
			c.fault(err)
			continue
		}
		texts = append(texts, text)
	}
	if len(texts) > 1 {
		for i, text := range texts {
			texts[i] = "(" + text + ")"
		}
	}
	text := strings.Join(texts, " AND ")
	if err := expr.CheckCondition(text); err != nil {
		c.fault(err)
	}
	return text
}

// types asks for the types that are wanted, where the keys do not say it.
func (c *compiler) types() string {
	s, wanted := c.schema, c.only
	switch {
	case len(wanted) == 0:
		return ""
	case s.TypeAttr == "":
		c.problems.Add("", "the items do not say of which type they are: the schema has no type attribute", "take the part of the collection by its sort key, with Prefix")
		return ""
	case !c.typed():
		c.problems.Add(s.TypeAttr, "index "+c.target.index.Name+" does not hold it", "project it")
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
	if c.query.Scan || c.toldByKey() {
		text += " OR attribute_not_exists(" + c.b.Name(s.TypeAttr) + ")" // then its key says it
	}
	return text
}

// toldByKey reports whether an item that does not say its type may be of one that is wanted: by the table's key.
func (c *compiler) toldByKey() bool { return slices.ContainsFunc(c.only, (*core.Plan).ToldByKey) }

// filterable refuses what the service refuses: attributes of the key that is read by, and such as the index does not hold.
func (c *compiler) filterable(f Filter) {
	names, err := f.Cond.Attributes(f.Plan)
	if err != nil {
		return // compiling says it too
	}
	for _, name := range names {
		switch {
		case c.keyed(name):
			c.problems.Add(name, "it is part of the key that is read by, and no filter may ask for it", "ask for it with Where")
		case c.target.index != nil && !c.target.index.Projects(f.Plan.Schema, name):
			c.problems.Add(name, "index "+c.target.index.Name+" does not hold it", "project it")
		}
	}
}

// keyed reports whether an attribute is part of the key that is read by.
func (c *compiler) keyed(attribute string) bool {
	for a := range c.target.key.Sides() {
		if a.Name == attribute {
			return true
		}
	}
	return false
}

// fault keeps what an expression's compiler says.
func (c *compiler) fault(err error) {
	if errors.Is(err, fail.Limit) {
		c.limit = err
		return
	}
	c.problems.Because("", err)
}

// typed reports whether what is read says of which type it is, by the type attribute.
func (c *compiler) typed() bool {
	return c.schema.TypeAttr != "" && (c.target.index == nil || c.target.index.Projects(c.schema, c.schema.TypeAttr))
}

// sifts reports whether items of other types are told apart only after they have come: their key is shared, and no attribute says the type.
func (c *compiler) sifts() bool {
	return !c.query.Collection && c.target.shared && !c.typed()
}

// vague reports whether the key that is read by does not say of which type an item is: that of an index, unless it is rendered for a single type. The
// table's key is to be asked then.
func (c *compiler) vague() bool {
	return c.target.index != nil && (c.schema.TypeAttr == "" || c.sifts() || c.toldByKey() || !c.target.rendered())
}

// rendered reports whether the library wrote the key that is read by: attributes as they are may be anybody's.
func (t target) rendered() bool {
	for a := range t.key.Sides() {
		if a.Field == nil && (t.index == nil || !a.Table) {
			return true
		}
	}
	return false
}

// project asks for what is wanted where that is not all, and for a count where the keys alone say what is counted.
func (c *compiler) project(p *Plan) {
	if c.query.Count && c.certain() {
		p.Counts = true
		return
	}
	if !c.query.Count && c.query.Fields == nil {
		return
	}
	var marks []string
	for _, name := range c.target.wanted(c.query.Plan, c.query.Fields, p.Position) {
		marks = append(marks, c.b.Name(name))
	}
	p.Projection = strings.Join(marks, ", ")
	if err := expr.CheckLength(p.Projection); err != nil {
		c.fault(err)
	}
}

// certain reports whether whatever the key condition and the filter let through is wanted: a key that was rendered for the read says the type. An
// index on attributes as they are may hold items of types that are not known here, one that types share items that do not say their type.
func (c *compiler) certain() bool {
	switch {
	case c.query.Collection, c.sifts(), c.toldByKey():
		return false
	case c.target.index == nil && c.schema.TypeAttr == "":
		return true
	}
	return c.target.rendered()
}

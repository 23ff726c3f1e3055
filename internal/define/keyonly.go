package define

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// taken refuses fields under names that are not theirs.
func (c *compiler) taken() {
	s := c.schema
	for _, f := range c.plan.Shape.Fields() {
		if f.KeyOnly {
			continue
		}
		switch {
		case s.TypeAttr != "" && f.Name == s.TypeAttr:
			c.takenBy(f, "that is where the type's name is kept", "rename the field, or the schema's TypeAttribute")
		case s.WriteID != "" && f.Name == s.WriteID:
			c.takenBy(f, "that is where write ids are kept", "rename the field, or the schema's WriteID")
		}
	}
}

func (c *compiler) takenBy(f *codec.Field, reason, hint string) {
	c.add(located{Fault{Field: f.GoName, Tag: codec.TagKey, Text: f.Tag().Get(codec.TagKey), Offset: -1, Reason: "the field is stored as " + f.Name + ", and " + reason, Hint: hint}, f.Index[0]})
}

// parseBack decides which key gives back each field that has no attribute of its own: the table's, else every index's that can.
func (c *compiler) parseBack() {
	for _, f := range c.plan.Shape.Fields() {
		if !f.KeyOnly || c.fromTable(f) || c.fromIndexes(f) || c.inFaulty(f) {
			continue
		}
		reason, hint := "no key has the field, which has no attribute of its own", "write <"+f.Name+"> into a template, or drop the role key"
		if c.mentioned(f) {
			reason, hint = "no key keeps the field's value whole, and it has no attribute of its own", "use a format that keeps all of it, or drop the role key"
		}
		c.add(located{Fault{Field: f.GoName, Tag: roleTag, Text: roleKey, Offset: -1, Reason: reason, Hint: hint}, f.Index[0]})
	}
}

func (c *compiler) fromTable(f *codec.Field) bool {
	for k := range c.plan.Table.Sides() {
		if givesBack(k, f) {
			return true
		}
	}
	return false
}

func (c *compiler) fromIndexes(f *codec.Field) bool {
	found := false
	for _, k := range c.plan.Attrs {
		if !k.Table && givesBack(k, f) {
			found = true
		}
	}
	return found
}

// givesBack has a member parsed back from a key attribute, if it can be.
func givesBack(k *core.KeyAttr, f *codec.Field) bool {
	for i, m := range k.Members {
		if m == f && k.Template.Lossless(i) {
			if k.Parse == nil {
				k.Parse = make([]bool, len(k.Members))
			}
			k.Parse[i] = true
			return true
		}
	}
	return false
}

// mentioned reports whether any key attribute is made of the field.
func (c *compiler) mentioned(f *codec.Field) bool {
	return slices.ContainsFunc(c.plan.Attrs, func(k *core.KeyAttr) bool { return slices.Contains(k.Members, f) })
}

// inFaulty reports whether a template with faults of its own names the field.
func (c *compiler) inFaulty(f *codec.Field) bool {
	for name, k := range c.made {
		if r := c.wanted[name]; k == nil && r != nil && strings.Contains(r.text, "<"+f.Name) {
			return true
		}
	}
	return false
}

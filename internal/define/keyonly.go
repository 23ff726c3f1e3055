package define

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// taken reports fields that use the type attribute or the write id attribute.
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

// parseBack selects the key attributes from which Decode reads each key-only field. It prefers the
// table's key to indexes, and a key that keeps the whole field to others. If no key keeps the whole
// field, it selects the most precise one, and writes return an error for values that this key would
// change.
func (c *compiler) parseBack() {
	for _, f := range c.plan.Shape.Fields() {
		switch {
		case !f.KeyOnly || c.fromTable(f):
		case c.fromIndexes(f):
			c.partial(f)
		case giveBack(finest(places(c.plan.Table.Attributes(), f))):
		case giveBack(finest(places(c.indexAttrs(), f))):
			c.partial(f)
		case c.decl.table != nil && !c.inFaulty(f):
			c.lost(f)
		}
	}
}

// lost reports a field that cannot be read from any key.
func (c *compiler) lost(f *codec.Field) {
	reason, hint := "the field is in keys only, and no key has it", "write "+spelled(f, keys.S)+" into a template, or drop the role key"
	c.add(located{Fault{Field: f.GoName, Tag: roleTag, Text: core.RoleKey, Offset: -1, Reason: reason, Hint: hint}, f.Index[0]})
}

// partial reports index keys that keep only a part of the field. An item can leave the index that
// keeps the whole field, and then the field is lost: the key that remains can be neither decoded
// nor rendered again. Both sides of one index key are always present or absent together, and
// members of the table's key never change, so these cases are valid.
func (c *compiler) partial(f *codec.Field) {
	if c.plan.TableMember(f) {
		return
	}
	reason := f.GoName + " has no attribute of its own, and this key keeps only a part of it: an item that is on no other index would lose the rest"
	hint := "keep all of it in this key or in the table's, or drop its role key"
	for _, x := range c.plan.Indexes {
		if keepsWhole(x.Key, f) {
			continue
		}
		for k := range x.Key.Attributes() {
			if i := slices.Index(k.Members, f); i >= 0 {
				c.add(c.wanted[k.Name].fault(k.Template.Fields()[i].Offset, reason, hint))
			}
		}
	}
}

// keepsWhole reports whether the field can be decoded from the key.
func keepsWhole(key core.Key, f *codec.Field) bool {
	for k := range key.Attributes() {
		for i, parsed := range k.Parse {
			if parsed && k.Members[i] == f {
				return true
			}
		}
	}
	return false
}

func (c *compiler) fromTable(f *codec.Field) bool {
	for k := range c.plan.Table.Attributes() {
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

// givesBack makes Decode read the field from a key attribute if its format keeps the whole field.
func givesBack(k *core.KeyAttr, f *codec.Field) bool {
	for i, m := range k.Members {
		if m == f && k.Template.Lossless(i) {
			return giveBack([]holding{{k, i}})
		}
	}
	return false
}

// inFaulty reports whether another fault may explain why no key contains the field. Such a fault is
// in a template that names the field, in the field's own tag, or suggests the field.
func (c *compiler) inFaulty(f *codec.Field) bool {
	if c.suggested[f.Name] || c.doubtful[f.GoName] {
		return true
	}
	for name, k := range c.made {
		r := c.wanted[name]
		if k != nil || r == nil {
			continue
		}
		meant := func(l lookalike) bool { return l.field == f.Name }
		if strings.Contains(r.text, "<"+f.Name) || slices.ContainsFunc(c.lookalikes(r.text), meant) {
			return true
		}
	}
	return false
}

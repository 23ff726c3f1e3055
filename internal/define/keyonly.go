package define

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
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

// parseBack decides which key attributes Decode reads each key-only field from: the table's, or
// else those of indexes. A key that keeps all of the field comes first. If there is none, the
// finest one is used, and writes refuse values that it would change.
func (c *compiler) parseBack() {
	for _, f := range c.plan.Shape.Fields() {
		switch {
		case !f.KeyOnly || c.fromTable(f):
		case c.fromIndexes(f):
			c.partial(f)
		case giveBack(finest(places(c.plan.Table.Sides(), f))):
		case giveBack(finest(places(c.indexAttrs(), f))):
			c.partial(f)
		case c.decl.table != nil && !c.inFaulty(f):
			c.lost(f)
		}
	}
}

// lost refuses a field that no key gives back.
func (c *compiler) lost(f *codec.Field) {
	reason, hint := "the field is in keys only, and no key has it", "write "+spelled(f, keys.S)+" into a template, or drop the role key"
	c.add(located{Fault{Field: f.GoName, Tag: roleTag, Text: roleKey, Offset: -1, Reason: reason, Hint: hint}, f.Index[0]})
}

// partial refuses the keys of indexes that keep a part of the field only. The index that keeps it whole can lose its entry, and with it
// the field: what stays here could then neither be read back nor be written anew. The halves of one key come and go together, and what
// the table's key is made of never changes.
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
		for k := range x.Key.Sides() {
			if i := slices.Index(k.Members, f); i >= 0 {
				c.add(c.wanted[k.Name].fault(k.Template.Fields()[i].Offset, reason, hint))
			}
		}
	}
}

// keepsWhole reports whether a field can be read back from a key.
func keepsWhole(key core.Key, f *codec.Field) bool {
	for k := range key.Sides() {
		for i, parsed := range k.Parse {
			if parsed && k.Members[i] == f {
				return true
			}
		}
	}
	return false
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

// givesBack makes Decode read the field from a key attribute, if its format keeps all of the field.
func givesBack(k *core.KeyAttr, f *codec.Field) bool {
	for i, m := range k.Members {
		if m == f && k.Template.Lossless(i) {
			return giveBack([]holding{{k, i}})
		}
	}
	return false
}

// inFaulty reports whether another fault may be the reason that no key has the field: a fault in a
// template that names it, one that suggests it, or one in its own tag.
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

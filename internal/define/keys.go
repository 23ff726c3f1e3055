package define

import (
	"fmt"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// keys compiles every key attribute that items of the type can carry, and finds the indexes that they can be on.
func (c *compiler) keys() {
	s := c.schema
	c.made = make(map[string]*core.KeyAttr, 2+2*len(s.Indexes))
	c.plan.Table.Partition = c.tableSide(partition, s.Partition)
	if s.Sort.Name != "" {
		c.plan.Table.Sort = c.tableSide(sort, s.Sort)
	}
	for _, x := range s.Indexes {
		c.index(x)
	}
	c.accesses()
	c.optional()
}

// tableSide compiles one attribute of the table's key, which every item has.
func (c *compiler) tableSide(s side, a core.Attribute) []*core.KeyAttr {
	k, there := c.keyAttr(a)
	if !there && c.decl.table != nil {
		c.missing(c.decl.table, s, a, "the table")
	}
	if k == nil {
		return nil
	}
	for _, f := range k.Members {
		if f == c.plan.Updated {
			c.add(c.decl.table.atSide(s, -1, f.GoName+" changes with every write, and the key of an item cannot", "use a field that stays, such as one of role created"))
		}
	}
	k.Table = true
	return []*core.KeyAttr{k}
}

// index compiles an index's key attributes. Items can be on it where all of them are there.
func (c *compiler) index(x *core.Index) {
	e := c.declared(x)
	key := core.Key{
		Partition: c.indexSide(e, partition, x, x.Partition),
		Sort:      c.indexSide(e, sort, x, x.Sort),
	}
	if len(key.Partition) == len(x.Partition) && len(key.Sort) == len(x.Sort) {
		c.plan.Indexes = append(c.plan.Indexes, &core.IndexKey{Index: x, Key: key})
	}
}

func (c *compiler) indexSide(e *entry, s side, x *core.Index, attrs []core.Attribute) []*core.KeyAttr {
	made := make([]*core.KeyAttr, 0, len(attrs))
	for _, a := range attrs {
		k, there := c.keyAttr(a)
		if k != nil {
			made = append(made, k)
		}
		if !there && e != nil && !c.ofTable(a) && (!e.given[s] || x.Local && s == partition) {
			c.missing(e, s, a, "index "+x.Name)
		}
	}
	return made
}

// ofTable reports whether an attribute is one of the table's key: what is missing there is reported there.
func (c *compiler) ofTable(a core.Attribute) bool {
	return a.Name == c.schema.Partition.Name || a.Name == c.schema.Sort.Name
}

// declared finds the access pattern of the type that is on an index.
func (c *compiler) declared(x *core.Index) *entry {
	for _, e := range c.decl.indexes {
		if e.on == x.Name {
			return e
		}
	}
	return nil
}

func (c *compiler) missing(e *entry, s side, a core.Attribute, of string) {
	if e.given[s] || e.broken {
		return // reported
	}
	hint := fmt.Sprintf(`give it a template: %s:"…"`, s.tag())
	c.add(e.at(s.tag(), fmt.Sprintf("nothing says what %s, a key attribute of %s, is made of", a.Name, of), hint))
}

// accesses names the declared access patterns, in the order in which they are declared.
func (c *compiler) accesses() {
	for _, e := range c.decl.indexes {
		for _, x := range c.plan.Indexes {
			if x.Index.Name == e.on && x.Access == nil {
				x.Access = &core.Access{Name: e.name, On: x, Shared: e.shared}
				c.plan.Access = append(c.plan.Access, x.Access)
			}
		}
	}
}

// optional lets fields that are key attributes of an index be left out: the service takes no empty ones.
func (c *compiler) optional() {
	for _, k := range c.plan.Attrs {
		if k.Field != nil && !k.Table {
			k.Field.OmitZero = true
		}
	}
}

// keyAttr compiles a key attribute, once. It is nil where it is faulty or not there; there tells these apart.
func (c *compiler) keyAttr(a core.Attribute) (k *core.KeyAttr, there bool) {
	if k, done := c.made[a.Name]; done {
		return k, true
	}
	field := c.plan.Shape.ByName(a.Name)
	if field != nil && field.KeyOnly {
		field = nil // it has no attribute of its own
	}
	r := c.wanted[a.Name]
	switch {
	case r != nil:
		k = c.rendered(a, r, field)
	case field != nil:
		k = c.plain(a, field)
	default:
		return nil, false
	}
	c.made[a.Name] = k
	if k != nil {
		c.plan.Attrs = append(c.plan.Attrs, k)
	}
	return k, true
}

// rendered compiles an attribute that has a template.
func (c *compiler) rendered(a core.Attribute, r *rendering, field *codec.Field) *core.KeyAttr {
	k := c.template(a, r.text, func(f flaw) { c.blame(f.cause, r.fault(f.offset, f.reason, f.hint)) })
	if k == nil {
		return nil
	}
	if several := r.at > 0 || len(r.text) < len(r.by.sides[r.side]); several && !k.Template.Native() {
		c.add(r.fault(0, "an attribute of a multi-attribute key is one placeholder, without text around it", ""))
		return nil
	}
	if field == nil {
		return k
	}
	if !k.Template.Native() || k.Members[0] != field {
		c.add(r.fault(0, fmt.Sprintf("it would be written over the field %s, which is stored as %s", field.GoName, a.Name), "rename the field by its dynamodbav tag"))
		return nil
	}
	if reason, hint := c.store(k, field, k.Template.Fields()[0].Format != ""); reason != "" {
		c.add(r.fault(0, reason, hint))
		return nil
	}
	return k
}

// plain makes the attribute of a field that stands for it: without a declared template, it is native.
func (c *compiler) plain(a core.Attribute, field *codec.Field) *core.KeyAttr {
	fault := func(reason, hint, cause string) {
		reason = fmt.Sprintf("the field is stored as %s, a key attribute of type %s: %s", a.Name, a.Type, reason)
		c.blame(cause, located{Fault{Field: field.GoName, Tag: codec.TagKey, Text: field.Tag().Get(codec.TagKey), Offset: -1, Reason: reason, Hint: hint}, field.Index[0]})
	}
	kind, _ := field.KeyKind()
	if reason, hint := mismatch(a, field, kind); reason != "" {
		fault(reason, hint, "")
		return nil
	}
	k := c.template(a, "<"+a.Name+">", func(f flaw) {
		if kind == keys.KindTime {
			format := "s"
			if a.Type == keys.N {
				format = "unix"
			}
			f.hint = "declare its template with a format, such as <" + a.Name + ":" + format + ">; " + f.hint
		}
		fault(f.reason, f.hint, f.cause)
	})
	if k == nil {
		return nil
	}
	if reason, hint := c.store(k, field, false); reason != "" {
		fault(reason, hint, "")
		return nil
	}
	return k
}

package define

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/keys"
)

// compileKeys compiles every key attribute that items of the type can have, and finds the indexes
// that can contain the items.
func (c *compiler) compileKeys() {
	s := c.schema
	c.keyAttrs = make(map[string]*core.KeyAttr, 2+2*len(s.Indexes))
	c.plan.Table = c.compileKey(c.decl.table, s.PartitionKey(), s.SortKey(), "the table")
	for k := range c.plan.Table.Attributes() {
		k.Table = true
		c.checkUnchanging(k)
	}
	for _, x := range s.Indexes {
		key := c.compileKey(c.entryOn(x), x.Partition, x.Sort, "index "+x.Name)
		// The index can contain items of the type only if the type has all key attributes.
		if len(key.Partition) == len(x.Partition) && len(key.Sort) == len(x.Sort) {
			c.plan.Indexes = append(c.plan.Indexes, &core.IndexKey{Index: x, Key: key})
		}
	}
	c.addAccessPatterns()
	c.omitEmptyIndexKeys()
}

// compileKey compiles the attributes of a key that e declares. If e is nil, the type does not
// declare the key, but can have its attributes.
func (c *compiler) compileKey(e *entry, pk, sk []core.Attribute, of string) core.Key {
	return core.Key{Partition: c.compileSide(e, partition, pk, of), Sort: c.compileSide(e, sort, sk, of)}
}

func (c *compiler) compileSide(e *entry, s side, attrs []core.Attribute, of string) (made []*core.KeyAttr) {
	for _, a := range attrs {
		k, there := c.keyAttr(a)
		switch {
		case k != nil:
			made = append(made, k)
		case there || e == nil || e.given[s] || e.broken:
		case e == c.decl.table || !c.schema.InTableKey(a.Name): // otherwise reported for the table
			c.add(e.at(s.tag()).issue(fmt.Sprintf("%s, the %s key of %s, has no template, and no field is stored as %s", a.Name, s, of, a.Name), "such as "+s.tag()+":"+quote(c.example())))
		}
	}
	return made
}

// checkUnchanging reports a field in the table's key that changes with every write.
func (c *compiler) checkUnchanging(k *core.KeyAttr) {
	for i, f := range k.Members {
		if r := c.templates[k.Name]; f == c.plan.Updated && r != nil {
			c.add(r.issue(k.Template.Fields()[i].Offset, f.GoName+" has the role updated and changes with every write, but the key of an item must not change", "use a field that does not change, such as one with the role created"))
		}
	}
}

// entryOn returns the access pattern of the type on an index, or nil.
func (c *compiler) entryOn(x *core.Index) *entry {
	for _, e := range c.decl.indexes {
		if e.on == x.Name {
			return e
		}
	}
	return nil
}

// addAccessPatterns adds the declared access patterns to the plan, in the order of declaration.
func (c *compiler) addAccessPatterns() {
	for _, e := range c.decl.indexes {
		for _, x := range c.plan.Indexes {
			if x.Index.Name == e.on && x.Access == nil {
				x.Access = &core.Access{Name: e.name, On: x, Shared: e.shared || x.Index == c.schema.TenantIndex}
				c.plan.Access = append(c.plan.Access, x.Access)
			}
		}
	}
}

// omitEmptyIndexKeys omits empty fields that are key attributes of an index, because DynamoDB
// rejects empty key attributes.
func (c *compiler) omitEmptyIndexKeys() {
	for _, k := range c.plan.Attrs {
		if k.Field != nil && !k.Table {
			k.Field.OmitZero = true
		}
	}
}

// keyAttr compiles a key attribute once. k is nil if the attribute has issues or is absent; there
// is false if it is absent.
func (c *compiler) keyAttr(a core.Attribute) (k *core.KeyAttr, there bool) {
	if k, done := c.keyAttrs[a.Name]; done {
		return k, true
	}
	field := c.plan.Shape.ByName(a.Name)
	if field != nil && field.KeyOnly {
		field = nil // it is not stored as an attribute
	}
	r := c.templates[a.Name]
	switch {
	case r != nil:
		k = c.compileDeclared(a, r, field)
	case field != nil:
		k = c.compileField(a, field)
	default:
		return nil, false
	}
	c.keyAttrs[a.Name] = k
	if k != nil {
		c.plan.Attrs = append(c.plan.Attrs, k)
	}
	return k, true
}

// compileDeclared compiles a key attribute that has a template.
func (c *compiler) compileDeclared(a core.Attribute, r *declaredTemplate, field *codec.Field) *core.KeyAttr {
	if c.addMisplacedShard(r) {
		return nil
	}
	options := c.keyOptions()
	_, options.Sharded = shardIn(r.text)
	k, issues := c.compileTemplateWith(a, r.text, options)
	for _, f := range issues {
		c.addShared(f.Cause, r.issue(f.Offset, f.Reason, f.Hint))
	}
	if k == nil {
		return nil
	}
	if r.multi && !k.Template.Native() {
		c.add(r.issue(0, "an attribute of a multi-attribute key must be one placeholder without text around it", "drop the text"))
		return nil
	}
	if field == nil {
		return k
	}
	if !k.Template.Native() || k.Members[0] != field {
		c.addOverwrite(a, r, field)
		return nil
	}
	if reason, hint := c.storeAsKey(k, field, k.Template.Fields()[0].Format != ""); reason != "" {
		c.add(r.issue(0, reason, hint))
		return nil
	}
	return k
}

// formatHint returns a hint on how to declare a format for a field that is a key attribute without
// a template.
func (c *compiler) formatHint(a core.Attribute, field *codec.Field) string {
	in := placeholderOf(field, a.Type)
	if t := c.decl.table; t != nil {
		switch a.Name {
		case c.schema.Partition.Name:
			return "write pk:" + quote(in) + " in the tag of " + t.field
		case c.schema.Sort.Name:
			return "write sk:" + quote(in) + " in the tag of " + t.field
		}
	}
	return "declare the index with a format, as in " + in + "; or give the field another name by its tag"
}

// addOverwrite reports a template that would overwrite the attribute of a field. For a
// multi-attribute key, it reports placeholders in the wrong order instead.
func (c *compiler) addOverwrite(a core.Attribute, r *declaredTemplate, field *codec.Field) {
	if in := c.inKeyOrder(r); in != "" {
		f := r.by.side(r.side).issue("the placeholders are not in the order of the key's attributes", "write "+r.side.tag()+":"+quote(in))
		c.addShared(c.typeCause("order of "+f.Place()), f)
		return
	}
	reason := fmt.Sprintf("the template would overwrite the field %s, which is stored as %s", field.GoName, a.Name)
	whole := r.by.sides[r.side]
	meant := whole[:r.at] + placeholderOf(field, a.Type) + whole[r.at+len(r.text):]
	c.add(r.issue(0, reason, "write "+r.side.tag()+":"+quote(meant)+", or give the field another name by its dynamodbav tag"))
}

// inKeyOrder returns the placeholders of a side in the order of the key's attributes. It is empty
// if they name other attributes.
func (c *compiler) inKeyOrder(r *declaredTemplate) string {
	x := c.schema.Index(r.by.on)
	if x == nil {
		return ""
	}
	attrs := x.Partition
	if r.side == sort {
		attrs = x.Sort
	}
	parts := splitPlaceholders(r.by.sides[r.side])
	var in []string
	for _, a := range attrs {
		for _, part := range parts {
			if named := keysyntax.Placeholders(strings.TrimSpace(part)); len(named) == 1 && named[0].Name == a.Name {
				in = append(in, strings.TrimSpace(part))
			}
		}
	}
	if len(attrs) < 2 || len(in) != len(attrs) || len(in) != len(parts) {
		return ""
	}
	return strings.Join(in, ",")
}

// compileField compiles a key attribute that is a field and has no declared template. The attribute
// stores the field's value itself.
func (c *compiler) compileField(a core.Attribute, field *codec.Field) *core.KeyAttr {
	issue := func(reason, hint, cause string) {
		reason = fmt.Sprintf("the field is stored as %s, a key attribute of type %s: %s", a.Name, a.Type, reason)
		c.addShared(cause, fieldPlace(field).issue(reason, hint))
	}
	kind, _ := field.KeyKind()
	if reason, hint := mismatch(a, field, kind); reason != "" {
		issue(reason, hint, "")
		return nil
	}
	k, issues := c.compileTemplate(a, "<"+a.Name+">")
	for _, f := range issues {
		if kind == keys.KindTime {
			f.Hint = c.formatHint(a, field)
		}
		issue(f.Reason, f.Hint, f.Cause)
	}
	if k == nil {
		return nil
	}
	if reason, hint := c.storeAsKey(k, field, false); reason != "" {
		issue(reason, hint, "")
		return nil
	}
	return k
}

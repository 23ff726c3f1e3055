package define

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
)

// declaredTemplate is a template that a type declares for one key attribute.
type declaredTemplate struct {
	attr  core.Attribute
	text  string
	by    *entry
	side  side
	at    int  // the offset of text in the text of the side
	multi bool // the side has several templates
}

// issue creates an issue at an offset of the template.
func (r *declaredTemplate) issue(offset int, reason, hint string) Issue {
	return r.by.side(r.side).issueAt(r.at+offset, reason, hint)
}

// collectTemplates finds the template of each key attribute.
func (c *compiler) collectTemplates() {
	c.templates = make(map[string]*declaredTemplate, 4)
	s := c.schema
	if t := c.decl.table; t != nil {
		c.checkShards(t)
		c.addSide(t, partition, []core.Attribute{s.Partition}, "the table")
		var own []core.Attribute
		if s.Sort.Name != "" {
			own = []core.Attribute{s.Sort}
		}
		c.addSide(t, sort, own, "the table")
		c.plan.Shared = t.shared
		if t.shared && s.TypeAttr == "" {
			c.addShared("shared", t.at("shared").issue("types that share a key need a type attribute to be told apart", "give the types different keys, or define one type for the items of all; configure a type attribute if each stored item has it"))
		}
	}
	for i, e := range c.decl.indexes {
		c.checkShards(e)
		if x := c.indexOf(e, i); x != nil {
			c.addIndexSides(e, x)
		}
	}
}

// indexOf checks the name of an access pattern and returns its index, or nil after an issue.
func (c *compiler) indexOf(e *entry, nth int) *core.Index {
	if e.name == "" && !e.broken {
		c.add(e.at("name").issue("the access pattern has no name", `such as name:"by-status"`))
	}
	for _, other := range c.decl.indexes[:nth] {
		switch {
		case e.name != "" && other.name == e.name:
			c.add(e.at("name").issue("the type has another access pattern with the name "+e.name, "rename one of the two"))
		case e.on != "" && other.on == e.on:
			c.add(e.at("on").issue(other.field+" already uses index "+e.on+", and an item has at most one entry in an index", "use another index for one of the two"))
			return nil
		}
	}
	switch {
	case e.on == "" && e.broken:
		return nil
	case e.on == "":
		c.add(e.at("on").issue("the access pattern names no index", c.indexHint("")))
		return nil
	}
	x := c.schema.Index(e.on)
	if x == nil {
		c.addShared("index "+e.on, e.at("on").issue("the table has no index "+quote(e.on), c.indexHint(e.on)))
	}
	return x
}

func (c *compiler) indexHint(word string) string {
	var names []string
	for _, x := range c.schema.Indexes {
		names = append(names, x.Name)
	}
	switch meant := tag.Suggest(word, names); {
	case len(names) == 0:
		return "add it to the configuration, which lists no index"
	case word == "":
		return "such as on:" + quote(names[0]) + "; the table has " + joinWords(names)
	case meant != "":
		return "did you mean " + meant + "? if not, add it to the configuration's indexes"
	}
	return "the table has " + joinWords(names) + "; add it to the configuration's indexes"
}

func (c *compiler) addIndexSides(e *entry, x *core.Index) {
	name := "index " + x.Name
	if len(e.shards) > 0 && len(x.Partition) == 1 && len(x.Sort) > 1 {
		c.add(e.at(shardsTag).issue("an index with several sort key attributes cannot have shards", "drop "+shardsTag+", or use an index with one sort key attribute"))
	}
	if x.Kind == trestle.LocalIndex && e.given[partition] {
		if t := c.decl.table; t == nil || t.sides[partition] != e.sides[partition] {
			c.add(e.side(partition).issue("a local index always has the table's partition key", "leave pk out"))
		}
	} else {
		c.addSide(e, partition, x.Partition, name)
	}
	c.addSide(e, sort, x.Sort, name)
}

// addSide assigns the text of one side to its key attributes.
func (c *compiler) addSide(e *entry, s side, attrs []core.Attribute, of string) {
	if !e.given[s] {
		return
	}
	text := e.sides[s]
	switch {
	case text == "":
		c.add(e.at(s.tag()).issue("the template is empty", "write one, such as "+s.tag()+":"+quote(c.example())+"; leave "+s.tag()+" out if a field is stored under the key attribute's name"))
	case len(attrs) == 0:
		c.addShared(of+" has no sort key", e.side(s).issue(of+" has no sort key", "leave sk out, or configure one"))
	case len(attrs) == 1:
		c.addTemplate(&declaredTemplate{attr: attrs[0], text: text, by: e, side: s})
	default:
		c.addMultiAttribute(e, s, attrs, of)
	}
}

// addMultiAttribute splits the side of a multi-attribute key. The side has one placeholder for each
// attribute, separated by commas.
func (c *compiler) addMultiAttribute(e *entry, s side, attrs []core.Attribute, of string) {
	parts := splitPlaceholders(e.sides[s])
	if len(parts) != len(attrs) {
		c.add(e.side(s).issue(fmt.Sprintf("the %s key of %s has %d attributes (%s), but the tag has %d", s, of, len(attrs), joinWords(namesOf(attrs)), len(parts)),
			"write one placeholder for each, with commas between them"+c.exampleOf(s, attrs)))
		return
	}
	at := 0
	for i, part := range parts {
		lead := len(part) - len(strings.TrimLeft(part, " "))
		c.addTemplate(&declaredTemplate{attr: attrs[i], text: strings.TrimSpace(part), by: e, side: s, at: at + lead, multi: true})
		at += len(part) + len(",")
	}
}

// splitPlaceholders splits text at the commas between placeholders and ignores commas inside them.
func splitPlaceholders(text string) []string {
	var parts []string
	start, inside := 0, false
	for i, r := range text {
		switch {
		case r == '<':
			inside = true
		case r == '>':
			inside = false
		case r == ',' && !inside:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

func namesOf(attrs []core.Attribute) []string {
	names := make([]string, len(attrs))
	for i, a := range attrs {
		names[i] = a.Name
	}
	return names
}

// exampleOf returns example placeholders for a multi-attribute key. It is empty unless each of the
// key's attributes is a field.
func (c *compiler) exampleOf(s side, attrs []core.Attribute) string {
	placeholders := make([]string, len(attrs))
	for i, a := range attrs {
		f := c.plan.Shape.ByName(a.Name)
		if f == nil {
			return ""
		}
		placeholders[i] = placeholderOf(f, a.Type)
	}
	return ", such as " + s.tag() + ":" + quote(strings.Join(placeholders, ","))
}

// addTemplate records the template of an attribute. An attribute has one template, even if several
// keys use it.
func (c *compiler) addTemplate(r *declaredTemplate) {
	other, again := c.templates[r.attr.Name]
	switch {
	case !again:
		c.templates[r.attr.Name] = r
	case other.text != r.text:
		c.add(r.issue(0, fmt.Sprintf("%s already has the template %s, declared by %s", r.attr.Name, other.text, other.by.field), "write "+r.side.tag()+":"+quote(other.text)+" here too, or leave "+r.side.tag()+" out"))
	case other.side == sort && r.side == partition:
		c.templates[r.attr.Name] = r // it has the number of shards
	case other.side == partition && r.side == partition && !slices.Equal(other.by.shards, r.by.shards):
		c.add(r.issue(0, fmt.Sprintf("%s already has another number of shards, declared by %s", r.attr.Name, other.by.field), r.by.writeShards(other.by.shards)))
	}
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

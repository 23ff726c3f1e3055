package define

import (
	"fmt"
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
)

// rendering is a template that a type declares for one key attribute.
type rendering struct {
	attr core.Attribute
	text string
	by   *entry
	side side
	at   int // the offset of text in the text of the side
}

// fault creates a fault at an offset of the template.
func (r *rendering) fault(offset int, reason, hint string) located {
	return r.by.atSide(r.side, r.at+offset, reason, hint)
}

// collect finds the template of each key attribute.
func (c *compiler) collect() {
	c.wanted = make(map[string]*rendering, 4)
	s := c.schema
	if t := c.decl.table; t != nil {
		c.side(t, partition, []core.Attribute{s.Partition}, "the table")
		var own []core.Attribute
		if s.Sort.Name != "" {
			own = []core.Attribute{s.Sort}
		}
		c.side(t, sort, own, "the table")
		c.plan.Shared = t.shared
		if t.shared && s.TypeAttr == "" {
			c.blame("shared", t.at("shared", "without a type attribute nothing tells types of the same key apart", "give the types keys of their own, or the table a type attribute"))
		}
	}
	for i, e := range c.decl.indexes {
		if x := c.indexOf(e, i); x != nil {
			c.indexSides(e, x)
		}
	}
}

// indexOf checks the name of an access pattern and returns its index, or nil after a fault.
func (c *compiler) indexOf(e *entry, nth int) *core.Index {
	if e.name == "" && !e.broken {
		c.add(e.at("name", "the access pattern has no name", `such as name:"by-status"`))
	}
	for _, other := range c.decl.indexes[:nth] {
		switch {
		case e.name != "" && other.name == e.name:
			c.add(e.at("name", "another access pattern of the type is called "+e.name, "rename one of the two"))
		case e.on != "" && other.on == e.on:
			c.add(e.at("on", other.label+" is on "+e.on+" already, and an item has one entry in an index", "put one of the two on another index"))
			return nil
		}
	}
	switch {
	case e.on == "" && e.broken:
		return nil
	case e.on == "":
		c.add(e.at("on", "the access pattern names no index", c.indexHint("")))
		return nil
	}
	x := c.schema.Index(e.on)
	if x == nil {
		c.blame("index "+e.on, e.at("on", "the table has no index "+quote(e.on), c.indexHint(e.on)))
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
		return "such as on:" + quote(names[0]) + "; the table has " + list(names)
	case meant != "":
		return "did you mean " + meant + "? if not, add it to the configuration's indexes"
	}
	return "the table has " + list(names) + "; add it to the configuration's indexes"
}

func (c *compiler) indexSides(e *entry, x *core.Index) {
	name := "index " + x.Name
	if x.Local && e.given[partition] {
		if t := c.decl.table; t == nil || t.sides[partition] != e.sides[partition] {
			c.add(e.atSide(partition, -1, "a local index has the table's partition key", "leave pk out"))
		}
	} else {
		c.side(e, partition, x.Partition, name)
	}
	c.side(e, sort, x.Sort, name)
}

// side assigns the text of one side to its key attributes.
func (c *compiler) side(e *entry, s side, attrs []core.Attribute, of string) {
	if !e.given[s] {
		return
	}
	text := e.sides[s]
	switch {
	case text == "":
		c.add(e.at(s.tag(), "the template is empty", "write one, such as "+s.tag()+":"+quote(c.example())+"; leave "+s.tag()+" out if a field is stored under the key attribute's name"))
	case len(attrs) == 0:
		c.blame(of+" has no sort key", e.atSide(s, -1, of+" has no sort key", "leave sk out, or configure one"))
	case len(attrs) == 1:
		c.want(&rendering{attr: attrs[0], text: text, by: e, side: s})
	default:
		c.several(e, s, attrs, of)
	}
}

// several splits the side of a multi-attribute key. The side has one placeholder for each
// attribute, separated by commas.
func (c *compiler) several(e *entry, s side, attrs []core.Attribute, of string) {
	parts := splitList(e.sides[s])
	if len(parts) != len(attrs) {
		c.add(e.atSide(s, -1, fmt.Sprintf("the %s key of %s has %d attributes, %s, and the tag has %d", s, of, len(attrs), list(namesOf(attrs)), len(parts)),
			"write one placeholder for each, with commas between them"+c.exampleOf(s, attrs)))
		return
	}
	at := 0
	for i, part := range parts {
		lead := len(part) - len(strings.TrimLeft(part, " "))
		c.want(&rendering{attr: attrs[i], text: strings.TrimSpace(part), by: e, side: s, at: at + lead})
		at += len(part) + len(",")
	}
}

// splitList splits text at the commas between placeholders and ignores commas inside them.
func splitList(text string) []string {
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
		placeholders[i] = spelled(f, a.Type)
	}
	return ", such as " + s.tag() + ":" + quote(strings.Join(placeholders, ","))
}

// want records the template of an attribute. An attribute has one template, even if several keys
// use it.
func (c *compiler) want(r *rendering) {
	other, again := c.wanted[r.attr.Name]
	switch {
	case !again:
		c.wanted[r.attr.Name] = r
	case other.text != r.text:
		c.add(r.fault(0, fmt.Sprintf("%s is written by %s as %s, and an attribute has one value", r.attr.Name, other.by.label, other.text), "write "+r.side.tag()+":"+quote(other.text)+" here too, or leave "+r.side.tag()+" out"))
	}
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

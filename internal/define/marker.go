package define

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/tag"
)

// The keys of a marker's tag.
var (
	keyTags   = []string{"type", "pk", "sk", "shared"}
	indexTags = []string{"name", "on", "pk", "sk", "shared"}
)

// otherWords maps the terms of other libraries to the tag keys.
var otherWords = map[string]string{
	"partition": "pk", "partitionkey": "pk", "hash": "pk", "hashkey": "pk", "range": "sk", "rangekey": "sk", "sort": "sk",
	"sortkey": "sk", "index": "on", "gsi": "on", "lsi": "on", "entity": "type", "share": "shared",
}

// fromMarker adds a marker field to the declaration.
func (c *compiler) fromMarker(f reflect.StructField, pos int) {
	e := &entry{pos: pos, text: string(f.Tag)}
	pairs, problems := tag.Parse(f.Tag)
	known := keyTags
	if f.Type == c.markers.Key {
		e.label = c.markers.Key.String()
		c.keyMarker(e, pairs)
	} else {
		known = indexTags
		e.label = c.markers.Index.String()
		c.indexMarker(e, pairs)
	}
	e.broken = len(problems) > 0
	for _, p := range problems {
		c.add(located{Fault{Field: e.label, Text: e.text, Offset: p.Offset, Reason: p.Reason, Hint: p.Hint}, pos})
	}
	for _, p := range pairs {
		if !slices.Contains(known, p.Key) {
			e.broken = true
			c.add(located{Fault{Field: e.label, Text: e.text, Offset: p.Offset, Reason: "unknown tag key " + p.Key, Hint: tagHint(p.Key, known)}, pos})
		}
	}
	e.sides[partition], e.given[partition] = pairs.Lookup("pk")
	e.sides[sort], e.given[sort] = pairs.Lookup("sk")
	if shared, ok := pairs.Lookup("shared"); ok {
		e.shared = true
		if shared != "yes" {
			c.add(located{Fault{Field: e.label, Tag: "shared", Text: shared, Offset: -1, Reason: "it can only be yes", Hint: `write shared:"yes", or leave it out`}, pos})
		}
	}
	if f.Name != "_" {
		c.add(e.at("", "the marker has the name "+f.Name, "write _ for its name: it holds no data"))
	}
}

func (c *compiler) keyMarker(e *entry, pairs tag.Pairs) {
	if c.decl.table != nil {
		c.add(e.at("", "the type has two fields of this type, and a table has one key", "declare a further key with "+c.markers.Index.String()))
		return
	}
	c.decl.table = e
	name, given := pairs.Lookup("type")
	c.decl.name = name
	if given && name == "" {
		c.add(e.at("type", "the type's name is empty", c.nameHint()))
		c.decl.name = c.typ.Name() // already reported
	}
}

func (c *compiler) indexMarker(e *entry, pairs tag.Pairs) {
	e.name, _ = pairs.Lookup("name")
	e.on, _ = pairs.Lookup("on")
	if e.name != "" {
		e.label += " " + e.name
	}
	c.decl.indexes = append(c.decl.indexes, e)
}

func tagHint(word string, known []string) string {
	if meant := tag.Suggest(word, known); meant != "" {
		return "did you mean " + meant + "?"
	}
	if meant := otherWords[strings.ToLower(word)]; slices.Contains(known, meant) {
		return "did you mean " + meant + "?"
	}
	return "the keys of this tag are " + list(known)
}

// list joins words with commas and "and".
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

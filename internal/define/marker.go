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

// synonyms maps the terms of other libraries to the tag keys.
var synonyms = map[string]string{
	"partition": "pk", "partitionkey": "pk", "hash": "pk", "hashkey": "pk", "range": "sk", "rangekey": "sk", "sort": "sk",
	"sortkey": "sk", "index": "on", "gsi": "on", "lsi": "on", "entity": "type", "share": "shared",
}

// readMarker adds a marker field to the declaration.
func (c *compiler) readMarker(f reflect.StructField, pos int) {
	e := &entry{pos: pos, text: string(f.Tag)}
	pairs, issues := tag.Parse(f.Tag)
	known := keyTags
	if f.Type == c.markers.Key {
		e.label = c.markers.Key.String()
		c.readKeyMarker(e, pairs)
	} else {
		known = indexTags
		e.label = c.markers.Index.String()
		c.readIndexMarker(e, pairs)
	}
	e.broken = len(issues) > 0
	for _, p := range issues {
		c.add(locatedIssue{Issue{Field: e.label, Text: e.text, Offset: p.Offset, Reason: p.Reason, Hint: p.Hint}, pos})
	}
	for _, p := range pairs {
		if !slices.Contains(known, p.Key) {
			e.broken = true
			c.add(locatedIssue{Issue{Field: e.label, Text: e.text, Offset: p.Offset, Reason: "unknown tag key " + p.Key, Hint: tagHint(p.Key, known)}, pos})
		}
	}
	e.sides[partition], e.given[partition] = pairs.Lookup("pk")
	e.sides[sort], e.given[sort] = pairs.Lookup("sk")
	if shared, ok := pairs.Lookup("shared"); ok {
		e.shared = true
		if shared != "yes" {
			c.add(locatedIssue{Issue{Field: e.label, Tag: "shared", Text: shared, Offset: -1, Reason: "the only value is yes", Hint: `write shared:"yes", or leave it out`}, pos})
		}
	}
	if f.Name != "_" {
		c.add(e.issue("", "the marker must be a blank field", "rename "+f.Name+" to _: a marker holds no data"))
	}
}

func (c *compiler) readKeyMarker(e *entry, pairs tag.Pairs) {
	if c.decl.table != nil {
		c.add(e.issue("", "the type has two fields of this type, but a table has only one key", "declare the key of an index with "+c.markers.Index.String()))
		return
	}
	c.decl.table = e
	name, given := pairs.Lookup("type")
	c.decl.name = name
	if given && name == "" {
		c.add(e.issue("type", "the type's name is empty", c.nameHint()))
		c.decl.name = c.typ.Name() // already reported
	}
}

func (c *compiler) readIndexMarker(e *entry, pairs tag.Pairs) {
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
	if meant := synonyms[strings.ToLower(word)]; slices.Contains(known, meant) {
		return "did you mean " + meant + "?"
	}
	return "the keys of this tag are " + joinWords(known)
}

// joinWords joins words with commas and "and".
func joinWords(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

package define

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/tag"
)

// Markers are the types of the blank fields that declare keys. The caller declares these types, so
// that its documentation shows them.
type Markers struct {
	Key     reflect.Type
	Index   reflect.Type
	Unique  reflect.Type
	Counted reflect.Type
}

// The keys of a marker's tag.
var (
	keyTags   = []string{"type", "pk", "sk", "shared", shardsTag, lifetimeTag}
	indexTags = []string{"name", "on", "pk", "sk", "shared", shardsTag}
)

// synonyms maps the terms of other libraries to the tag keys.
var synonyms = map[string]string{
	"partition": "pk", "partitionkey": "pk", "hash": "pk", "hashkey": "pk", "range": "sk", "rangekey": "sk", "sort": "sk",
	"sortkey": "sk", "index": "on", "gsi": "on", "lsi": "on", "entity": "type", "share": "shared",
}

// readMarker adds a marker field to the declaration.
func (c *compiler) readMarker(f reflect.StructField, pos int) {
	e := &entry{place: place{text: string(f.Tag), pos: pos}}
	pairs, issues := tag.Parse(f.Tag)
	var known []string
	e.field, e.broken = f.Type.String(), len(issues) > 0
	switch f.Type {
	case c.markers.Key:
		known = keyTags
		c.readKeyMarker(e, pairs)
	case c.markers.Index:
		known = indexTags
		c.readIndexMarker(e, pairs)
	case c.markers.Unique:
		known = uniqueTags
		c.readUniqueMarker(e, pairs)
	default:
		known = countedTags
		c.readCountedMarker(e, pairs)
	}
	for _, p := range issues {
		c.add(e.issueAt(p.Offset, p.Reason, p.Hint))
	}
	for _, p := range pairs {
		if !slices.Contains(known, p.Key) {
			e.broken = true
			c.add(e.issueAt(p.Offset, "unknown tag key "+p.Key, tagHint(p.Key, known)))
		}
	}
	e.sides[partition], e.given[partition] = pairs.Lookup("pk")
	e.sides[sort], e.given[sort] = pairs.Lookup("sk")
	if shared, ok := pairs.Lookup("shared"); ok {
		e.shared = true
		if shared != "yes" {
			c.add(place{e.field, "shared", shared, pos}.issue("the only value is yes", `write shared:"yes", or leave it out`))
		}
	}
	c.readShards(e, pairs)
	if f.Type == c.markers.Key {
		c.readLifetime(e, pairs)
	}
	if f.Name != "_" {
		c.add(e.at("").issue("the marker must be a blank field", "rename "+f.Name+" to _: a marker holds no data"))
	}
}

func (c *compiler) readKeyMarker(e *entry, pairs tag.Pairs) {
	if c.decl.table != nil {
		c.add(e.at("").issue("the type has two fields of this type, but a table has only one key", "declare the key of an index with "+c.markers.Index.String()))
		return
	}
	c.decl.table = e
	name, given := pairs.Lookup("type")
	c.decl.name = name
	if given && name == "" {
		c.add(e.at("type").issue("the type's name is empty", c.nameHint()))
		c.decl.name = c.typ.Name() // already reported
	}
}

func (c *compiler) readIndexMarker(e *entry, pairs tag.Pairs) {
	e.name, _ = pairs.Lookup("name")
	e.on, _ = pairs.Lookup("on")
	if e.name != "" {
		e.field += " " + e.name
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

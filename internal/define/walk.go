package define

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/tag"
)

// roleTag is the struct tag key of a field's role.
const roleTag = "entity"

// unstoredTag is the tag of a field that is not stored.
const unstoredTag = codec.TagKey + `:"-"`

// readFields reads the tags of all fields, including those of embedded structs.
func (c *compiler) readFields() { c.readStruct(c.typ, "", nil, nil) }

// readStruct reads the tags of the fields of the entity, or of a struct that it embeds at a path.
// The fields of an embedded struct belong to the entity; its markers do not.
func (c *compiler) readStruct(t reflect.Type, path string, index []int, above []reflect.Type) {
	if slices.Contains(above, t) {
		return
	}
	above = append(slices.Clip(above), t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, at := path+f.Name, append(slices.Clip(index), i)
		switch marker := c.isMarker(f.Type); {
		case marker && path == "":
			c.marker(f, i)
		case marker:
			c.keyReported = c.keyReported || f.Type == c.markers.Key
			c.addTag(path+f.Type.String(), f.Tag, at[0], "a marker in an embedded struct has no effect on the outer struct", "declare the keys in "+typeName(c.typ)+" itself")
		case f.Name == "_":
			if path == "" {
				c.checkBlankField(f, i)
			}
		case f.Anonymous && embeddedStruct(f.Type) != nil:
			c.readEmbedded(f, name, at, above)
		default:
			c.readField(f, name, at)
		}
	}
}

func (c *compiler) isMarker(t reflect.Type) bool {
	return t == c.markers.Key || t == c.markers.Index || t == c.markers.Unique
}

func (c *compiler) marker(f reflect.StructField, pos int) {
	if c.spec != nil {
		if c.specAndTags {
			return
		}
		c.specAndTags = true
		c.addTag(f.Type.String(), f.Tag, pos, "both a Spec and the tags declare the type", "keep one of the two")
		return
	}
	c.readMarker(f, pos)
	if pos == c.typ.NumField()-1 && c.typ.Size() > 0 {
		c.addTag(f.Type.String(), f.Tag, pos, "a marker as the last field adds padding to every value", "move it to the top of the struct")
	}
}

// checkBlankField reports a blank field that has the tag of a marker but not its type.
func (c *compiler) checkBlankField(f reflect.StructField, pos int) {
	pairs, _ := tag.Parse(f.Tag)
	meant := c.markers.Key
	for _, key := range []string{"name", "on"} {
		if _, ok := pairs.Lookup(key); ok {
			meant = c.markers.Index
		}
	}
	for _, p := range pairs {
		if p.Key != "pk" && p.Key != "sk" && p.Key != "on" {
			continue
		}
		c.keyReported = c.keyReported || meant == c.markers.Key
		c.addTag("_ "+f.Type.String(), f.Tag, pos, "a blank field of this type has no effect", "its type must be "+meant.String())
		return
	}
}

// embeddedStruct returns the struct type that a field embeds, or nil.
func embeddedStruct(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// readEmbedded reads the tags of an embedded struct. Its fields belong to the entity; its markers
// do not. If its tag has a name, it is an ordinary attribute. If its tag is "-", it is not stored.
func (c *compiler) readEmbedded(f reflect.StructField, path string, index []int, above []reflect.Type) {
	pairs := c.fieldTag(f, path, index[0])
	if name := attributeName(pairs); name != "" {
		c.addAttributeName(name, path)
		c.readRole(path, index, pairs)
		return
	}
	c.readStruct(embeddedStruct(f.Type), path+".", index, above)
}

// attributeName returns the name in a field's tag. It returns "" if there is no name, and "-" if
// the field is not stored.
func attributeName(pairs tag.Pairs) string {
	text, _ := pairs.Lookup(codec.TagKey)
	name, _, _ := strings.Cut(text, ",")
	return name
}

// addAttributeName records the attribute name of a field, or that the field is not stored.
func (c *compiler) addAttributeName(attribute, path string) {
	if attribute == "-" {
		c.unstored = append(c.unstored, path)
		return
	}
	c.attributes[attribute] = true
}

// readField reads the tag of an ordinary field.
func (c *compiler) readField(f reflect.StructField, path string, index []int) {
	pairs := c.fieldTag(f, path, index[0])
	switch {
	case f.IsExported():
		c.addAttributeName(cmp.Or(attributeName(pairs), f.Name), path)
		c.readRole(path, index, pairs)
	case slices.ContainsFunc(pairs, ineffective):
		c.addSuspectWords(f.Tag)
		c.addTag(path, f.Tag, index[0], "the field is not exported, so it is never stored", "export it, or drop the tag")
	}
}

// ineffective reports whether a tag pair has no effect on an unexported field.
func ineffective(p tag.Pair) bool {
	return (p.Key == codec.TagKey || p.Key == roleTag) && p.Value != "-"
}

// fieldTag parses the tag of a field and reports its issues.
func (c *compiler) fieldTag(f reflect.StructField, path string, pos int) tag.Pairs {
	before := len(c.issues)
	pairs := c.tagOf(f, path, pos, codec.TagKey, roleTag)
	if len(c.issues) > before {
		c.addSuspectWords(f.Tag)
		c.invalidTags[path] = true
	}
	return pairs
}

// addTag adds an issue of a field's tag.
func (c *compiler) addTag(field string, tag reflect.StructTag, pos int, reason, hint string) {
	c.add(place{field: field, text: string(tag), pos: pos}.issue(reason, hint))
}

// tagOf parses the tag of a field. It reports tag keys that are misspellings of one of ours.
func (c *compiler) tagOf(f reflect.StructField, path string, pos int, ours ...string) tag.Pairs {
	pairs, issues := tag.Parse(f.Tag)
	text := string(f.Tag)
	issue := func(offset int, reason, hint string) {
		c.add(place{field: path, text: text, pos: pos}.issueAt(offset, reason, hint))
	}
	if strings.Contains(text, codec.TagKey) || strings.Contains(text, roleTag) {
		for _, p := range issues {
			issue(p.Offset, p.Reason, p.Hint)
		}
	}
	for _, p := range pairs {
		switch p.Key {
		case codec.TagKey, roleTag:
		case "pk", "sk":
			issue(p.Offset, "templates are not declared on a field", "write them on a blank "+c.markers.Key.String()+" or "+c.markers.Index.String()+" at the top of the struct")
		default:
			if meant := misspelled(p.Key, pairs, ours...); meant != "" {
				issue(p.Offset, "unknown tag key "+p.Key, "did you mean "+meant+"?")
			}
		}
	}
	return pairs
}

// misspelled returns the key of ours that key probably means, if the tag lacks it. One letter in
// four may be wrong.
func misspelled(key string, pairs tag.Pairs, ours ...string) string {
	for _, meant := range ours {
		if _, has := pairs.Lookup(meant); !has && tag.Distance(strings.ToLower(key), meant) <= len(meant)/4 {
			return meant
		}
	}
	return ""
}

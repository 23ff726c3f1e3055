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

// notStored is the tag of a field that is not stored.
const notStored = codec.TagKey + `:"-"`

// walk reads the tags of all fields, including those of embedded structs.
func (c *compiler) walk() {
	for i := range c.typ.NumField() {
		f := c.typ.Field(i)
		switch {
		case c.isMarker(f.Type):
			c.marker(f, i)
		case f.Name == "_":
			c.blank(f, i)
		case f.Anonymous && embedded(f.Type) != nil:
			c.promoted(f, f.Name, []int{i}, nil)
		default:
			c.field(f, f.Name, []int{i})
		}
	}
}

func (c *compiler) isMarker(t reflect.Type) bool { return t == c.markers.Key || t == c.markers.Index }

func (c *compiler) marker(f reflect.StructField, pos int) {
	if c.spec {
		if c.twofold {
			return
		}
		c.twofold = true
		c.add(located{Fault{Field: f.Type.String(), Text: string(f.Tag), Offset: -1, Reason: "the type is declared by a Spec and by its tags", Hint: "keep one of the two"}, pos})
		return
	}
	c.fromMarker(f, pos)
	if pos == c.typ.NumField()-1 && c.typ.Size() > 0 {
		c.add(located{Fault{Field: f.Type.String(), Text: string(f.Tag), Offset: -1, Reason: "as the last field, a marker costs memory in every value", Hint: "move it to the top of the struct"}, pos})
	}
}

// blank reports a blank field that has the tag of a marker but not its type.
func (c *compiler) blank(f reflect.StructField, pos int) {
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
		c.meant = c.meant || meant == c.markers.Key
		c.add(located{Fault{Field: "_ " + f.Type.String(), Text: string(f.Tag), Offset: -1, Reason: "a blank field of this type declares nothing", Hint: "its type must be " + meant.String()}, pos})
		return
	}
}

// embedded returns the struct type that a field embeds, or nil.
func embedded(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// promoted reads the tags of an embedded struct. Its fields belong to the entity; its markers do
// not. If its tag has a name, it is an ordinary attribute. If its tag is "-", it is not stored.
func (c *compiler) promoted(f reflect.StructField, path string, index []int, above []reflect.Type) {
	pairs := c.fieldTag(f, path, index[0])
	if name := attributeName(pairs); name != "" {
		c.named(name, path)
		c.roleOf(path, index, pairs)
		return
	}
	c.within(f.Type, path, index, above)
}

// attributeName returns the name in a field's tag. It returns "" if there is no name, and "-" if
// the field is not stored.
func attributeName(pairs tag.Pairs) string {
	text, _ := pairs.Lookup(codec.TagKey)
	name, _, _ := strings.Cut(text, ",")
	return name
}

func (c *compiler) within(t reflect.Type, path string, index []int, above []reflect.Type) {
	t = embedded(t)
	if slices.Contains(above, t) {
		return
	}
	above = append(above[:len(above):len(above)], t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, at := path+"."+f.Name, append(index[:len(index):len(index)], i)
		switch {
		case c.isMarker(f.Type):
			c.meant = c.meant || f.Type == c.markers.Key
			c.add(located{Fault{Field: name[:len(name)-len(f.Name)] + f.Type.String(), Text: string(f.Tag), Offset: -1, Reason: "a marker inside an embedded struct declares nothing for the struct around it", Hint: "declare the keys in " + typeName(c.typ) + " itself"}, index[0]})
		case f.Anonymous && embedded(f.Type) != nil:
			c.promoted(f, name, at, above)
		case f.Name != "_":
			c.field(f, name, at)
		}
	}
}

// named records the attribute name of a field, or that the field is not stored.
func (c *compiler) named(attribute, path string) {
	if attribute == "-" {
		c.unstored = append(c.unstored, path)
		return
	}
	c.met[attribute] = true
}

// field reads the tag of an ordinary field.
func (c *compiler) field(f reflect.StructField, path string, index []int) {
	pairs := c.fieldTag(f, path, index[0])
	switch {
	case f.IsExported():
		c.named(cmp.Or(attributeName(pairs), f.Name), path)
		c.roleOf(path, index, pairs)
	case slices.ContainsFunc(pairs, useless):
		c.suspects(f.Tag)
		c.add(located{Fault{Field: path, Text: string(f.Tag), Offset: -1, Reason: "the field is not exported, so it is never stored", Hint: "export it, or drop the tag"}, index[0]})
	}
}

// useless reports whether a tag pair has no effect on an unexported field.
func useless(p tag.Pair) bool { return (p.Key == codec.TagKey || p.Key == roleTag) && p.Value != "-" }

// fieldTag parses the tag of a field and reports its faults.
func (c *compiler) fieldTag(f reflect.StructField, path string, pos int) tag.Pairs {
	before := len(c.faults)
	pairs := c.tagOf(f, path, pos, codec.TagKey, roleTag)
	if len(c.faults) > before {
		c.suspects(f.Tag)
		c.doubtful[path] = true
	}
	return pairs
}

// tagOf parses the tag of a field. It reports tag keys that are misspellings of one of ours.
func (c *compiler) tagOf(f reflect.StructField, path string, pos int, ours ...string) tag.Pairs {
	pairs, problems := tag.Parse(f.Tag)
	text := string(f.Tag)
	fault := func(offset int, reason, hint string) {
		c.add(located{Fault{Field: path, Text: text, Offset: offset, Reason: reason, Hint: hint}, pos})
	}
	if strings.Contains(text, codec.TagKey) || strings.Contains(text, roleTag) {
		for _, p := range problems {
			fault(p.Offset, p.Reason, p.Hint)
		}
	}
	for _, p := range pairs {
		switch p.Key {
		case codec.TagKey, roleTag:
		case "pk", "sk":
			fault(p.Offset, "templates are not declared on a field", "write them on a blank "+c.markers.Key.String()+" or "+c.markers.Index.String()+" at the top of the struct")
		default:
			if meant := misspelled(p.Key, pairs, ours...); meant != "" {
				fault(p.Offset, "unknown tag key "+p.Key, "did you mean "+meant+"?")
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

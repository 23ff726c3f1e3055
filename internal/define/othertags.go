package define

import (
	"reflect"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
)

// otherTags are the struct tags with which other libraries name attributes: guregu/dynamo, and the
// SDK for Go v1, which falls back to those of encoding/json.
var otherTags = []string{"dynamo", "json"}

// checkOtherTags reports structs whose fields have names for other libraries and not one dynamodbav
// tag. They would be stored under their Go names, and existing items would be read as zeros.
func (c *compiler) checkOtherTags() {
	c.otherNames = map[string]string{}
	c.otherTagsIn(c.plan.Shape, "", -1, map[reflect.Type]bool{})
}

// OtherTags reports the structs in a value that an entity type stores, if their names for other
// libraries are ignored. The entity's definition does not see the value, because its field encodes
// itself.
func OtherTags(entity reflect.Type, value *codec.Struct) []Issue {
	c := &compiler{typ: entity, plan: new(core.Plan)}
	c.otherTagsIn(value, "", -1, map[reflect.Type]bool{})
	return c.issues
}

// otherTagsIn checks a struct, those that it embeds, and those in its fields.
func (c *compiler) otherTagsIn(s *codec.Struct, path string, pos int, seen map[reflect.Type]bool) {
	if seen[s.Type] {
		return
	}
	c.otherTagsOf(s.Type, path, pos, s == c.plan.Shape, seen)
	for _, f := range s.Fields() {
		nested, at, name := f.Node.Nested(), pos, path+"."+f.GoName
		if path == "" {
			at, name = f.Index[0], f.GoName
		}
		if nested != nil {
			c.otherTagsIn(nested, name, at, seen)
		}
	}
}

// otherTagsOf checks the fields of a struct type and of those that it embeds. own is true if they
// are attributes of the item.
func (c *compiler) otherTagsOf(t reflect.Type, path string, pos int, own bool, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	var wrong otherTagged
	for i := range t.NumField() {
		f := t.Field(i)
		pairs, at, name := f.Tag, pos, strings.TrimPrefix(path+"."+f.Name, ".")
		if path == "" {
			at = i
		}
		named, tagged := pairs.Lookup(codec.TagKey)
		wrong.used = wrong.used || tagged && named != "-"
		switch base := embeddedStruct(f.Type); {
		case c.isMarker(f.Type), !f.IsExported() && !f.Anonymous:
		case f.Anonymous && base != nil && (!tagged || strings.HasPrefix(named, ",")):
			c.otherTagsOf(base, name, at, own, seen)
		default:
			wrong.add(f)
		}
	}
	if !wrong.differs || wrong.used || !c.curable(t) {
		return
	}
	of := "its " + wrong.kind + " tags"
	if t != c.typ {
		of = "the " + wrong.kind + " tags of " + typeName(t)
	}
	issue := place{field: path, pos: pos}.issue(of+" are ignored, so the attributes would have the names of the Go fields",
		"write "+strings.Join(wrong.tags, ", ")+"; to keep the Go names, tag one field with its own name")
	issue.Cause = "tags of " + t.PkgPath() + " " + t.String()
	if own {
		for _, name := range wrong.names {
			c.otherNames[name] = issue.Cause
		}
	}
	c.add(issue)
}

// curable reports whether the tags of a struct type can be changed: it has no name, or its package
// belongs to the organization of the entity's package, judged by the first elements of their paths.
func (c *compiler) curable(t reflect.Type) bool {
	organization := func(path string) string {
		elements := strings.SplitN(path, "/", 3)
		if strings.Contains(elements[0], ".") && len(elements) > 1 {
			return elements[0] + "/" + elements[1]
		}
		return elements[0]
	}
	return t == c.typ || t.PkgPath() == "" || organization(t.PkgPath()) == organization(c.typ.PkgPath())
}

// otherTagged are the fields of a struct with the tags of other libraries.
type otherTagged struct {
	used    bool     // a field has a dynamodbav tag
	differs bool     // a name differs from that of the Go field
	kind    string   // the key of the first tag whose name differs
	names   []string // in the tags
	tags    []string // the dynamodbav tags to write
}

func (o *otherTagged) add(f reflect.StructField) {
	for _, key := range otherTags {
		text, ok := f.Tag.Lookup(key)
		if !ok {
			continue
		}
		options := strings.Split(text, ",")
		name := options[0]
		if name != "" && name != "-" && name != f.Name {
			if !o.differs {
				o.differs, o.kind = true, key
			}
			o.names = append(o.names, name)
		}
		if wanted := strings.TrimSuffix(name+","+strings.Join(ownOptions(f.Type, options[1:]), ","), ","); wanted != "" && wanted != f.Name {
			o.tags = append(o.tags, f.Name+" "+codec.TagKey+":"+quote(wanted))
		}
		return
	}
}

// ownOptions returns the options of a dynamodbav tag for those of another library, as far as they
// have an effect on the type.
func ownOptions(t reflect.Type, options []string) (own []string) {
	base := t
	for base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	for _, option := range options {
		switch option {
		case "omitempty", "omitzero":
			if t.Kind() == reflect.Struct && !inPackageTime(t) || t.Kind() == reflect.Array {
				continue
			}
			option = "omitempty"
		case "null":
			option = "nullempty"
		case "string":
			if base.Kind() < reflect.Int || base.Kind() > reflect.Float64 {
				continue
			}
		case "set":
			option = setOption(base)
		case "omitemptyelem", "unixtime":
		default:
			continue
		}
		if option != "" && !slices.Contains(own, option) {
			own = append(own, option)
		}
	}
	return own
}

// setOption returns the option for a set of the elements of a list type, or "".
func setOption(t reflect.Type) string {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		return ""
	}
	switch k := t.Elem().Kind(); {
	case k == reflect.String:
		return "stringset"
	case k >= reflect.Int && k <= reflect.Float64:
		return "numberset"
	default:
		return "binaryset"
	}
}

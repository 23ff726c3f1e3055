package define

import (
	"strings"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/tag"
	"github.com/trestledb/trestle/keys"
)

// declaredUnique is a unique value that a role, a marker or a Spec declares.
type declaredUnique struct {
	place
	name string // for errors; empty: the fields of the template
	text string // the template
	by   *entry // the marker; nil for a role or a Spec
}

// uniqueTags are the keys of the marker's tag.
var uniqueTags = []string{"name", "key"}

// readUniqueMarker adds a marker of a unique value to the declaration.
func (c *compiler) readUniqueMarker(e *entry, pairs tag.Pairs) {
	name, _ := pairs.Lookup("name")
	if name != "" {
		e.field += " " + name
	}
	text, _ := pairs.Lookup("key")
	c.uniques = append(c.uniques, &declaredUnique{place: place{e.field, "key", text, e.pos}, name: name, text: text, by: e})
}

// assignUnique declares the field as a unique value. A field with the role needs no format, because
// guards need not sort.
func (c *compiler) assignUnique(f *codec.Field) (reason, hint string) {
	kind, ok := f.KeyKind()
	if !ok {
		return notKeyable(f)
	}
	text := "<" + f.Name + guardFormats[kind] + ">"
	c.uniques = append(c.uniques, &declaredUnique{place: fieldPlace(f), text: text})
	return "", ""
}

// guardFormats are the formats that keep a whole value.
var guardFormats = map[keys.Kind]string{
	keys.KindInt: ":raw", keys.KindUint: ":raw", keys.KindFloat: ":ord", keys.KindTime: ":ns", keys.KindBytes: ":hex",
}

// compileUniques compiles the templates of unique values.
func (c *compiler) compileUniques() {
	taken := map[string]bool{}
	for _, u := range c.uniques {
		if u.text == "" {
			c.addNoTemplate(u)
			continue
		}
		if c.schema.Partition.Type == keys.N {
			c.addShared("unique values need a key of type S", u.issue("the guards of unique values need a partition key of type S or B, but "+c.schema.Partition.Name+" is of type N", "use a table with a partition key of type S"))
			return
		}
		k := c.compileUnique(u)
		if k == nil {
			continue
		}
		name := u.name
		if name == "" {
			var fields []string
			for _, m := range k.Members {
				fields = append(fields, m.Name)
			}
			name = strings.Join(fields, ", ")
		}
		if taken[name] {
			c.add(u.issue("the type has another unique value with the name "+name, "drop one of the two, or give it another name"))
			continue
		}
		taken[name] = true
		c.plan.Uniques = append(c.plan.Uniques, &core.Unique{Name: name, Key: k})
	}
}

// addNoTemplate reports a unique value without a template, unless the tag has another issue.
func (c *compiler) addNoTemplate(u *declaredUnique) {
	at := u.place
	if u.by != nil {
		at = u.by.at("key")
	}
	if u.by == nil || !u.by.broken {
		c.add(at.issue("the unique value has no template", "such as key:"+quote("<email:lower>")))
	}
}

// uniqueLiteral precedes the template of a unique value, so that the value is escaped even if the
// template is a single placeholder.
const uniqueLiteral = "U" + defaultDelimiter

// compileUnique compiles the template of a unique value. It is escaped also in a table with raw
// keys. It returns nil after an issue.
func (c *compiler) compileUnique(u *declaredUnique) *core.KeyAttr {
	if c.addShardOutsideKey(u.place, "remove it: unique values have a partition each") {
		return nil
	}
	a := core.Attribute{Name: c.schema.Partition.Name, Type: keys.S}
	k, issues := c.compileTemplateWith(a, uniqueLiteral+u.text, keys.Options{Delimiter: defaultDelimiter})
	for _, f := range issues {
		c.addShared(f.Cause, u.issueAt(max(0, f.Offset-len(uniqueLiteral)), f.Reason, f.Hint))
	}
	if k == nil {
		return nil
	}
	if len(k.Members) == 0 {
		c.add(u.issue("the template names no field, so only one item could exist", "such as key:"+quote("<email:lower>")))
		return nil
	}
	for _, f := range k.Members {
		if f == c.plan.Updated {
			c.add(u.issue(f.GoName+" has the role updated and changes with every write", "use another field"))
			return nil
		}
	}
	if c.addIndexOnly(u.place, k) {
		return nil
	}
	return k
}

// addIndexOnly reports a member that only index keys hold. An item that leaves the index would lose
// the value, and writes could not find the items that depend on it.
func (c *compiler) addIndexOnly(at place, k *core.KeyAttr) (found bool) {
	for _, f := range k.Members {
		if f.KeyOnly && !c.plan.TableMember(f) {
			c.add(at.issue(f.GoName+" is stored in keys of indexes only, and is lost when the item leaves the index", "drop its role key"))
			return true
		}
	}
	return false
}

package define

import (
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/keys"
)

// checkReservedNames reports fields that use the type attribute or the write ID attribute.
func (c *compiler) checkReservedNames() {
	check := func(f *codec.Field, attribute, purpose, option string) {
		if attribute != "" && f.Name == attribute {
			c.add(fieldIssue(f, "the attribute "+f.Name+" is reserved for "+purpose, "rename the attribute, or configure another "+option))
		}
	}
	for _, f := range c.plan.Shape.Fields() {
		if !f.KeyOnly {
			check(f, c.schema.TypeAttr, "the type name", "TypeAttribute")
			check(f, c.schema.WriteID, "write IDs", "WriteID")
		}
	}
}

// fieldIssue creates an issue of a field's attribute.
func fieldIssue(f *codec.Field, reason, hint string) locatedIssue {
	return locatedIssue{Issue{Field: f.GoName, Tag: codec.TagKey, Text: f.Tag.Get(codec.TagKey), Offset: -1, Reason: reason, Hint: hint}, f.Index[0]}
}

// selectParsedKeys selects the key attributes from which Decode reads each key-only field. It
// prefers the table's key to indexes, and a key that keeps the whole field to others. If no key
// keeps the whole field, it selects the most precise one, and writes return an error for values
// that this key would change.
func (c *compiler) selectParsedKeys() {
	for _, f := range c.plan.Shape.Fields() {
		if !f.KeyOnly {
			continue
		}
		table, indexes := membersOf(c.plan.Table.Attributes(), f), membersOf(c.indexAttrs(), f)
		whole := lossless(table)
		switch {
		case parseFrom(whole[:min(1, len(whole))]):
		case parseFrom(lossless(indexes)):
			c.checkPartialKeys(f)
		case parseFrom(mostPrecise(table)):
		case parseFrom(mostPrecise(indexes)):
			c.checkPartialKeys(f)
		case c.decl.table != nil && !c.explainedByIssue(f):
			reason, hint := "the field has the role key, but no key contains it", "write "+placeholderOf(f, keys.S)+" into a template, or drop the role key"
			c.add(locatedIssue{Issue{Field: f.GoName, Tag: roleTag, Text: core.RoleKey, Offset: -1, Reason: reason, Hint: hint}, f.Index[0]})
		}
	}
}

// checkPartialKeys reports index keys that keep only a part of the field. An item can leave the
// index that keeps the whole field, and then the field is lost: the key that remains can be neither
// decoded nor rendered again. Both sides of one index key are always present or absent together,
// and members of the table's key never change, so these cases are valid.
func (c *compiler) checkPartialKeys(f *codec.Field) {
	if c.plan.TableMember(f) {
		return
	}
	reason := f.GoName + " is stored in keys only, and this key stores only a part of its value: an item that is on no other index would lose the rest"
	hint := "use a lossless format here or in the table's key, or drop the role key"
	for _, x := range c.plan.Indexes {
		if slices.ContainsFunc(membersOf(x.Key.Attributes(), f), keyMember.parsed) {
			continue
		}
		for k := range x.Key.Attributes() {
			if i := slices.Index(k.Members, f); i >= 0 {
				c.add(c.templates[k.Name].issue(k.Template.Fields()[i].Offset, reason, hint))
			}
		}
	}
}

// explainedByIssue reports whether another issue may explain why no key contains the field. Such an
// issue is in a template that names the field, in the field's own tag, or suggests the field.
func (c *compiler) explainedByIssue(f *codec.Field) bool {
	if c.suggested[f.Name] || c.invalidTags[f.GoName] {
		return true
	}
	for name, k := range c.keyAttrs {
		r := c.templates[name]
		if k != nil || r == nil {
			continue
		}
		meant := func(l suspectPlaceholder) bool { return l.field == f.Name }
		if strings.Contains(r.text, "<"+f.Name) || slices.ContainsFunc(c.suspectPlaceholders(r.text), meant) {
			return true
		}
	}
	return false
}

// keyMember is a member of a key attribute that holds a field.
type keyMember struct {
	attr  *core.KeyAttr
	index int
}

// indexAttrs yields the key attributes that are not part of the table's key.
func (c *compiler) indexAttrs() iter.Seq[*core.KeyAttr] {
	return func(yield func(*core.KeyAttr) bool) {
		for _, k := range c.plan.Attrs {
			if !k.Table && !yield(k) {
				return
			}
		}
	}
}

// membersOf returns the members of key attributes that hold a field.
func membersOf(attrs iter.Seq[*core.KeyAttr], f *codec.Field) (found []keyMember) {
	for k := range attrs {
		for i, m := range k.Members {
			if m == f {
				found = append(found, keyMember{k, i})
			}
		}
	}
	return found
}

// parsed reports whether Decode reads the field from the member.
func (m keyMember) parsed() bool {
	return m.index < len(m.attr.Parse) && m.attr.Parse[m.index]
}

// lossless returns the members that keep the whole field.
func lossless(found []keyMember) (whole []keyMember) {
	for _, m := range found {
		if m.attr.Template.Lossless(m.index) {
			whole = append(whole, m)
		}
	}
	return whole
}

// mostPrecise returns the places that keep most of a field. For times, these are the places that
// lose the shortest duration. For other kinds, they are the places with the format of the first
// place.
func mostPrecise(found []keyMember) []keyMember {
	var kept []keyMember
	least := int64(math.MaxInt64)
	for _, p := range found {
		switch drops := p.loss(found[0]); {
		case drops < least:
			least, kept = drops, []keyMember{p}
		case drops == least && drops < math.MaxInt64:
			kept = append(kept, p)
		}
	}
	return kept
}

// loss returns the nanoseconds that the format removes from a time. For other kinds, it returns 0
// if the format equals that of the first place, and math.MaxInt64 otherwise.
func (m keyMember) loss(first keyMember) int64 {
	if kind, _ := m.attr.Members[m.index].KeyKind(); kind != keys.KindTime {
		if m.attr.Template.Format(m.index) == first.attr.Template.Format(first.index) {
			return 0
		}
		return math.MaxInt64
	}
	full := time.Date(2001, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
	kept, err := m.attr.Template.Kept(m.index, keys.Time(full))
	if err != nil {
		return math.MaxInt64
	}
	return int64(full.Sub(kept.Time()).Abs())
}

// parseFrom makes Decode read the field from these places. It returns false if there are none.
func parseFrom(from []keyMember) bool {
	for _, p := range from {
		if p.attr.Parse == nil {
			p.attr.Parse = make([]bool, len(p.attr.Members))
		}
		p.attr.Parse[p.index] = true
	}
	return len(from) > 0
}

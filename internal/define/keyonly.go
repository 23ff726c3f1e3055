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
	for _, own := range [...]struct{ attribute, purpose, option string }{
		{c.schema.TypeAttr, "the type name", "TypeAttribute"}, {c.schema.WriteID, "write IDs", "WriteID"},
	} {
		if f := c.plan.Shape.ByName(own.attribute); f != nil && own.attribute != "" && !f.KeyOnly {
			c.add(fieldPlace(f).issue("the attribute "+f.Name+" is reserved for "+own.purpose, "rename the attribute, or configure another "+own.option))
		}
	}
}

// fieldPlace returns the place of a field's attribute.
func fieldPlace(f *codec.Field) place {
	return place{f.GoName, codec.TagKey, f.Tag.Get(codec.TagKey), f.Index[0]}
}

// selectParsedKeys selects the key attributes from which Decode reads each key-only field. It
// prefers the table's key to indexes, and a key that keeps the whole field to others. If no key
// keeps the whole field, it selects the most precise one, and writes return an error for values
// that this key would change.
func (c *compiler) selectParsedKeys() {
	for _, f := range c.plan.Shape.Fields() {
		if !f.KeyOnly || f == c.plan.Shard && len(membersOf(c.plan.Table.Attributes(), f)) == 0 {
			continue
		}
		table := membersOf(c.plan.Table.Attributes(), f)
		indexes := slices.DeleteFunc(membersOf(slices.Values(c.plan.Attrs), f), func(m keyMember) bool { return m.attr.Table })
		fromTable, wholeInTable := mostPrecise(table)
		fromIndexes, wholeInIndex := mostPrecise(indexes)
		switch {
		case wholeInTable:
			parseFrom(fromTable[:1])
		case len(fromTable) > 0 && !wholeInIndex:
			parseFrom(fromTable)
		case len(fromIndexes) > 0:
			parseFrom(fromIndexes)
			c.checkPartialKeys(f)
		case c.decl.table != nil && !c.explainedByIssue(f):
			reason, hint := "the field has the role key, but no key contains it", "write "+placeholderOf(f, keys.S)+" into a template, or drop the role key"
			c.add(place{f.GoName, roleTag, core.RoleKey, f.Index[0]}.issue(reason, hint))
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

// mostPrecise returns the members that keep most of a field, and whether they keep the whole field.
// For times, these are the members that lose the shortest duration. For other kinds, they are the
// members with the format of the first member.
func mostPrecise(found []keyMember) (kept []keyMember, whole bool) {
	least := int64(math.MaxInt64)
	for _, m := range found {
		switch loss := m.loss(found[0]); {
		case loss < least:
			least, kept = loss, []keyMember{m}
		case loss == least && loss < math.MaxInt64:
			kept = append(kept, m)
		}
	}
	return kept, least == 0
}

// loss returns 0 if the member keeps the whole field, or else the nanoseconds that the format
// removes from a time. For other kinds, it returns 1 if the format equals that of the first member,
// and math.MaxInt64 otherwise.
func (m keyMember) loss(first keyMember) int64 {
	t := m.attr.Template
	if t.Lossless(m.index) {
		return 0
	}
	if kind, _ := m.attr.Members[m.index].KeyKind(); kind != keys.KindTime {
		if t.Format(m.index) == first.attr.Template.Format(first.index) {
			return 1
		}
		return math.MaxInt64
	}
	full := time.Date(2001, time.December, 31, 23, 59, 59, 999_999_999, time.UTC)
	kept, err := t.Kept(m.index, keys.Time(full))
	if err != nil {
		return math.MaxInt64
	}
	return max(1, int64(full.Sub(kept.Time()).Abs()))
}

// parseFrom makes Decode read the field from these members.
func parseFrom(from []keyMember) {
	for _, m := range from {
		if m.attr.Parse == nil {
			m.attr.Parse = make([]bool, len(m.attr.Members))
		}
		m.attr.Parse[m.index] = true
	}
}

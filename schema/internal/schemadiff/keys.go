package schemadiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/keysyntax"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// key compares the values of a key attribute.
func (c *comparison) key(attribute string, was, is *schemadoc.Entity) {
	before := was.Keys[attribute]
	after, exists := is.Keys[attribute]
	remedy := c.keyRemedy(attribute, was.Name)
	switch {
	case before.Text == after.Text:
		for _, change := range c.formatChanges(before.Template) {
			c.add("key %s of %s is still %s, but %s: %s", attribute, was.Name, after.Text, change, remedy)
		}
	case exists && sameValues(before, after) && c.shards(attribute, was.Name, before, after):
	case !exists && (was.Attributes[attribute] != nil || is.Attributes[attribute] != nil):
		// It is an ordinary attribute. The comparison of attributes reports its changes.
	case !exists:
		c.add("key %s of %s was removed: every stored %s keeps it, and stays on the indexes that use it; remove the attribute", attribute, was.Name, was.Name)
	case renamed(before.Text, after.Text, was, is):
		c.add("key %s of %s changed from %s to %s: if only the attribute was renamed, keys are the same; otherwise %s", attribute, was.Name, before.Text, after.Text, remedy)
	default:
		c.add("key %s of %s changed from %s to %s: %s", attribute, was.Name, before.Text, after.Text, remedy)
	}
}

// keyRemedy returns what to do with stored items after a key attribute has changed, and which reads
// miss them before and after.
func (c *comparison) keyRemedy(attribute, entity string) string {
	switch {
	case !slices.Contains(c.is.TableKey, attribute):
		return fmt.Sprintf("start Reindex of %s, to update its index entries; until it ends, queries of this schema miss stored items without an error, "+
			"and those of the earlier schema miss updated ones", entity)
	case c.is.TypeAttr == "" || c.was.TypeAttr != c.is.TypeAttr:
		return fmt.Sprintf("move every stored %s to its new table key; until then, programs with this schema do not find it", entity)
	default:
		return fmt.Sprintf("start Reindex of %s, to move every stored item to its new table key; programs with this schema do not find an item before it moves, "+
			"and those with the earlier schema do not find it afterwards", entity)
	}
}

// sameValues reports whether a key has the same values after rewriting stored items, and keeps the
// same items off the index. A change to or from the condition nil has no effect: stored attributes
// do not decode to nil, and omitted ones do.
func sameValues(was, is schemadoc.Key) bool {
	for field, value := range was.Absent {
		if is.Absent[field] != value && is.Absent[field] != schemadoc.AbsentNil {
			return false
		}
	}
	for field, value := range is.Absent {
		if was.Absent[field] != value && value != schemadoc.AbsentNil {
			return false
		}
	}
	return was.Template == is.Template && was.Type == is.Type && sameKinds(was, is)
}

// sameKinds reports whether the formats of a key encode the earlier and the new kinds alike. The
// format ord writes the same digits for signed and unsigned integers. A custom format may not.
func sameKinds(was, is schemadoc.Key) bool {
	custom := slices.ContainsFunc(keysyntax.Placeholders(was.Template), func(p keysyntax.Placeholder) bool { return customFormat(formatOf(p)) != "" })
	return slices.EqualFunc(was.Kinds, is.Kinds, func(a, b string) bool {
		return a == b || !custom && strings.TrimPrefix(a, "u") == strings.TrimPrefix(b, "u")
	})
}

// renamed reports whether two keys differ only in names, each time of a removed attribute and
// a new one.
func renamed(before, after string, was, is *schemadoc.Entity) bool {
	if schemadoc.WithoutNames(before) != schemadoc.WithoutNames(after) {
		return false
	}
	olds, news := keysyntax.Placeholders(before), keysyntax.Placeholders(after)
	for i := range olds {
		moved := func(before, after string) bool {
			return before == after || is.Attributes[before] == nil && was.Attributes[after] == nil
		}
		if !slices.EqualFunc(fieldsOf(olds[i]), fieldsOf(news[i]), moved) {
			return false
		}
	}
	return true
}

// formatOf returns the format of a placeholder. A shard has none: the names of fields follow it.
func formatOf(p keysyntax.Placeholder) string {
	if p.Name == keysyntax.ShardName {
		return ""
	}
	return p.Format
}

// formatChanges returns the formats in a template whose sample output has changed.
func (c *comparison) formatChanges(template string) (changes []string) {
	for _, p := range keysyntax.Placeholders(template) {
		for format, was := range c.was.Formats {
			is, ok := c.is.Formats[format]
			if of, _, _ := strings.Cut(format, " "); of == formatOf(p) && ok && is != was {
				changes = append(changes, fmt.Sprintf("format %s wrote %s and now writes %s", p.Format, was, is))
			}
		}
	}
	slices.Sort(changes)
	return slices.Compact(changes)
}

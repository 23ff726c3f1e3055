package define

import "fmt"

// side is one half of a key: the partition key or the sort key.
type side uint8

const (
	partition side = iota
	sort
)

// tag returns the struct tag key of the side's template.
func (s side) tag() string { return [...]string{"pk", "sk"}[s] }

func (s side) String() string { return [...]string{"partition", "sort"}[s] }

// declaration holds the keys that a type declares, by tags or by a Spec.
type declaration struct {
	name    string // the value of the type attribute; may be empty
	table   *entry // nil: not declared
	indexes []*entry
}

// entry is a declared key: the table's key, or an access pattern on an index.
type entry struct {
	pos    int    // the position in the source
	label  string // the name in error messages
	name   string // the name of the access pattern
	on     string // the name of the index
	sides  [2]string
	given  [2]bool
	shared bool
	text   string // the whole tag
	broken bool   // the tag has issues; a missing key of the tag may be misspelled
}

func (c *compiler) readSpec() {
	spec := c.spec
	if spec == nil {
		return
	}
	pos := -1 - len(spec.Indexes) // a Spec comes before the fields
	given := func(texts [2]string) [2]bool { return [2]bool{texts[partition] != "", texts[sort] != ""} }
	keys := [2]string{spec.Key.PK, spec.Key.SK}
	c.decl.name = spec.Type
	c.decl.table = &entry{pos: pos, label: "Spec.Key", sides: keys, given: given(keys), shared: spec.Key.Shared}
	for i, x := range spec.Indexes {
		texts := [2]string{x.PK, x.SK}
		e := &entry{pos: pos + 1 + i, name: x.Name, on: x.On, sides: texts, given: given(texts), shared: x.Shared}
		e.label = fmt.Sprintf("Spec.Indexes[%d]", i)
		if x.Name != "" {
			e.label += " " + x.Name
		}
		c.decl.indexes = append(c.decl.indexes, e)
	}
}

// issue creates an issue for a declared key.
func (e *entry) issue(tag, reason, hint string) locatedIssue {
	return locatedIssue{Issue{Field: e.label, Tag: tag, Text: e.text, Offset: -1, Reason: reason, Hint: hint}, e.pos}
}

// sideIssue creates an issue in the text of one side.
func (e *entry) sideIssue(s side, offset int, reason, hint string) locatedIssue {
	return locatedIssue{Issue{Field: e.label, Tag: s.tag(), Text: e.sides[s], Offset: offset, Reason: reason, Hint: hint}, e.pos}
}

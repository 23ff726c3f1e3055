package define

import "fmt"

// side is one half of a key.
type side uint8

const (
	partition side = iota
	sort
)

// tag is the key of the struct tag that holds the side's templates.
func (s side) tag() string { return [...]string{"pk", "sk"}[s] }

func (s side) String() string { return [...]string{"partition", "sort"}[s] }

// declaration is what a type says of its keys, by tags or by a Spec.
type declaration struct {
	name    string // as the type attribute will hold it; may be empty
	table   *entry // nil: not declared
	indexes []*entry
}

// entry is one declared key: the table's, or an index's as an access pattern.
type entry struct {
	pos    int    // in the source
	label  string // as messages name it
	name   string // of the access pattern
	on     string // the index
	sides  [2]string
	given  [2]bool
	shared bool
	text   string // the whole tag
	broken bool   // the tag has faults: what it lacks may be what is misspelled
}

func (c *compiler) fromSpec(spec *Spec) {
	pos := -1 - len(spec.Indexes) // a Spec stands before the fields
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

// at starts a fault of a declared key.
func (e *entry) at(tag, reason, hint string) located {
	return located{Fault{Field: e.label, Tag: tag, Text: e.text, Offset: -1, Reason: reason, Hint: hint}, e.pos}
}

// atSide starts a fault in the text of one side.
func (e *entry) atSide(s side, offset int, reason, hint string) located {
	return located{Fault{Field: e.label, Tag: s.tag(), Text: e.sides[s], Offset: offset, Reason: reason, Hint: hint}, e.pos}
}

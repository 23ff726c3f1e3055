package entity

import "github.com/trestledb/trestle/internal/chart"

// Chart is the schema as the two artifacts that the design of a single table starts from, in Markdown: the entity chart (entity | key attributes) and
// the access-pattern sheet (pattern | index | key condition | filter), with the keys of the table and its indexes between them. The patterns are, of each
// type, the item by its key, the type in its partition and the access patterns that it declares; then the item collections that hold several types:
// those whose partition keys are equal wherever the values in them are equal. Keys that are equal
// for some values only, such as U#<name> and U#<name:lower>, make no collection.
// A key condition there is the one that a read without Where sends, with a <…> for each value of the example: BETWEEN the least and the greatest text that
// a format writes, where a prefix would take in more.
//
// It is deterministic, so that it can stand in a repository and be reviewed: package schematest compares it in a test. A schema that is not sound
// has none: "".
func (s *Schema) Chart() string {
	if s.Err() != nil {
		return ""
	}
	return chart.Markdown(s.core)
}

// Text is what of the schema decides how items are stored and read, line by line: key templates
// with the members that keep an item off an index when they are zero or nil, indexes, roles,
// attributes with their Go types and all that is in them, and what the table's own formats write of
// a few samples. A change of it is a change of stored data, which [Schema.Drift] names. What the
// methods of a Go type write is not in it, nor what a format writes of other values. A schema that
// is not sound has none: "".
func (s *Schema) Text() string {
	if s.Err() != nil {
		return ""
	}
	return chart.Text(s.core)
}

// Drift says what the schema means for items that were stored by an earlier one, of which text is
// the [Schema.Text]. It names the stored items that must be written again or moved, that cannot be
// read any more, or only in part, and attributes that they lack. Roles that come, go or move to
// another field are told with what they mean beside programs of the earlier build that still run.
// What only new items show, such as another type, is none of it. Where a Go type's own methods
// decide, it says so.
//
// An earlier version of this package described neither Go types nor roles: Drift of such a text
// says that their changes cannot be told. Of a text that is no schema's, or not all of one, it says
// just that, and of a schema that is not sound what is wrong.
func (s *Schema) Drift(text string) []string {
	if err := s.Err(); err != nil {
		return []string{err.Error()}
	}
	return chart.Drift(text, s.core)
}

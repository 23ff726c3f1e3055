package entity

import (
	"github.com/trestledb/trestle/internal/schemadiff"
	"github.com/trestledb/trestle/internal/schemadoc"
)

// Chart returns the entity chart and the table of access patterns of the schema, in Markdown.
//
// The entity chart has the columns entity and key attributes. The table of access patterns has the
// columns pattern, index, key condition and filter. A table of the keys of the table and of its
// indexes stands between them, and tables of the tenants, the unique values and the counts if there
// are any. The patterns of a type are: get the item by its key, query the type in its partition,
// and the access patterns that the type declares. The item collections that hold several types
// follow. Types share an item collection when their partition keys are equal for all equal values.
// Keys that are equal for some values only, such as U#<name> and U#<name:lower>, form no
// collection. Keys with different numbers of shards form none either.
//
// A key with shards has their numbers after its template, the current one last. If reads have
// several partitions, a fifth column describes them: "16 shards" is a query that reads all of them,
// "one per day" a query with a bounded condition on the time, which reads each day, and "up to 2,
// one after the other" a get of an item that may be in the shard of an earlier number.
//
// If an access pattern finds only some items of its type, or its index lacks attributes of the
// type, a last column says so: "only with team" is a sparse index, on which an item without the
// optional field is not; "keys, or whole with Fetch" is an index that projects the keys only.
//
// A key condition is the one that a query without Where sends, with a <…> for each value of the
// example. It is a BETWEEN of the least and the greatest text that a format writes when a prefix
// would match more keys.
//
// The text is deterministic, so it can be committed and reviewed: package schematest compares it in
// a test. Chart returns "" for an invalid schema.
func (s *Schema) Chart() string {
	if s.Err() != nil {
		return ""
	}
	return schemadoc.Markdown(s.definitions.Schema)
}

// Text describes how the schema stores and reads items, line by line: key templates and the members
// that keep an item off an index when they are zero or nil, numbers of shards, whether the
// partitions of tenants are recorded, indexes, unique values, counts, roles, attributes with their
// Go types and everything inside them, and the output of custom key formats for a few samples. When
// the text changes, the stored data changes; [Schema.Compare] lists what to do. Text covers neither
// what the methods of a Go type write nor what a format writes for other values. Text returns ""
// for an invalid schema.
func (s *Schema) Text() string {
	if s.Err() != nil {
		return ""
	}
	return schemadoc.Text(s.definitions.Schema)
}

// Compare reports what the schema means for items that an earlier schema stored. The argument text
// is the [Schema.Text] of the earlier schema. Compare lists the stored items that must be written
// again or moved, those that can no longer be read or only in part, and the attributes that they
// lack. It reports changes of unique values and counts after which the guards or the counts must be
// repaired. When a role is added, removed or moved to another field, Compare also reports the
// effect while programs of the earlier build still run. It reports numbers of shards that must be
// deployed in two steps, or that hide stored items, and that the recording of partitions was turned
// on or off. It omits changes that affect new items only, such as a new type. It reports where the
// result depends on a Go type's own methods.
//
// If text is incomplete, or not the text of a schema, Compare reports only that. If the schema is
// invalid, Compare returns its error.
func (s *Schema) Compare(text string) []string {
	if err := s.Err(); err != nil {
		return []string{err.Error()}
	}
	return schemadiff.Compare(text, s.definitions.Schema)
}

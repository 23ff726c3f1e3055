package schema

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// Chart returns the entity chart and the table of access patterns of a schema, in Markdown.
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
func Chart(s *entity.Schema) string {
	if s.Err() != nil {
		return ""
	}
	return schemadoc.Markdown(hooks.SchemaOf(s).Schema)
}

package schema

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// Text describes how a schema stores and reads items, line by line: key templates and the members
// that keep an item off an index when they are zero or nil, numbers of shards, whether the
// partitions of tenants are recorded, indexes, unique values, counts, roles, attributes with their
// Go types and everything inside them, and the output of custom key formats for a few samples. When
// the text changes, the stored data changes; [Compare] lists what to do. Text covers neither what
// the methods of a Go type write nor what a format writes for other values. Text returns "" for an
// invalid schema.
func Text(s *entity.Schema) string {
	if s.Err() != nil {
		return ""
	}
	return schemadoc.Text(hooks.SchemaOf(s).Schema)
}

package schema

import (
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/schema/internal/schemadiff"
)

// Compare reports what a schema means for items that an earlier schema stored. The argument text is
// the [Text] of the earlier schema. Compare lists the stored items that must be written
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
func Compare(s *entity.Schema, text string) []string {
	if err := s.Err(); err != nil {
		return []string{err.Error()}
	}
	return schemadiff.Compare(text, hooks.SchemaOf(s).Schema)
}

package check

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

const scalarKeys = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s"

// KeyPaths refuses paths into an attribute of the key, which is a text, a number or bytes and has nothing inside.
func KeyPaths(schema store.KeySchema, paths []expression.Path) error {
	for _, p := range paths {
		if len(p) > 1 && schema.Has(p[0].Name) {
			return awserr.Validation(scalarKeys, "Key", p[0].Name)
		}
	}
	return nil
}

// UpdatedKeyPaths refuses an update of a part of the table's key, and of something inside an attribute of an index's.
func UpdatedKeyPaths(t *store.Table, paths []expression.Path) error {
	for _, p := range paths {
		if t.Key.Has(p[0].Name) {
			return awserr.Validation("One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", p[0].Name)
		}
		if len(p) == 1 {
			continue
		}
		for _, ix := range t.Indexes {
			if ix.Key.Has(p[0].Name) {
				return awserr.Validation(scalarKeys, "IndexKey", p[0].Name)
			}
		}
	}
	return nil
}

package check

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// KeyPaths rejects paths into a key attribute of the table or of an index. A key attribute is a
// string, a number or a binary value, and has no nested attributes.
func KeyPaths(t *store.Table, paths []expression.Path) error {
	if !slices.ContainsFunc(paths, func(p expression.Path) bool { return len(p) > 1 }) {
		return nil
	}
	if err := rejectNestedPaths("Key", t.Key, paths); err != nil {
		return err
	}
	for _, ix := range t.Indexes {
		if err := rejectNestedPaths("IndexKey", ix.Key, paths); err != nil {
			return err
		}
	}
	return nil
}

func rejectNestedPaths(what string, key store.KeySchema, paths []expression.Path) error {
	for _, a := range key.All() {
		for _, p := range paths {
			if len(p) > 1 && p[0].Name == a.Name {
				return awserr.Validation("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: %s: %s", what, a.Name)
			}
		}
	}
	return nil
}

// UpdateTargets rejects an update of a key attribute of the table.
func UpdateTargets(t *store.Table, targets []expression.Path) error {
	for _, p := range targets {
		if t.Key.Has(p[0].Name) {
			return awserr.Validation("One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", p[0].Name)
		}
	}
	return nil
}

// Package inspect gives ddbtest/explore access to the unexported state of a database.
package inspect

import "github.com/trestledb/trestle/ddbtest/internal/store"

// Store returns the tables of a *ddbtest.DB, and HasRules whether it has rules. Package ddbtest
// sets both.
var (
	Store    func(db any) *store.DB
	HasRules func(db any) bool
)

// Package door lets the public packages of the library see into each other's types without showing anything to others: a package sets a
// door in its init over unexported methods, and its friends go through it.
package door

import (
	"github.com/trestledb/trestle/internal/call"
	"github.com/trestledb/trestle/internal/core"
)

// Source is what a repository, or a reader of one, is made of.
type Source struct {
	Env    *call.Env
	Plan   *core.Plan
	Strong bool
	Err    error // why it cannot be used
}

var (
	// SourceOf opens a repository or reader of package entity.
	SourceOf func(any) Source
	// Fail makes package entity's error of an operation that failed; nil for nil.
	Fail func(error) error
)

package query

import "github.com/trestledb/trestle/internal/errs"

// The sentinel errors of reads, in addition to those of package trestle.
var (
	// ErrCursor reports that a cursor does not belong to this read, that it has expired, or that
	// the key templates of the read, or its number of shards, have changed since. The error does
	// not distinguish these cases, so that it reveals nothing about a forged cursor. Start at the
	// beginning.
	ErrCursor = errs.Cursor
	// ErrBudget reports that a budget of requests or units ended the read before its end.
	ErrBudget = errs.Budget
	// ErrSeveral reports that [Query.One] found more than one entity.
	ErrSeveral = errs.Several
)

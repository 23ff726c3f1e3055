package query

import "github.com/trestledb/trestle/internal/fail"

// What a read can fail with beside the outcomes of package entity.
var (
	// ErrCursor: the cursor is not one that this read gave, or has expired, or the key templates
	// of the read have changed since. Nothing tells which: whoever tampers learns nothing. Start at
	// the beginning.
	ErrCursor = fail.Cursor
	// ErrBudget: the read ended at a budget of requests or units, and there is more.
	ErrBudget = fail.Budget
	// ErrSeveral: [Query.One] found more than one.
	ErrSeveral = fail.Several
)

package trestle

import "github.com/trestledb/trestle/internal/errs"

// The sentinel errors of operations. An error wraps at most one of them. Throttling, missing
// permissions and an ended context are errors of the SDK and of package context; an [*OpError]
// wraps these too.
var (
	// ErrNotFound: the item does not exist, or is of another type. Get, Update, and a Delete with
	// conditions or a version return it. Writes check the type only if types share their keys,
	// because otherwise a key of the type holds no other items.
	ErrNotFound = errs.NotFound
	// ErrExists: the item or the table already exists. Create returns it. If types share their
	// keys, every put returns it when an item of another type has the key.
	ErrExists = errs.Exists
	// ErrStale: the item has another version than the given one. Put also returns it if the item
	// was deleted, or exists although the version is 0.
	ErrStale = errs.Stale
	// ErrTaken: a unique value belongs to another item. This release never returns it, because a
	// definition with the role unique is invalid.
	ErrTaken = errs.Taken
	// ErrCondition: any other condition failed, or a change names a child of an attribute that the
	// item does not have.
	ErrCondition = errs.Condition
	// ErrUnknown: the write may or may not have been applied, because its reply was lost.
	ErrUnknown = errs.Unknown
	// ErrLimit: the request was not sent, because it would exceed a limit of the service.
	ErrLimit = errs.Limit
	// ErrInvalid: the request was not sent for any other reason. The text lists all problems, with
	// likely fixes.
	ErrInvalid = errs.Invalid
)

package trestle

import "github.com/trestledb/trestle/internal/errs"

// The sentinel errors of operations. An error wraps at most one of them, except a [*CanceledError],
// which wraps the errors of several operations. Throttling, missing permissions and an ended
// context have no sentinel error here: an [*OpError] wraps the error of the SDK or of package
// context. An item that cannot be decoded has no sentinel error either.
var (
	// ErrNotFound: the item does not exist, or is of another type. Get, Update, Check, First, One
	// and Load return it, and so does a Delete with conditions or a version. Writes check the type
	// only if several types share a key template, because otherwise no item of another type has the
	// key.
	ErrNotFound = errs.NotFound
	// ErrExists: the item or the table already exists. Create returns it. If several types share a
	// key template, every put returns it if an item of another type has the key.
	ErrExists = errs.Exists
	// ErrStale: the stored item does not have the given version. Put also returns it if the item
	// was deleted, or if an item with a version exists and the given version is 0.
	ErrStale = errs.Stale
	// ErrTaken: another item of the type has the unique value. [Taken] names it.
	ErrTaken = errs.Taken
	// ErrCondition: any other condition failed, or a change names a child of an attribute that the
	// item does not have.
	ErrCondition = errs.Condition
	// ErrUnknown: the write may or may not have been applied, because its reply was lost. A write
	// with a token may have been applied by an earlier call, so each of its failures is ErrUnknown
	// until DynamoDB answers that nothing was applied: see entity.Op.Once.
	ErrUnknown = errs.Unknown
	// ErrLimit: a limit would be exceeded. For a limit of DynamoDB the request was not sent. A read
	// also returns it if the cursor of a page would be longer than the limit of the table.
	ErrLimit = errs.Limit
	// ErrInvalid: the call is invalid, so no request was sent. The text lists all problems, with
	// likely fixes.
	ErrInvalid = errs.Invalid
	// ErrTenant: on the handle of a tenant, something belongs to another tenant: an argument, so
	// that nothing was sent; or what DynamoDB returned, which is withheld.
	ErrTenant = errs.Tenant
)

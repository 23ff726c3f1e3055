package expr

import (
	"github.com/trestledb/trestle/internal/errs"
)

var errNil = invalid("", "a condition or change is nil", "make it with package attr, or leave it out")

// invalid returns a validation error for a condition or a change.
func invalid(field, reason, hint string) error { return errs.New(field, reason, hint) }

// limitExceeded returns an error for an exceeded limit of DynamoDB.
func limitExceeded(field, reason, hint string) error {
	return &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{Field: field, Reason: reason, Hint: hint}}}
}

package expr

import (
	"github.com/trestledb/trestle/internal/errs"
)

var errForeign = refuse("", "a condition or change is nil", "make it with package attr, or leave it out")

// refuse returns a validation error for a condition or a change.
func refuse(field, reason, hint string) error { return errs.New(field, reason, hint) }

// exceeds returns an error for an exceeded limit of DynamoDB.
func exceeds(field, reason, hint string) error {
	return &errs.ValidationError{Kind: errs.Limit, Problems: []errs.Problem{{Field: field, Reason: reason, Hint: hint}}}
}

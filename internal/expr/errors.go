package expr

import (
	"github.com/trestledb/trestle/internal/fail"
)

var errForeign = refuse("", "a condition or change is nil", "make it with package attr, or leave it out")

// refuse says what is wrong with a condition or a change.
func refuse(field, reason, hint string) error { return fail.Refuse(field, reason, hint) }

// exceeds says which limit of the service is passed.
func exceeds(field, reason, hint string) error {
	return &fail.Refusal{Kind: fail.Limit, Problems: []fail.Problem{{Field: field, Reason: reason, Hint: hint}}}
}

package table

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// invalid returns a ValidationException with the service's usual prefix.
func invalid(format string, args ...any) *awserr.Error {
	return awserr.Validation("One or more parameter values were invalid: "+format, args...)
}

// limited returns a LimitExceededException.
func limited(format string, args ...any) *awserr.Error {
	return awserr.New("LimitExceededException", "Subscriber limit exceeded: "+format, args...)
}

// list formats names as in error messages.
func list(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

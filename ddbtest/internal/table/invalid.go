package table

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// invalid is a ValidationException in the service's usual words.
func invalid(format string, args ...any) *awserr.Error {
	return awserr.Validation("One or more parameter values were invalid: "+format, args...)
}

// limited is a LimitExceededException.
func limited(format string, args ...any) *awserr.Error {
	return awserr.New("LimitExceededException", "Subscriber limit exceeded: "+format, args...)
}

// list is names as the service lists them.
func list(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

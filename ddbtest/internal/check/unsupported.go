package check

import (
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/awserr"
)

// Unsupported rejects members that are not supported, because they would be ignored silently.
func Unsupported(members []string) error {
	if len(members) == 0 {
		return nil
	}
	return awserr.Validation("ddbtest does not support the parameters {%s}", strings.Join(members, ", "))
}

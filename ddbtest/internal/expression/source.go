package expression

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// maxText is how long an expression may be, in bytes.
const maxText = 4096

// source is an expression as the request has it. Kind is the name of the request's member, with which every refusal begins.
type source struct {
	kind string
	text string
}

// refuse is the service's error for an expression.
func (s source) refuse(format string, args ...any) error {
	return awserr.Validation("Invalid "+s.kind+": "+format, args...)
}

// checkText refuses what is not even worth reading.
func (s source) checkText() error {
	switch {
	case s.text == "":
		return s.refuse("The expression can not be empty;")
	case len(s.text) > maxText:
		return s.refuse("Expression size has exceeded the maximum allowed size; expression size: %d", len(s.text))
	}
	return nil
}

package expression

import "github.com/trestledb/trestle/ddbtest/internal/awserr"

// maxText is the largest size of an expression, in bytes.
const maxText = 4096

// source is an expression of a request. Kind is the name of the request's member, with which every
// error message begins.
type source struct {
	kind string
	text string
}

// refuse returns the service's error for an invalid expression.
func (s source) refuse(format string, args ...any) error {
	return awserr.Validation("Invalid "+s.kind+": "+format, args...)
}

// checkText rejects an expression that is empty or too long.
func (s source) checkText() error {
	switch {
	case s.text == "":
		return s.refuse("The expression can not be empty;")
	case len(s.text) > maxText:
		return s.refuse("Expression size has exceeded the maximum allowed size; expression size: %d", len(s.text))
	}
	return nil
}

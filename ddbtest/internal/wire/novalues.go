package wire

import "regexp"

// withValues matches the texts of errors that repeat values of the request. All others contain only
// names and numbers of bytes.
var withValues = []*regexp.Regexp{
	regexp.MustCompile(`(?s)(` + regexp.QuoteMeta(noNumber) + `: ).*()`),
	regexp.MustCompile(`(?s)(Input collection \[).*(\])`),
	regexp.MustCompile(`(?s)(Value ').*(' at ')`),
}

// WithoutValues returns the text of an error with "…" in place of values of the request.
func WithoutValues(message string) string {
	for _, pattern := range withValues {
		message = pattern.ReplaceAllString(message, "$1…$2")
	}
	return message
}

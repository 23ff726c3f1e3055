package ddblocal

import (
	"errors"
	"fmt"
	"strings"
)

// MissingError reports that DynamoDB Local neither runs on this machine nor can be started. Its
// text is one line that ends with what to install.
type MissingError struct {
	Java   string // why Java cannot be used
	Docker string // why Docker cannot be used
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("no DynamoDB Local (Java: %s; Docker: %s): install Java 17 or newer and Maven, or start Docker, or set %s",
		e.Java, e.Docker, endpointVariable)
}

// absence is the reason why one source is not available on this machine. The search then continues
// with the next source. Any other error ends the search, because the source is available but
// broken.
type absence struct{ reason string }

func (a *absence) Error() string { return a.reason }

func absent(format string, args ...any) error {
	return &absence{reason: oneLine(fmt.Sprintf(format, args...))}
}

// isAbsent returns the reason if err is an absence.
func isAbsent(err error) (reason string, ok bool) {
	var a *absence
	if errors.As(err, &a) {
		return a.reason, true
	}
	return "", false
}

// oneLine replaces each run of white space, line ends included, by one space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

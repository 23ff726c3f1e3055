package ddblocal

import (
	"errors"
	"fmt"
	"strings"
)

// MissingError says that this machine has no DynamoDB Local and nothing to get one with. Its text is one line that ends with the cure.
type MissingError struct {
	Java   string // why Java does not do
	Docker string // why Docker does not do
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("no DynamoDB Local (Java: %s; Docker: %s): install Java 17 or newer and Maven, or start Docker, or set %s",
		e.Java, e.Docker, endpointVariable)
}

// absence is why one way to a server is closed on this machine: the search goes on with the next.
// Every other error ends the search, for then the way is there and broken.
type absence struct{ reason string }

func (a *absence) Error() string { return a.reason }

func absent(format string, args ...any) error {
	return &absence{reason: oneLine(fmt.Sprintf(format, args...))}
}

// isAbsent returns the reason where err is an absence.
func isAbsent(err error) (reason string, ok bool) {
	var a *absence
	if errors.As(err, &a) {
		return a.reason, true
	}
	return "", false
}

// oneLine folds white space, line ends included, to single blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

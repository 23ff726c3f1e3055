package trestle

import (
	"fmt"
	"strings"
)

// DriftError lists every difference between a schema and the real table.
type DriftError struct {
	Table       string
	Differences []string
}

// Error lists the differences, one per line.
func (e *DriftError) Error() string {
	return fmt.Sprintf("trestle: table %q differs from the schema:\n  %s", e.Table, strings.Join(e.Differences, "\n  "))
}

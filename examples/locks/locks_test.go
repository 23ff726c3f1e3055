package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
)

// The program prints exactly the golden file on every engine.
func TestOutput(t *testing.T) {
	t.Parallel()
	golden.Output(t, run)
}

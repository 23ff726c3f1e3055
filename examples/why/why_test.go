package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
	"github.com/trestledb/trestle/schema/schematest"
)

// The program prints exactly the golden file on every engine.
func TestWhy(t *testing.T) {
	t.Parallel()
	golden.Output(t, run)
}

// TestSchema fails if items are no longer stored as in the golden files.
func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata")
}

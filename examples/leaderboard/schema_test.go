package main

import (
	"testing"

	"github.com/trestledb/trestle/schema/schematest"
)

// TestSchema fails if items are no longer stored as in the golden files.
func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata")
	schematest.Check(t, Prepared, "testdata/prepared")
	schematest.Check(t, Grown, "testdata/grown")
}

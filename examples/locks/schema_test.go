package main

import (
	"testing"
	"time"

	"github.com/trestledb/trestle/schema/schematest"
)

// TestSchema fails if items are no longer stored as in the golden files.
func TestSchema(t *testing.T) {
	t.Parallel()
	schema, _ := newSchema(time.Now)
	schematest.Check(t, schema, "testdata")
}

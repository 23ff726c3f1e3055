package main

import (
	"testing"

	"github.com/trestledb/trestle/entity/schematest"
)

// The golden files show how the items are stored.
func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata")
}

package main

import (
	"testing"

	"github.com/trestledb/trestle/entity/schematest"
)

// No change of how the cart's items are stored goes unseen.
func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata")
}

package main

import (
	"testing"

	"github.com/trestledb/trestle/entity/schematest"
	"github.com/trestledb/trestle/examples/internal/golden"
)

// The program says on every engine exactly what is expected of it.
func TestWhy(t *testing.T) {
	t.Parallel()
	golden.Output(t, run)
}

// No change of how an account's items are stored goes unseen.
func TestSchema(t *testing.T) {
	t.Parallel()
	schematest.Check(t, Schema, "testdata")
}

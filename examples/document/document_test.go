package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
	"github.com/trestledb/trestle/internal/engines"
)

// The program prints exactly the golden file on every engine.
func TestDocument(t *testing.T) {
	t.Parallel()
	golden.Output(t, run, golden.Difference{Engine: engines.DynamoDBLocal, Reason: "it reports half of the units of a transaction"})
}

package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
	"github.com/trestledb/trestle/internal/engines"
)

// The program prints exactly the golden file of the engine.
func TestMessages(t *testing.T) {
	t.Parallel()
	golden.Output(t, run, golden.Difference{Engine: engines.DynamoDBLocal, Reason: "its clock cannot be moved, so the steps after the expiry are left out"})
}

package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
	"github.com/trestledb/trestle/internal/engines"
)

// The program prints exactly the golden file of the engine.
func TestVoting(t *testing.T) {
	t.Parallel()
	golden.Output(t, run, golden.Difference{Engine: engines.DynamoDBLocal, Reason: "it has no rules for faults, so no reply is lost"})
}

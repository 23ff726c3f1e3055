package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
)

// The program prints exactly the golden file on every engine, including the stored keys.
func TestPhotos(t *testing.T) {
	t.Parallel()
	golden.Output(t, run)
}

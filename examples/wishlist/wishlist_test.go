package main

import (
	"testing"

	"github.com/trestledb/trestle/examples/internal/golden"
)

// The program says on every engine exactly what is expected of it.
func TestWishList(t *testing.T) {
	t.Parallel()
	golden.Output(t, run)
}

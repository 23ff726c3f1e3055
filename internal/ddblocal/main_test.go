package ddblocal

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also runs the fake programs on the PATH of the tests. Each is a link to this binary, and
// its name selects the role.
func TestMain(m *testing.M) {
	if play, ok := roles[filepath.Base(os.Args[0])]; ok {
		os.Exit(play(filepath.Dir(os.Args[0]), os.Args[1:]))
	}
	// By default the race detector delays the end of each process by a second.
	_ = os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

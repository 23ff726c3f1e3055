package ddblocal

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also plays the programs that the tests put on a PATH: each is a link to this binary, and its name tells the role.
func TestMain(m *testing.M) {
	if play, ok := roles[filepath.Base(os.Args[0])]; ok {
		os.Exit(play(filepath.Dir(os.Args[0]), os.Args[1:]))
	}
	// The race detector's run time holds up the end of each process by a second, unless it is told not to.
	_ = os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

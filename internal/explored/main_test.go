package explored_test

import (
	"runtime/debug"
	"testing"
)

// The searches allocate much and keep little. With fewer collections they take a fifth less time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	m.Run()
}

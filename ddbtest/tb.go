package ddbtest

// TB is what the helpers need of a test. *testing.T, *testing.B and *testing.F have it.
type TB interface {
	Helper()
	Name() string
	Failed() bool
	Cleanup(f func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

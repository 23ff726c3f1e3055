package ddbtest

import (
	"path/filepath"
	"runtime"
	"strconv"
)

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

// nobody is the test of a database that has none.
type nobody struct{}

func (nobody) Helper()               {}
func (nobody) Name() string          { return "" }
func (nobody) Failed() bool          { return false }
func (nobody) Cleanup(func())        {}
func (nobody) Logf(string, ...any)   {}
func (nobody) Errorf(string, ...any) {}
func (nobody) Fatalf(string, ...any) {}

// demand ends where there is no test to fail.
func demand(t TB) {
	if t == nil {
		panic("ddbtest: there is no test to end the database with: New makes one without") //nolint:forbidigo // nobody else is there to be told
	}
}

// caller is the place in the test that called the function which asks.
func caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return "somewhere"
	}
	return filepath.Base(file) + ":" + strconv.Itoa(line)
}

package ddbtest

import (
	"path/filepath"
	"runtime"
	"strconv"
)

// TB is the part of *testing.T, *testing.B and *testing.F that the helpers need.
type TB interface {
	Helper()
	Name() string
	Failed() bool
	Cleanup(f func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// nobody is the TB that New uses, since there is no test.
type nobody struct{}

func (nobody) Helper()               {}
func (nobody) Name() string          { return "" }
func (nobody) Failed() bool          { return false }
func (nobody) Cleanup(func())        {}
func (nobody) Logf(string, ...any)   {}
func (nobody) Errorf(string, ...any) {}
func (nobody) Fatalf(string, ...any) {}

// demand panics if there is no test.
func demand(t TB) {
	if t == nil {
		panic("ddbtest: there is no test to end the database with: New makes one without") //nolint:forbidigo // nobody else is there to be told
	}
}

// caller returns the file and line in the test that called the caller of this function.
func caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return "somewhere"
	}
	return filepath.Base(file) + ":" + strconv.Itoa(line)
}

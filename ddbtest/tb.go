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

// noTest is the TB of a database without a test.
type noTest struct{}

func (noTest) Helper()               {}
func (noTest) Name() string          { return "" }
func (noTest) Failed() bool          { return false }
func (noTest) Cleanup(func())        {}
func (noTest) Logf(string, ...any)   {}
func (noTest) Errorf(string, ...any) {}
func (noTest) Fatalf(string, ...any) {}

// requireTest panics if there is no test.
func requireTest(t TB) {
	if t == nil {
		panic("ddbtest: the test is nil: use New for a database without a test") //nolint:forbidigo // there is no test to fail
	}
}

// caller returns the file and line in the test that called the caller of this function.
func caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return "unknown line"
	}
	return filepath.Base(file) + ":" + strconv.Itoa(line)
}

// attach closes the database with the test and makes errors of the database fail the test.
func (db *DB) attach(t TB) {
	t.Helper()
	db.mu.Lock()
	db.ownTest, db.testName = t, t.Name()
	db.mu.Unlock()
	t.Cleanup(func() {
		t.Helper()
		db.Close()
		if t.Failed() {
			db.logFailure(t)
		}
	})
}

// ForkFor is [DB.Fork] for a test, for example a subtest. The fork is closed with that test, and
// errors of the fork fail it.
func (db *DB) ForkFor(t TB) *DB {
	requireTest(t)
	t.Helper()
	fork := db.Fork()
	fork.attach(t)
	return fork
}

// test returns the test that errors of the database fail: its own, or that of its origin.
func (db *DB) test() TB {
	for ; db != nil; db = db.origin {
		db.mu.Lock()
		t := db.ownTest
		db.mu.Unlock()
		if t != nil {
			return t
		}
	}
	return noTest{}
}

// report records an error and fails the test.
func (db *DB) report(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.failures = append(db.failures, err)
	switch {
	case db.ownTest != nil:
		db.ownTest.Helper()
		db.ownTest.Errorf("ddbtest: %v", err)
	case db.origin != nil:
		db.origin.test().Helper()
		db.origin.report(err)
	}
}

// reportOnce reports what err returns, unless the text was reported before.
func (db *DB) reportOnce(text string, err func() error) {
	db.mu.Lock()
	known := db.reported[text]
	if db.reported == nil {
		db.reported = map[string]bool{}
	}
	db.reported[text] = true
	db.mu.Unlock()
	if !known {
		db.report(err())
	}
}

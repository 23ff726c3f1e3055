package ddbtest_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// lineRecorder is a TB that records, like testing, the line of a failure: in the innermost function
// that did not call Helper.
type lineRecorder struct {
	fakeTest
	helpers map[string]bool
	at      []string
}

func (l *lineRecorder) Helper() {
	pc := make([]uintptr, 1)
	runtime.Callers(2, pc)
	frame, _ := runtime.CallersFrames(pc).Next()
	l.helpers[frame.Function] = true
}

func (l *lineRecorder) Errorf(format string, args ...any) {
	pc := make([]uintptr, 50)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	for {
		frame, more := frames.Next()
		if !l.helpers[frame.Function] {
			l.at = append(l.at, filepath.Base(frame.File))
			break
		}
		if !more {
			break
		}
	}
	l.fakeTest.Errorf(format, args...)
}

func (l *lineRecorder) Fatalf(format string, args ...any) { l.Helper(); l.Errorf(format, args...) }

func TestFailureLines(t *testing.T) {
	t.Parallel()
	test := &lineRecorder{helpers: map[string]bool{}}
	db := ddbtest.Start(test)
	db.CreateTable(test, thingsTable())
	fork := db.Fork()
	for name, fail := range map[string]func(){
		"Start":        func() { ddbtest.Start(test, ddbtest.Options{KeepRequests: -1}) },
		"CreateTable":  func() { db.CreateTable(test, thingsTable()) },
		"Load":         func() { db.Load(test, "none", thing("a", 1)) },
		"Fail":         func() { db.Fail() },
		"Fail, fork":   func() { fork.Fail() },
		"Budget":       func() { db.Budget(test) },
		"CreateTables": func() { db.CreateTables(test, "none") },
		"LoadFile":     func() { db.LoadFile(test, things, "none") },
		"LoadValues":   func() { db.LoadValues(test, things, 1) },
		"Dump":         func() { db.Dump("none") },
		"Records":      func() { db.Records(things) },
		"Restore":      func() { db.Restore(nil) },
		"SetLag":       func() { db.SetLag(ddbtest.Lag{Items: -1}) },
		"LimitHeat":    func() { db.LimitPartitions(ddbtest.Units{Read: -1}) },
	} {
		test.at = nil
		fail()
		require.Equal(t, []string{"failureline_test.go"}, test.at, name)
	}
}

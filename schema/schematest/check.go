package schematest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/schema"
)

// TB is the part of *testing.T that Check uses.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// The files in the folder of Check.
const (
	ChartFile = "chart.md"   // [schema.Chart]
	TextFile  = "schema.txt" // [schema.Text]
)

// UpdateVariable is the environment variable that makes [Check] write the files. Set it to 1. Check
// compares the files if the variable is empty, 0 or false.
const UpdateVariable = "TRESTLE_UPDATE"

// Check compares the schema with the chart and the description in a folder. If they differ, it
// fails the test, and reports which stored items the change affects and how to migrate them. It
// writes a missing file and fails the test, so that a test without committed files never passes. If
// [UpdateVariable] is 1, it updates the files and logs the differences.
func Check(t TB, s *entity.Schema, folder string) {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Fatalf("%v", err)
		return
	}
	compare := func(was string) []string { return schema.Compare(s, was) }
	for _, f := range []file{{TextFile, schema.Text(s), compare}, {ChartFile, schema.Chart(s), nil}} {
		f.check(t, filepath.Join(folder, f.name))
	}
}

// file is one of the compared files.
type file struct {
	name    string
	now     string
	effects func(was string) []string // what a difference means for stored items; nil: no description
}

func (f file) check(t TB, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	was := strings.ReplaceAll(string(text), "\r\n", "\n")
	switch {
	case err != nil && !missing:
		t.Fatalf("%v", err)
	case missing:
		write(t, path, f.now)
		if !updating() {
			t.Errorf("%s did not exist and was written: review and commit it", path)
		}
	case f.now == was:
	case updating():
		t.Logf("%s", f.difference(path, was))
		write(t, path, f.now)
	default:
		t.Errorf("%s\nmigrate the stored items, run the test with %s=1 to update the file, and review it", f.difference(path, was), UpdateVariable)
	}
}

// updating reports whether the environment asks for an update of the files.
func updating() bool {
	text := os.Getenv(UpdateVariable)
	on, err := strconv.ParseBool(text)
	return on || err != nil && text != ""
}

// difference describes how the file differs from the schema.
func (f file) difference(path, was string) string {
	if f.effects == nil {
		return path + " differs from the chart of the schema"
	}
	effects := f.effects(was)
	if len(effects) == 0 {
		return path + " differs from the description of the schema; stored items are not affected"
	}
	return path + " differs from the description of the schema; stored items are affected:\n  " + strings.Join(effects, "\n  ")
}

func write(t TB, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Logf("wrote %s", path)
}

package schematest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trestledb/trestle/entity"
)

// TB is what Check needs of a test. *testing.T has it.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Files in the folder that Check looks at.
const (
	ChartFile = "chart.md"   // [entity.Schema.Chart]
	TextFile  = "schema.txt" // [entity.Schema.Text]
)

// UpdateVariable is the environment variable that makes Check write what it would compare.
const UpdateVariable = "TRESTLE_UPDATE"

// Check compares the schema with the chart and the description in a folder, and fails the test where they differ: it says which stored items a
// change concerns, and what must be done with them. Files that are not there are written, and the test fails once, so that a machine without them
// does not pass unseen.
func Check(t TB, s *entity.Schema, folder string) {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Fatalf("%v", err)
		return
	}
	for _, f := range []struct{ name, now string }{{TextFile, s.Text()}, {ChartFile, s.Chart()}} {
		path := filepath.Join(folder, f.name)
		was, err := os.ReadFile(path)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !missing:
			t.Fatalf("%v", err)
			return
		case missing || os.Getenv(UpdateVariable) != "":
			write(t, path, f.now)
			if missing && os.Getenv(UpdateVariable) == "" {
				t.Errorf("%s was missing and is written: look at it, and commit it", path)
			}
		case f.now == strings.ReplaceAll(string(was), "\r\n", "\n"):
		case f.name == TextFile:
			differs(t, s, path, string(was))
		default:
			t.Errorf("%s is not the schema's chart any more: run the test with %s=1, and review the change", path, UpdateVariable)
		}
	}
}

func differs(t TB, s *entity.Schema, path, was string) {
	t.Helper()
	drift := s.Drift(was)
	if len(drift) == 0 {
		t.Errorf("%s is not the schema's description any more, and no stored item is concerned: run the test with %s=1", path, UpdateVariable)
		return
	}
	t.Errorf("the schema has changed for items that are stored already:\n  %s\nWhen that is taken care of, run the test with %s=1", strings.Join(drift, "\n  "), UpdateVariable)
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

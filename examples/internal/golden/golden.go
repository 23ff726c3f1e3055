// Package golden compares the output of the example programs with golden files.
package golden

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Output runs an example on every engine. It fails the test if the output differs from
// testdata/output.txt.
func Output(t *testing.T, run func(ctx context.Context, client trestle.Client, out io.Writer) error) {
	t.Helper()
	path := filepath.Join("testdata", "output.txt")
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		var out strings.Builder
		if err := run(t.Context(), e.Client(t), &out); err != nil {
			t.Fatal(err)
		}
		if *update {
			write(t, path, out.String())
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != string(want) {
			t.Errorf("the program printed:\n%s\n%s contains:\n%s", got, path, want)
		}
	})
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

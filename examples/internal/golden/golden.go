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

// Difference is an engine on which a program prints another text, and the reason. Its golden file
// is testdata/output-<engine>.txt.
type Difference struct{ Engine, Reason string }

// Output runs an example on every engine. It fails the test if the output differs from
// testdata/output.txt, or from the file of the engine's difference.
func Output(t *testing.T, run func(ctx context.Context, client trestle.Client, out io.Writer) error, differences ...Difference) {
	t.Helper()
	common := filepath.Join("testdata", "output.txt")
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		path := common
		for _, d := range differences {
			if d.Engine == e.Name {
				path = filepath.Join("testdata", "output-"+d.Engine+".txt")
				t.Logf("another output on %s: %s", d.Engine, d.Reason)
			}
		}
		var out strings.Builder
		if err := run(t.Context(), e.Client(t), &out); err != nil {
			t.Fatal(err)
		}
		if *update {
			write(t, path, out.String())
		}
		if got, want := out.String(), read(t, path); got != want {
			t.Errorf("the program printed:\n%s\n%s contains:\n%s", got, path, want)
		}
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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

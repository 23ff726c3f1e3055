package define_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares named texts with a file under testdata/define, or writes the file.
type golden struct {
	b strings.Builder
}

func (g *golden) add(name, text string) {
	g.b.WriteString("== " + name + "\n" + strings.TrimRight(text, "\n") + "\n\n")
}

func (g *golden) check(t *testing.T, file string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "define", file)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(g.b.String()), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), g.b.String(), "testdata/define/%s is not current: run with -update if the change is meant", file)
}

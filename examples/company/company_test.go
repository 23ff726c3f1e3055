package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/engines"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The program says on every engine exactly what is expected of it, the stored keys included.
func TestCompany(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "output.txt")
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		var out strings.Builder
		require.NoError(t, run(t.Context(), e.Client(t), &out))
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), out.String())
	})
}

func TestSchemaIsSound(t *testing.T) {
	t.Parallel()
	require.NoError(t, Schema.Err())
}

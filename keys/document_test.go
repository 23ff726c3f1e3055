package keys_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormatDocument runs the vectors of the key format's specification, and rewrites their results
// with -update.
func TestFormatDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "docs", "keyformat.md")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var s section
	lines, vectors, answered := strings.Split(string(data), "\n"), false, 0
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			vectors = line == "```vectors"
			continue
		}
		if !vectors {
			continue
		}
		command, _, _ := strings.Cut(line, arrow)
		result := s.answer(t, command)
		if result == "" {
			continue
		}
		answered++
		if result = command + arrow + result; !*update {
			require.Equal(t, line, result, "%s:%d", path, i+1)
		}
		lines[i] = result
	}
	require.GreaterOrEqual(t, answered, 50)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644))
	}
}

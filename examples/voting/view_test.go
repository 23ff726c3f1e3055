package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRender(t *testing.T) {
	t.Parallel()
	counts := []count{{"Ada", []int64{300, 0, 200}}, {"Bob", []int64{120}}, {"Cyd", nil}}
	full, third := strings.Repeat("#", 30), strings.Repeat("#", 10)
	require.Equal(t, "  Ada   500  "+full+"  shards: 300   0 200\n"+
		"  Bob   120  "+third+strings.Repeat(" ", 20)+"  shards: 120\n"+
		"  Cyd     0  "+strings.Repeat(" ", 30)+"  shards:\n", render(counts, true))
	require.Equal(t, "  Ada   500  "+full+"\n  Bob   120  "+third+"\n  Cyd     0\n", render(counts, false))
}

// The next view replaces the last one: the cursor moves up by as many lines as it has.
func TestReplacement(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\nb\n", replacement("", "a\nb\n"))
	require.Equal(t, "\x1b[2A\x1b[Jc\n", replacement("a\nb\n", "c\n"))

	var out strings.Builder
	s := newScreen(&out)
	s.draw("1\n")
	s.draw("2\n")
	s.keep()
	s.draw("3\n")
	require.Equal(t, "1\n\x1b[1A\x1b[J2\n3\n", out.String())
}

// A file, a pipe and a buffer are no terminals.
func TestIsTerminal(t *testing.T) {
	t.Parallel()
	require.False(t, isTerminal(&strings.Builder{}))
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	require.False(t, isTerminal(file))
	require.NoError(t, file.Close())
	require.False(t, isTerminal(file), "a closed file")
	_, write, err := os.Pipe()
	require.NoError(t, err)
	require.False(t, isTerminal(write))
	require.NoError(t, write.Close())
}

package archtest

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestCommentsFit wraps comments at 100 columns, where a tab counts as 4.
func TestCommentsFit(t *testing.T) {
	t.Parallel()
	long, err := longComments(os.DirFS(root))
	require.NoError(t, err)
	for _, at := range long {
		t.Errorf("%s: a comment has more than %d columns", at, columns)
	}
}

// TestCommentsFitControl finds the lines that are too long, and no others.
func TestCommentsFitControl(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("word ", 20)
	long, err := longComments(fstest.MapFS{"a/b.go": {Data: []byte(strings.Join([]string{
		"// " + word + "word",         // 1: 107 columns
		"\t// " + word[:90] + "wo",    // 99 columns
		"\t// " + word[:90] + "words", // 3: 102 columns
		"var s = `// " + word + "`",   // no comment
		"//go:generate " + word,       // a directive
		"//nolint:revive // " + word,  // a directive
		"// https://" + word[:4] + "/" + strings.ReplaceAll(word, " ", "/"), // one word
		"// Output:", "// " + word + "word", "",
		"// " + word + "word", // 11: another comment
	}, "\n"))}})
	require.NoError(t, err)
	require.Equal(t, []string{"a/b.go:1", "a/b.go:3", "a/b.go:11"}, long)
}

const columns = 100

// longComments lists the lines of all Go files that hold a comment only, and are too long.
func longComments(tree fs.FS) (long []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		output := false // the expected output of an example
		for i, line := range strings.Split(string(src), "\n") {
			text, comment := strings.CutPrefix(strings.TrimLeft(line, "\t"), "//")
			output = comment && (output || text == " Output:" || text == " Unordered output:")
			tabs := len(line) - len(strings.TrimLeft(line, "\t"))
			if comment && !output && strings.Contains(strings.TrimPrefix(text, " "), " ") && !isDirective(text) && len([]rune(line))+3*tabs > columns {
				long = append(long, fmt.Sprintf("%s:%d", name, i+1))
			}
		}
		return nil
	})
	return long, err
}

// isDirective reports whether the text of a comment is one for a tool, which must not be wrapped.
func isDirective(text string) bool {
	return strings.HasPrefix(text, "go:") || strings.HasPrefix(text, "nolint")
}

package testdriven

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormat reads files in the format that this package documents.
func TestFormat(t *testing.T) {
	t.Parallel()
	Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		Run(t, file, func(c *Case) string {
			switch c.Command {
			case "echo":
				return strings.TrimPrefix(c.Value("prefix")+"\n", "\n") + c.Input
			case "args":
				return formatArgs(c)
			case "edit":
				return c.Edit("first\nsecond one\nlast\n")
			case "parse":
				return formatParts(strings.ReplaceAll(c.Input, "====", "----"))
			}
			t.Fatalf("%s: unknown command %s", c.Pos, c.Command)
			return ""
		})
	})
}

func formatArgs(c *Case) string {
	var b strings.Builder
	words := c.Words()
	for _, a := range c.list {
		b.WriteString(a.Key)
		if c.Has(a.Key) && a.Value != "" {
			fmt.Fprintf(&b, " = %s", c.Value(a.Key))
		}
		b.WriteByte('\n')
	}
	if c.Has("n") {
		fmt.Fprintf(&b, "n + 1 = %d\n", c.Int("n")+1)
	}
	require.Less(c.T, len(words), 3)
	return b.String()
}

func formatParts(text string) string {
	parts, err := parse("example.txt", text+"\n")
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for _, p := range parts {
		if p.c == nil {
			fmt.Fprintf(&b, "rest %q\n", p.before)
			continue
		}
		b.WriteString(p.c.Command)
		for _, a := range p.c.list {
			b.WriteString(strings.TrimSuffix(" "+a.Key+"="+a.Value, "="))
		}
		fmt.Fprintf(&b, " / %q / %q\n", p.c.Input, p.expected)
	}
	return b.String()
}

// recorder records the failures of a test and lets it continue.
type recorder struct {
	testing.TB
	errors []string
}

func (*recorder) Helper()        {}
func (r *recorder) Failed() bool { return len(r.errors) > 0 }

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatal(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }

// TestRunReportsDifferences checks that Run reports each wrong output and each unread argument, and
// that it changes no file.
func TestRunReportsDifferences(t *testing.T) {
	t.Parallel()
	const text = "a\n----\nwrong\n\nb\n----\nright\n\nc unknown\n----\nright\n"
	file := filepath.Join(t.TempDir(), "cases.txt")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	r := &recorder{TB: t}
	if Updating() {
		t.Skip("with -update, Run rewrites the file instead")
	}
	Run(r, file, func(*Case) string { return "right" })
	require.Len(t, r.errors, 2)
	require.Contains(t, r.errors[0], "cases.txt:1")
	require.Contains(t, r.errors[1], "cases.txt:9")
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, text, string(after))

	r = &recorder{TB: t}
	Golden(r, file, text)
	Golden(r, file, text+"more")
	Golden(r, filepath.Join(t.TempDir(), "missing"), text)
	require.Len(t, r.errors, 2)
}

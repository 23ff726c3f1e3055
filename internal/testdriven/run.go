package testdriven

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", os.Getenv("TRESTLE_UPDATE") == "1", "rewrite the golden files")

// Updating reports whether the test is to rewrite its golden files.
func Updating() bool { return *update }

// Walk runs a parallel subtest for each file of a directory whose name ends in .txt. It fails the
// test if there is none.
func Walk(t *testing.T, dir string, test func(t *testing.T, file string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			test(t, file)
		})
	}
}

// Run runs the commands of a file in order, and compares the output of each with the file. It
// reports every difference with its line. An argument that the command does not read is an error.
func Run(t testing.TB, file string, command func(c *Case) string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := parse(file, strings.ReplaceAll(string(text), "\r\n", "\n"))
	if err != nil {
		t.Fatal(err)
	}
	var rewritten strings.Builder
	for _, p := range parts {
		rewritten.WriteString(p.before)
		if p.c == nil {
			continue
		}
		p.c.T = t
		got := lines(command(p.c))
		if unread := p.c.Unread(); len(unread) > 0 {
			t.Errorf("%s: command %s has no argument %s", p.c.Pos, p.c.Command, strings.Join(unread, ", "))
		}
		if got != p.expected && !Updating() {
			t.Errorf("%s: command %s returned\n%sand the file expects\n%s", p.c.Pos, p.c.Command, indent(got), indent(p.expected))
		}
		rewritten.WriteString(outputText(got))
	}
	if Updating() && !t.Failed() {
		Golden(t, file, rewritten.String())
	}
}

// Golden compares a text with a whole file.
func Golden(t testing.TB, file, text string) {
	t.Helper()
	was, err := os.ReadFile(file)
	same := err == nil && strings.ReplaceAll(string(was), "\r\n", "\n") == text
	switch {
	case same:
	case !Updating():
		t.Errorf("the text differs from %s (error %v); rewrite the file with -update if the text is right:\n%s", file, err, text)
	default:
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lines returns text with one newline at its end, or "" for an empty text.
func lines(text string) string {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return ""
	}
	return text + "\n"
}

func indent(text string) string {
	if text == "" {
		return "\t(nothing)\n"
	}
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n\t") + "\n"
}

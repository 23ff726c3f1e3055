package archtest

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const (
	page       = "ARCHITECTURE.md"
	engineRoom = "ddbtest"
)

// TestPage compares the imports on the architecture page with those in the table. The page omits
// rooms that do not exist yet.
func TestPage(t *testing.T) {
	t.Parallel()
	tree := os.DirFS(root)
	files, err := load(tree)
	require.NoError(t, err)
	text, err := os.ReadFile(root + "/" + page)
	require.NoError(t, err)
	told := roomsOfPage(string(text), rooms)
	require.NotEmpty(t, told)
	for _, line := range differences(told, rooms, present(rooms, files), tree) {
		t.Error(line)
	}
}

// TestPageControl checks that each kind of difference is found.
func TestPageControl(t *testing.T) {
	t.Parallel()
	table := []room{{"keys", "", 0}, {"entity", "internal/core keys tx", 0}, {"internal/core", "keys", 0}, {"internal/a/...", "", 0}, {"tx", "", 0}}
	there := map[string]bool{"keys": true, "entity": true, "internal/core": true, "internal/a/...": true}
	tree := fstest.MapFS{"internal/nested/go.mod": {}}
	truth := []string{
		"| room | job | imports |", "| --- | --- | --- |", "| `keys`, `internal/a/…` | keys | – |", "| `entity` | repositories | core, keys |",
		"| `internal/core` | plans; beyond `keys` | keys |", "| `internal/nested` | a module of its own | – |",
	}
	wrong := func(lines []string) []string {
		return differences(roomsOfPage(strings.Join(lines, "\n"), table), table, there, tree)
	}
	require.Empty(t, wrong(truth))
	for name, change := range map[string][2]string{
		"an import too few":        {"core, keys |", "core |"},
		"an import too many":       {"| keys | – |", "| keys | core |"},
		"an import of nothing":     {"core, keys |", "core, keys, the core |"},
		"an import yet to come":    {"core, keys |", "core, keys, tx |"},
		"a room too few":           {"`keys`, ", ""},
		"a room too many":          {"`entity`", "`entity`, `internal/util`"},
		"a room twice":             {"`entity`", "`entity`, `keys`"},
		"a room without its tree":  {"a/…", "a"},
		"a room that is yet to be": {"`entity`", "`entity`, `tx`"},
	} {
		lines := strings.Split(strings.ReplaceAll(strings.Join(truth, "\n"), change[0], change[1]), "\n")
		require.NotEqual(t, truth, lines, name)
		require.NotEmpty(t, wrong(lines), name)
	}
}

var (
	pageRow  = regexp.MustCompile("(?m)^\\| (`.*`) \\|.*\\| (.+) \\|$")
	pageRoom = regexp.MustCompile("`([^`]+)`")
)

// roomsOfPage parses the tables of the page. A row has rooms in backticks, a description, and the
// imports. The imports omit the prefix internal/; rows of the in-process engine omit its own
// internal/. A dash stands for no imports.
func roomsOfPage(text string, rooms []room) []room {
	var told []room
	for _, row := range pageRow.FindAllStringSubmatch(text, -1) {
		var imports []string
		inside := "internal/"
		if strings.HasPrefix(row[1], "`"+engineRoom) {
			inside = engineRoom + "/" + inside
		}
		for name := range strings.SplitSeq(row[2], ", ") {
			if _, ok := roomOf(rooms, inside+name); ok {
				name = inside + name
			}
			if name != "–" {
				imports = append(imports, name)
			}
		}
		for _, name := range pageRoom.FindAllStringSubmatch(row[1], -1) {
			told = append(told, room{pattern: strings.ReplaceAll(name[1], "…", "..."), imports: strings.Join(imports, ",")})
		}
	}
	return told
}

// differences lists the differences between the page and the table. Rooms in nested modules are not
// in the table, and their imports must be empty.
func differences(told, rooms []room, there map[string]bool, tree fs.FS) []string {
	want := map[string]string{}
	for _, r := range rooms {
		if !there[r.pattern] {
			continue
		}
		imports := slices.DeleteFunc(strings.Fields(r.imports), func(imported string) bool {
			target, _ := roomOf(rooms, imported)
			return !there[target.pattern]
		})
		want[r.pattern] = strings.Join(slices.Sorted(slices.Values(imports)), ",")
	}
	var wrong []string
	for _, r := range told {
		expected, known := want[r.pattern]
		_, err := fs.Stat(tree, path.Join(r.pattern, "go.mod"))
		got := strings.Join(slices.Sorted(strings.SplitSeq(r.imports, ",")), ",")
		switch nested := err == nil; {
		case !known && !nested:
			wrong = append(wrong, r.pattern+" is on the page, and no line of the table, or told twice")
		case got != expected:
			wrong = append(wrong, fmt.Sprintf("%s imports %q on the page and %q in the table", r.pattern, got, expected))
		}
		delete(want, r.pattern)
	}
	for pattern := range want {
		wrong = append(wrong, pattern+" is missing on the page")
	}
	return wrong
}

package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// TestArchitecture checks the source files against the table.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	files, err := load(os.DirFS(root))
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(files, func(f file) bool { return f.dir == "internal/archtest" && f.name == "doc.go" }),
		"the walk did not even meet this package")
	for _, v := range check(rooms, files) {
		t.Errorf("%s: %s (%s)", v.at, v.what, v.rule)
	}
	t.Logf("%d files", len(files))
}

// TestModule checks that the table is for this module.
func TestModule(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile(root + "/go.mod")
	require.NoError(t, err)
	require.Contains(t, strings.Split(string(mod), "\n"), "module "+module)
}

// TestTable checks that the table does not contradict itself: no pattern has two lines, no import
// lacks a line, no cycle exists, and no line violates the rules beside the table.
func TestTable(t *testing.T) {
	t.Parallel()
	require.Empty(t, contradictions(rooms))
}

// TestTableControl passes each kind of contradiction to contradictions.
func TestTableControl(t *testing.T) {
	t.Parallel()
	for name, table := range map[string][]room{
		"twice":        {{"a", "", 0}, {"a", "", 0}},
		"unknown":      {{"a", "b", 0}},
		"itself":       {{"a", "a", 0}},
		"cycle":        {{"a", "b", 0}, {"b", "c", 0}, {"c", "a", 0}},
		"strangers":    {{"tx", "a", 0}, {"a", "query", 0}, {"query", "", 0}},
		"test support": {{"a", "ddbtest", 0}, {"ddbtest", "", 0}},
		"the engine":   {{"ddbtest/internal/a", "keys", 0}, {"keys", "", 0}},
	} {
		require.NotEmpty(t, contradictions(table), name)
	}
}

// contradictions lists the contradictions within a table.
func contradictions(table []room) []string {
	var wrong []string
	graph := map[string][]string{}
	for i, r := range table {
		base := strings.TrimSuffix(r.pattern, "/...")
		if slices.ContainsFunc(table[:i], func(other room) bool { return other.pattern == r.pattern }) {
			wrong = append(wrong, r.pattern+" has two lines")
		}
		for imported := range strings.FieldsSeq(r.imports) {
			if _, ok := roomOf(table, imported); !ok {
				wrong = append(wrong, r.pattern+" imports "+imported+", which has no line")
			}
			// A package may import the root of its pattern.
			if base != imported || base == r.pattern {
				graph[base] = append(graph[base], imported)
			}
			if slices.Contains(testSupport, imported) && !slices.Contains(testSupport, base) && !strings.HasPrefix(base+"/", "examples/") {
				wrong = append(wrong, r.pattern+" imports "+imported+", which is for tests")
			}
			if below(base, engineRoom) && !below(imported, engineRoom) {
				wrong = append(wrong, r.pattern+" imports "+imported+", but the engine imports nothing of the library")
			}
		}
	}
	for from := range graph {
		if reaches(graph, from, from) {
			wrong = append(wrong, from+" imports itself in the end")
		}
	}
	for _, pair := range strangers {
		if reaches(graph, pair[0], pair[1]) || reaches(graph, pair[1], pair[0]) {
			wrong = append(wrong, pair[0]+" and "+pair[1]+" see each other")
		}
	}
	return wrong
}

package keys_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/keys"
)

// TestFormats checks that every built-in format is documented and has a case for the random tests,
// and that no name begins with z, which is reserved for formats that write several fields.
func TestFormats(t *testing.T) {
	t.Parallel()
	documents := map[string]string{}
	for _, path := range []string{"doc.go", filepath.Join("..", "docs", "keyformat.md")} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		documents[path] = string(text)
	}
	for kind, names := range keys.FormatNames() {
		for _, name := range names {
			require.False(t, strings.HasPrefix(name, "z"), name)
			require.True(t, slices.ContainsFunc(formatCases, func(c formatCase) bool {
				return c.kind == kind && (c.format == name || name == "08" && strings.HasPrefix(c.format, "0"))
			}), "model_test.go has no case for %s %s", kind, name)
			require.Regexp(t, `\b`+name+`\b`, documents["doc.go"])
			require.Contains(t, documents[filepath.Join("..", "docs", "keyformat.md")], strings.ReplaceAll("`"+name+"`", "``", "none"))
		}
	}
}

// TestReservedFormatNames checks that neither a template nor a config can use a format name that
// begins with z.
func TestReservedFormatNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"z", "zip", "z2"} {
		for _, formats := range []map[string]keys.Format{nil, {name: testFormats(t)["basic"]}} {
			_, err := keys.Compile("A#<a:"+name+">", keys.Options{Formats: formats, Kind: func(string) (keys.Kind, bool) { return keys.KindTime, true }})
			var issues keys.Issues
			require.ErrorAs(t, err, &issues, name)
			require.Len(t, issues, 1)
		}
	}
	_, err := keys.Compile("A#<a:basic>", keys.Options{Formats: testFormats(t), Kind: func(string) (keys.Kind, bool) { return keys.KindTime, true }})
	require.NoError(t, err, "the control: another name can be used")
}

// TestPatterns checks that the pattern of every format matches the texts that it writes.
func TestPatterns(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for _, c := range formatCases {
		template := compile(t, "K#"+placeholder(0, c), keys.Options{Kind: kinds([]formatCase{c}), Formats: testFormats(t)})
		for range testsize.Pick(50, 200, 2000) {
			key, err := template.Render(c.value(r))
			require.NoError(t, err)
			require.True(t, canWrite(template, key), "%s: %q", c, key)
		}
		require.False(t, canWrite(template, "K#"), "the control: %s", c)
	}
}

// canWrite reports whether the pattern of a template matches a key.
func canWrite(template *keys.Template, key string) bool {
	only := &keyspace.Space{Type: string(template.Type()), Limit: len(key), Literals: []string{key}}
	only.Init()
	_, found := keyspace.FindOverlap(keyspace.CompositeKey{Partition: template.Space()}, keyspace.CompositeKey{Partition: only})
	return found
}

package archtest

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAllowedImportsAreUsed fails if the table allows an import or a power that no code uses.
func TestAllowedImportsAreUsed(t *testing.T) {
	t.Parallel()
	files, err := load(os.DirFS(root))
	require.NoError(t, err)
	for _, line := range unused(rooms, files) {
		t.Errorf("%s is allowed and not used", line)
	}
}

// TestUnusedControl checks tables that allow too much, and tables that only seem to.
func TestUnusedControl(t *testing.T) {
	t.Parallel()
	table := []room{{"a", "b later", sdk | env}, {"b", "", 0}, {"c/...", "b", 0}, {"later", "a b", useUnsafe}}
	importing := func(dir string, imports ...string) file { return file{dir: dir, name: "x.go", imports: imports} }
	a := importing("a", module+"/b", sdkPackages[0])
	a.readsEnv = true
	tree := []file{a, importing("b"), importing("c/d", module+"/b")}
	require.Empty(t, unused(table, tree), "a room that is not there yet neither uses nor is used")

	inTest := importing("c/d", module+"/b")
	inTest.test = true
	require.Equal(t, []string{"c/...: b"}, unused(table, []file{tree[0], tree[1], importing("c"), inTest}), "a test's import counts for nothing")
	require.Equal(t, []string{"a: b", "a: the AWS SDK", "a: the environment"}, unused(table, []file{importing("a"), tree[1], tree[2]}))
	require.Equal(t, []string{"a: later", "later: a", "later: b", "later: unsafe"}, unused(table, append(tree, importing("later"))), "and then it is there")
}

// unused lists what the lines of existing rooms allow and their code does not use. An import of a
// room that does not exist yet is not listed.
func unused(rooms []room, files []file) []string {
	var vain []string
	there := present(rooms, files)
	for _, r := range rooms {
		if !there[r.pattern] {
			continue
		}
		code := slices.DeleteFunc(slices.Clone(files), func(f file) bool {
			own, _ := roomOf(rooms, f.dir)
			return f.test || own.pattern != r.pattern
		})
		imported := func(match func(imported string) bool) bool {
			return slices.ContainsFunc(code, func(f file) bool { return slices.ContainsFunc(f.imports, match) })
		}
		for allowed := range strings.FieldsSeq(r.imports) {
			if target, _ := roomOf(rooms, allowed); there[target.pattern] && !imported(func(i string) bool { return i == path.Join(module, allowed) }) {
				vain = append(vain, r.pattern+": "+allowed)
			}
		}
		for _, p := range []struct {
			power
			name string
			used bool
		}{
			{sdk, "the AWS SDK", imported(func(i string) bool { return belowAny(i, sdkPackages) })},
			{env, "the environment", slices.ContainsFunc(code, func(f file) bool { return f.readsEnv })},
			{useUnsafe, "unsafe", imported(func(i string) bool { return i == "unsafe" })},
			{testingT, "testing", imported(func(i string) bool { return below(i, "testing") })},
		} {
			if r.powers&p.power != 0 && !p.used {
				vain = append(vain, r.pattern+": "+p.name)
			}
		}
	}
	return vain
}

// present returns the patterns of the table that match files.
func present(rooms []room, files []file) map[string]bool {
	there := map[string]bool{}
	for _, f := range files {
		r, _ := roomOf(rooms, f.dir)
		there[r.pattern] = true
	}
	return there
}

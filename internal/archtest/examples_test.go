package archtest

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestExamples checks that the documentation site shows each example of a public package as a
// complete program, and that each example runs as a test.
func TestExamples(t *testing.T) {
	t.Parallel()
	tree := os.DirFS(root)
	files, err := load(tree)
	require.NoError(t, err)
	shown, err := examples(tree, files)
	require.NoError(t, err)
	for _, e := range shown {
		for _, p := range e.problems {
			t.Errorf("%s: %s %s", e.dir, e.name, p)
		}
	}
	for _, dir := range publicPackages(files) {
		with := slices.ContainsFunc(shown, func(e example) bool { return e.dir == dir })
		// The root package needs no example: the examples of the other packages use its types.
		require.True(t, with || dir == ".", "%s has no example", dir)
	}
	t.Logf("%d examples", len(shown))
}

// TestExamplesControl checks that TestExamples finds each kind of problem.
func TestExamplesControl(t *testing.T) {
	t.Parallel()
	const output = "\n\t// Output: 1\n}\n"
	for name, c := range map[string]struct {
		source string
		want   []string
	}{
		"self-contained": {`import "fmt"; func ExampleA() { fmt.Println(1)` + output, nil},
		"with what it uses": {`import "fmt"
			func one() int { return 1 }
			func ExampleA() { fmt.Println(one())` + output + `
			func ExampleB() { fmt.Println(one())` + output, nil},
		"a whole file":                     {`import "fmt"; type T struct{ X int }; func ExampleA() { fmt.Println(T{X: 1}.X)` + output, nil},
		"a helper in another file":         {`import "fmt"; func ExampleA() { fmt.Println(two())` + output, []string{"is shown without its declarations"}},
		"a whole file and another":         {`import "fmt"; const one = 1; func ExampleA() { fmt.Println(one, two())` + output, []string{"uses two, which is declared elsewhere"}},
		"a package that nobody can import": {`import "` + module + `/internal/core"; func ExampleA() { core.A()` + output, []string{"imports " + module + "/internal/core, which no other module can"}},
		"a package for a part of a group": {`import ("fmt"; "strings")
			var (one = 1; two = strings.ToUpper("2"))
			func ExampleA() { fmt.Println(one)` + output + `
			func ExampleB() { fmt.Println(two)` + output, []string{"imports strings in vain: split the group that needs it elsewhere"}},
		"without output": {`import "fmt"; func ExampleA() { fmt.Println(1) }`, []string{"is not run: it has no Output comment"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree := fstest.MapFS{
				"keys/doc.go":            {Data: []byte("package keys")},
				"keys/a_test.go":         {Data: []byte("package keys_test; " + c.source)},
				"internal/tag/tag.go":    {Data: []byte("package tag")},
				"internal/tag/a_test.go": {Data: []byte("package tag_test; func ExampleOfNobody() { two()" + output)},
			}
			files, err := load(tree)
			require.NoError(t, err)
			require.Equal(t, []string{"keys"}, publicPackages(files))
			shown, err := examples(tree, files)
			require.NoError(t, err)
			require.NotEmpty(t, shown)
			require.Equal(t, example{"keys", "ExampleA", c.want}, shown[0])
		})
	}
}

// example is an Example function as the documentation site shows it.
type example struct {
	dir, name string
	problems  []string
}

// examples finds the examples of the public packages.
func examples(tree fs.FS, files []file) ([]example, error) {
	var found []example
	public := publicPackages(files)
	for _, f := range files {
		if !f.test || !slices.Contains(public, f.dir) {
			continue
		}
		source, err := fs.ReadFile(tree, path.Join(f.dir, f.name))
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		syntax, err := parser.ParseFile(set, f.name, source, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, e := range doc.Examples(syntax) {
			problems, err := problemsOf(set, e)
			if err != nil {
				return nil, err
			}
			found = append(found, example{f.dir, "Example" + e.Name, problems})
		}
	}
	return found, nil
}

// publicPackages returns the folders of the packages that users import.
func publicPackages(files []file) []string {
	var dirs []string
	for _, f := range files {
		if !f.test && !below(f.dir, "examples") && !slices.Contains(strings.Split(f.dir, "/"), "internal") {
			dirs = append(dirs, f.dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// problemsOf lists the reasons why an example is not a complete program.
func problemsOf(set *token.FileSet, e *doc.Example) ([]string, error) {
	var problems []string
	if e.Output == "" && !e.EmptyOutput {
		problems = append(problems, "is not run: it has no Output comment")
	}
	if e.Play == nil {
		return append(problems, "is shown without its declarations"), nil
	}
	// go/doc shows a file with a single example unchanged. In other files it omits the parts of
	// groups that an example does not use, but not the imports of these parts. The program is
	// printed and parsed again to find the names that it needs.
	var text bytes.Buffer
	if err := format.Node(&text, set, e.Play); err != nil {
		return nil, err
	}
	program, err := parser.ParseFile(token.NewFileSet(), e.Name, &text, 0)
	if err != nil {
		return nil, err
	}
	undeclared := map[string]bool{}
	for _, name := range program.Unresolved {
		if types.Universe.Lookup(name.Name) == nil {
			undeclared[name.Name] = true
		}
	}
	for _, spec := range program.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := localName(spec, imported)
		if !undeclared[name] {
			problems = append(problems, "imports "+imported+" in vain: split the group that needs it elsewhere")
		}
		delete(undeclared, name)
		if slices.Contains(strings.Split(imported, "/"), "internal") {
			problems = append(problems, "imports "+imported+", which no other module can")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(undeclared)) {
		problems = append(problems, "uses "+name+", which is declared elsewhere")
	}
	return problems, nil
}

// localName returns the name of an imported package in a file, such as smithy for
// github.com/aws/smithy-go.
func localName(spec *ast.ImportSpec, imported string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	name, _, _ := strings.Cut(path.Base(imported), "-")
	return name
}

package archtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testsize"
)

// system is a development system: one with 32 bits and other paths, or one more like this one.
type system struct{ os, arch string }

var systems = []system{{"windows", "386"}, {"darwin", "arm64"}}

// The code and the tests of the main module and of the modules that run on developers' machines are
// valid on other development systems.
func TestOtherSystems(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	if testsize.Pick(0, 1) == 0 {
		t.Skip("only larger sizes check the types for other systems, which takes ten seconds")
	}
	for _, module := range []string{"", "cmd/ddbtest", "internal/ddblocal"} {
		for _, s := range systems {
			t.Run(s.os+"/"+s.arch+"/"+module, func(t *testing.T) {
				t.Parallel()
				require.NoError(t, s.check(filepath.Join(root, module)))
			})
		}
	}
}

// A number that does not fit in 32 bits, a function of another system and a file without a build
// tag are found, in code and in tests.
func TestOtherSystemsControl(t *testing.T) {
	t.Parallel()
	valid := map[string]string{
		"go.mod":         "module example.com/m\n\ngo 1.25\n",
		"a.go":           "package m\n\nfunc a() uint { return 1 << 31 }\n",
		"b_windows.go":   "package m\n\nimport \"syscall\"\n\nvar b = syscall.GetVersion\n",
		"c_unix_test.go": "//go:build unix\n\npackage m\n\nimport \"syscall\"\n\nvar c = syscall.Flock\n",
		"d_test.go":      "package m_test\n\nimport \"testing\"\n\nfunc TestD(*testing.T) {}\n",
	}
	windows := systems[0]
	require.NoError(t, windows.check(written(t, valid, "e_linux.go", "package m\n\nvar e undefined\n")))
	for name, text := range map[string]string{
		"a.go":           "package m\n\nfunc a() uint { return 1 << 32 }\n",
		"b_windows.go":   "package m\n\nimport \"syscall\"\n\nvar b = syscall.Flock\n",
		"c_unix_test.go": "package m\n\nimport \"syscall\"\n\nvar c = syscall.Flock\n",
		"d_test.go":      "package m_test\n\nimport \"testing\"\n\nfunc TestD(*testing.T) { var n int = 1 << 32; _ = n }\n",
		"f.go":           "package m\n\nimport _ \"example.com/m/absent\"\n",
	} {
		require.Error(t, windows.check(written(t, valid, name, text)), name)
	}
}

// written writes a module with one more or one other file, and returns its folder.
func written(t *testing.T, files map[string]string, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	for file, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	return dir
}

// listed is a package, or its variant with tests, as go list prints it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Standard        bool
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

// own reports whether a package belongs to the module whose code is checked.
func (p *listed) own() bool { return p.Module != nil && p.Module.Main }

// check checks the types of all packages and tests of a module as the compiler does for a system.
// It reads the sources of their imports, without the bodies of functions, which is many times
// faster than to compile them.
func (s system) check(dir string) error {
	cmd := exec.Command("go", "list", "-e", "-deps", "-test",
		"-json=ImportPath,Dir,GoFiles,ImportMap,Standard,Module,Error", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+s.os, "GOARCH="+s.arch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c := checker{system: s, files: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe}}
	err = c.all(json.NewDecoder(out))
	return errors.Join(err, cmd.Wait())
}

// checker checks packages in an order in which imports come first.
type checker struct {
	system system
	files  *token.FileSet
	done   map[string]*types.Package
}

func (c *checker) all(list *json.Decoder) error {
	var issues []error
	for {
		p := &listed{}
		switch err := list.Decode(p); {
		case err == io.EOF:
			return errors.Join(issues...)
		case err != nil:
			return err
		case p.Error != nil:
			issues = append(issues, fmt.Errorf("%s: %s", p.ImportPath, p.Error.Err))
		case strings.HasSuffix(p.ImportPath, ".test"): // go test generates its main function
		case p.ImportPath != "unsafe":
			issues = append(issues, c.one(p)...)
		}
	}
}

// one checks a package and returns the issues of the module's own code.
func (c *checker) one(p *listed) (issues []error) {
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		parsed = append(parsed, file)
	}
	config := types.Config{
		Sizes:            types.SizesFor("gc", c.system.arch),
		IgnoreFuncBodies: !p.own(),
		FakeImportC:      true,
		Importer:         imports{c, p},
		Error: func(err error) {
			if p.own() {
				issues = append(issues, err)
			}
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	c.done[p.ImportPath], _ = config.Check(path, c.files, parsed, nil) // Error gets the errors
	return issues
}

// imports finds the imports of a package, which may be variants with tests.
type imports struct {
	checker *checker
	of      *listed
}

func (i imports) Import(path string) (*types.Package, error) {
	if to, ok := i.of.ImportMap[path]; ok {
		path = to
	}
	if p := i.checker.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("there is no package %s", path)
}

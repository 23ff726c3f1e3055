package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// file is what the rules check: where a Go file is, and what it uses.
type file struct {
	dir      string // relative to the module's root, "." for the root
	name     string
	test     bool
	imports  []string
	readsEnv bool
}

// load reads all Go files of one module, whatever their build tags. It skips nested modules and the
// folders that the go command skips.
func load(fsys fs.FS) ([]file, error) {
	var files []file
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name != "." && leftOut(fsys, name) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_"):
			return nil
		}
		src, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		f, err := parse(name, src)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// leftOut reports whether a folder is not part of the module.
func leftOut(fsys fs.FS, dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}

func parse(name string, src []byte) (file, error) {
	syntax, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return file{}, fmt.Errorf("parsing a source file: %w", err)
	}
	f := file{dir: path.Dir(name), name: path.Base(name), test: strings.HasSuffix(name, "_test.go")}
	reads := map[string]bool{} // "os.Getenv", with this file's package name
	for _, spec := range syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return file{}, fmt.Errorf("an import of %s: %w", name, err)
		}
		f.imports = append(f.imports, imported)
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		for _, function := range environmentReads[imported] {
			reads[local+"."+function] = true
		}
		// With a dot import, a call does not name its package.
		f.readsEnv = f.readsEnv || local == "." && environmentReads[imported] != nil
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && reads[x.Name+"."+selector.Sel.Name] {
				f.readsEnv = true
			}
		}
		return true
	})
	slices.Sort(f.imports)
	return f, nil
}

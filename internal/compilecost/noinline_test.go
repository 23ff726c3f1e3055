package compilecost

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The methods of generic types are not inlined. The package documentation tells why.
func TestGenericMethodsAreNotInlined(t *testing.T) {
	t.Parallel()
	for _, room := range []string{"query", "entity", "attr", "generations"} {
		files, err := filepath.Glob(filepath.Join("..", "..", room, "*.go"))
		require.NoError(t, err)
		methods := 0
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			n, inlined := genericMethods(t, name, nil)
			methods += n
			require.Empty(t, inlined, "the lines need //go:noinline above them")
		}
		require.Positive(t, methods)
	}
}

// The check above finds a method without the directive.
func TestInlinedGenericMethodIsFound(t *testing.T) {
	t.Parallel()
	const source = "package p\n\nfunc (q Q[T]) A() {}\n\n//go:noinline\nfunc (q *Q[T]) B() {}\n\nfunc (p P[A, B]) C() {}\n\nfunc (p P0) D() {}\n"
	n, inlined := genericMethods(t, "p.go", source)
	require.Equal(t, 3, n)
	require.Equal(t, []string{"p.go:3: Q.A", "p.go:8: P.C"}, inlined)
}

// genericMethods returns the number of methods of generic types in a file, and those that the
// compiler may inline.
func genericMethods(t *testing.T, name string, source any) (n int, inlined []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments)
	require.NoError(t, err)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		owner := genericType(f.Recv.List[0].Type)
		if owner == "" {
			continue
		}
		n++
		if f.Doc == nil || !slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:noinline" }) {
			at := set.Position(f.Pos())
			inlined = append(inlined, fmt.Sprintf("%s:%d: %s.%s", at.Filename, at.Line, owner, f.Name.Name))
		}
	}
	return n, inlined
}

// genericType returns the name of a generic receiver's type, or "" if the receiver is not generic.
func genericType(receiver ast.Expr) string {
	if p, ok := receiver.(*ast.StarExpr); ok {
		receiver = p.X
	}
	switch of := receiver.(type) {
	case *ast.IndexExpr:
		receiver = of.X
	case *ast.IndexListExpr:
		receiver = of.X
	default:
		return ""
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

package core_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

func pathOf(c *testdriven.Case, p *core.Plan, text string) *core.Path {
	if text == "empty" {
		return nil
	}
	path, err := testschema.Path(p, text)
	require.NoError(c.T, err, c.Pos)
	return path
}

// fieldPath returns the path of a text such as Lines[2].Note, with the names of Go fields. Extend
// adds the path after a +, whose fields start from the type at the end of the first path, or of the
// path before a colon. The type of operands follows after "as", "of" makes it the path of another
// entity, and (bad) gives it an error. "empty" is no path, and "no steps" a path without steps.
func fieldPath(c *testdriven.Case, p *core.Plan, text string) *core.Path {
	text, leaf, _ := strings.Cut(text, " as ")
	text, _, foreign := strings.Cut(text, " of ")
	first, second, extended := strings.Cut(text, " + ")
	first, _, bad := strings.Cut(first, " (bad)")
	path, end := goPath(c, p.Type, first)
	if bad {
		path.Err = errSink
	}
	if from, rest, other := strings.Cut(second, ": "); other {
		_, end = goPath(c, p.Type, from)
		second = rest
	}
	if extended {
		below, at := goPath(c, end, second)
		path, end = path.Extend(at, nil, below.In(end)...), at
	}
	if path == nil {
		return nil
	}
	path.Leaf = map[string]reflect.Type{"": nil, "its type": end, "string": reflect.TypeFor[string](), "int": reflect.TypeFor[int]()}[leaf]
	if foreign {
		path.Owner = reflect.TypeFor[struct{ Other int }]()
	}
	return path
}

// goPath returns a path of Go fields, and the type at its end.
func goPath(c *testdriven.Case, owner reflect.Type, text string) (*core.Path, reflect.Type) {
	path, at := &core.Path{Owner: owner}, owner
	switch text {
	case "empty":
		return nil, owner
	case "no steps":
		return path, owner
	case "only a position":
		path.Steps = append(path.Steps, &core.Step{Kind: core.StepAt})
		return path, owner
	}
	e, err := parser.ParseExpr(text)
	require.NoError(c.T, err, c.Pos)
	field := func(name string) {
		f, ok := at.FieldByName(name)
		require.True(c.T, ok, "%s: %s", c.Pos, name)
		if n := len(path.Steps); n > 0 && path.Steps[n-1].Kind == core.StepField {
			path.Steps[n-1].Index = append(path.Steps[n-1].Index, f.Index...)
		} else {
			path.Steps = append(path.Steps, &core.Step{Kind: core.StepField, Index: f.Index})
		}
		at = f.Type
	}
	var walk func(e ast.Expr)
	walk = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.Ident:
			field(e.Name)
		case *ast.SelectorExpr:
			walk(e.X)
			if at.Kind() == reflect.Pointer {
				at = at.Elem()
			}
			field(e.Sel.Name)
		case *ast.IndexExpr:
			walk(e.X)
			step := &core.Step{Kind: core.StepKey}
			if text, err := strconv.Unquote(e.Index.(*ast.BasicLit).Value); err == nil {
				step.Name = text
			} else {
				step.Kind = core.StepAt
				step.At, _ = strconv.Atoi(e.Index.(*ast.BasicLit).Value)
			}
			path.Steps = append(path.Steps, step)
			at = at.Elem()
		}
	}
	walk(e)
	return path, at
}

// pathText returns a path, and where it is stored.
func pathText(p *core.Plan, path *core.Path) string {
	text := path.String()
	b, err := path.Bind(p)
	if err != nil {
		return text + "; " + errorText(p, err)
	}
	again, err := path.Bind(p)
	if again != b || err != nil {
		return "Bind does not keep its result"
	}
	text += "; stored at " + b.String() + ", attribute " + b.Attribute
	if b.Field != nil {
		text += ", field " + b.Field.GoName
	}
	if b.Key != nil {
		text += ", key"
	}
	if b.Whole() {
		text += ", whole"
	}
	for _, e := range b.Elements {
		if e.IsData {
			text += ", data"
		}
	}
	if b.Leaf.Field != nil {
		text += ", leaf " + b.Leaf.Field.GoName
	}
	if b.Leaf.Node != nil {
		text += fmt.Sprintf(", type %s", b.Leaf.Node.Type)
	}
	if b.Leaf.Type != nil {
		text += fmt.Sprintf(", operands %s", b.Leaf.Type)
	}
	return strings.ReplaceAll(text, p.Type.String(), p.Name)
}

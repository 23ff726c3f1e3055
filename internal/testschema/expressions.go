package testschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

// A condition or a change is a Go expression: operators and verbs by their names in package attr,
// paths by attribute names, and operands as Go literals:
//
//	And(Eq(status, "a"), Ge(Size(skills), 2), Lt(work.city, Path(home.city)))
//	Append(lines, json(`[{"SKU": "a"}]`))
//
// A quoted name stands for a name with special characters, and a quoted index for the entry of a
// map. Other operands are time("2026-08-03T12:00:00Z"), av("N", "1"), and json("…"), which has the
// Go type of the path. nothing is a nil condition, bad(path) a path that cannot be used, and
// repeat(n, x) stands for n times x.

// Cond returns the condition of a text, for a type.
func Cond(p *core.Plan, text string) (c *expr.Cond, err error) {
	defer recoverText(text, &err)
	return expressions{p}.cond(parse(text)), nil
}

// Change returns the change of a text, for a type.
func Change(p *core.Plan, text string) (c *expr.Change, err error) {
	defer recoverText(text, &err)
	return expressions{p}.change(text), nil
}

// Path returns the path of a text, for a type.
func Path(p *core.Plan, text string) (path *core.Path, err error) {
	defer recoverText(text, &err)
	return expressions{p}.path(parse(text)), nil
}

// recoverText sets the error of a text that is not understood.
func recoverText(text string, err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("%s: %v", text, reason)
	}
}

// expressions makes conditions and changes for a type.
type expressions struct{ plan *core.Plan }

// badSource is the panic of a text that is not understood.
type badSource string

// reject ends the parsing of a text that is not understood.
func reject(format string, args ...any) {
	panic(badSource(fmt.Sprintf(format, args...))) //nolint:forbidigo // recoverText returns it as an error
}

var errBadPath = errors.New("example error")

func parse(text string) ast.Expr {
	e, err := parser.ParseExpr(text)
	if err != nil {
		reject("%v", err)
	}
	return e
}

// names returns the operators or verbs by their names in package attr.
func names[E interface {
	~uint8
	String() string
}](last E) map[string]E {
	m := map[string]E{}
	for e := E(1); e <= last; e++ {
		m[e.String()] = e
	}
	return m
}

var (
	operators = names(expr.LastOp)
	verbs     = names(expr.If)
)

func (s expressions) cond(e ast.Expr) *expr.Cond {
	if id, ok := e.(*ast.Ident); ok && id.Name == "nothing" {
		return expr.CondOf(nil)
	}
	call := e.(*ast.CallExpr)
	op, ok := operators[call.Fun.(*ast.Ident).Name]
	switch {
	case !ok:
		reject("no operator %s", call.Fun.(*ast.Ident).Name)
	case op <= expr.Not:
		var children []*expr.Cond
		for _, arg := range repeated(call.Args) {
			children = append(children, s.cond(arg))
		}
		return expr.Join(op, children)
	}
	at, size := call.Args[0], false
	if inner, ok := at.(*ast.CallExpr); ok && inner.Fun.(*ast.Ident).Name == "Size" {
		at, size = inner.Args[0], true
	}
	path := s.path(at)
	if len(call.Args) == 2 {
		if other, ok := call.Args[1].(*ast.CallExpr); ok && other.Fun.(*ast.Ident).Name == "Path" {
			return expr.NewComparison(op, path, s.path(other.Args[0]))
		}
	}
	if op == expr.IsType {
		c := expr.NewCond(op, path)
		c.Type = unquote(call.Args[1])
		return c
	}
	c := expr.NewCond(op, path, s.operands(path, call.Args[1:], size)...)
	c.Size = size
	return c
}

func (s expressions) change(text string) *expr.Change {
	call := parse(text).(*ast.CallExpr)
	name := call.Fun.(*ast.Ident).Name
	verb, ok := verbs[name]
	switch {
	case !ok:
		reject("no verb %s", name)
	case verb == expr.If:
		var conds []*expr.Cond
		for _, arg := range call.Args {
			conds = append(conds, s.cond(arg))
		}
		return expr.OnlyIf(conds)
	}
	path := s.path(call.Args[0])
	return expr.NewChange(verb, path, s.operands(path, call.Args[1:], false)...)
}

func (s expressions) path(e ast.Expr) *core.Path {
	p := &core.Path{Owner: s.plan.Type}
	if call, ok := e.(*ast.CallExpr); ok && call.Fun.(*ast.Ident).Name == "bad" {
		p.Err = errBadPath
		e = call.Args[0]
	}
	p.Steps = s.steps(e)
	return p
}

func (s expressions) steps(e ast.Expr) []*core.Step {
	switch e := e.(type) {
	case *ast.Ident:
		return []*core.Step{{Kind: core.StepName, Name: e.Name}}
	case *ast.BasicLit:
		return []*core.Step{{Kind: core.StepName, Name: unquote(e)}}
	case *ast.SelectorExpr:
		return append(s.steps(e.X), &core.Step{Kind: core.StepName, Name: e.Sel.Name})
	case *ast.IndexExpr:
		if lit := e.Index.(*ast.BasicLit); lit.Kind == token.STRING {
			return append(s.steps(e.X), &core.Step{Kind: core.StepKey, Name: unquote(lit)})
		}
		i, err := strconv.Atoi(e.Index.(*ast.BasicLit).Value)
		if err != nil {
			reject("%v", err)
		}
		return append(s.steps(e.X), &core.Step{Kind: core.StepAt, At: i})
	default:
		reject("not a path: %T", e)
		return nil
	}
}

// repeated replaces each repeat(n, e) of a list by n times e.
func repeated(list []ast.Expr) (all []ast.Expr) {
	for _, e := range list {
		if call, ok := e.(*ast.CallExpr); ok && call.Fun.(*ast.Ident).Name == "repeat" {
			n, _ := strconv.Atoi(call.Args[0].(*ast.BasicLit).Value)
			all = append(all, slices.Repeat(call.Args[1:], n)...)
			continue
		}
		all = append(all, e)
	}
	return all
}

// operands returns pointers to the operands. Those of sizes are ints, and others have the type any,
// as operands of paths that are known at run time only.
func (s expressions) operands(path *core.Path, list []ast.Expr, size bool) []any {
	var args []any
	for _, e := range repeated(list) {
		v := s.operand(path, e)
		if n, ok := v.(int); ok && size {
			args = append(args, &n)
		} else if typed := reflect.ValueOf(v); typed.IsValid() && typed.Kind() == reflect.Pointer && isJSON(e) {
			args = append(args, v)
		} else {
			args = append(args, &v)
		}
	}
	return args
}

func isJSON(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && call.Fun.(*ast.Ident).Name == "json"
}

func (s expressions) operand(path *core.Path, e ast.Expr) any {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return unquote(e)
		}
		if n, err := strconv.Atoi(e.Value); err == nil {
			return n
		}
		f, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			reject("%v", err)
		}
		return f
	case *ast.UnaryExpr:
		switch n := s.operand(path, e.X).(type) {
		case int:
			return -n
		default:
			return -n.(float64)
		}
	case *ast.Ident:
		v, ok := map[string]any{"nil": nil, "true": true, "false": false, "NaN": math.NaN(), "Inf": math.Inf(1), "year10000": time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)}[e.Name]
		if !ok {
			reject("no operand %s", e.Name)
		}
		return v
	case *ast.CompositeLit:
		return s.slice(path, e)
	case *ast.CallExpr:
		return s.special(path, e)
	default:
		reject("not an operand: %T", e)
		return nil
	}
}

func (s expressions) slice(path *core.Path, e *ast.CompositeLit) any {
	elem := map[string]reflect.Type{"string": reflect.TypeFor[string](), "int": reflect.TypeFor[int](), "byte": reflect.TypeFor[byte]()}[e.Type.(*ast.ArrayType).Elt.(*ast.Ident).Name]
	list := reflect.MakeSlice(reflect.SliceOf(elem), 0, len(e.Elts))
	for _, x := range e.Elts {
		list = reflect.Append(list, reflect.ValueOf(s.operand(path, x)).Convert(elem))
	}
	return list.Interface()
}

func (s expressions) special(path *core.Path, e *ast.CallExpr) any {
	switch name := e.Fun.(*ast.Ident).Name; name {
	case "time":
		at, err := time.Parse(time.RFC3339Nano, unquote(e.Args[0]))
		if err != nil {
			reject("%v", err)
		}
		return at
	case "json":
		b, err := path.Bind(s.plan)
		if err != nil {
			reject("%v", err)
		}
		v := reflect.New(b.Leaf.Node.Type).Interface()
		if err := json.Unmarshal([]byte(unquote(e.Args[0])), v); err != nil {
			reject("%v", err)
		}
		return v
	case "av":
		var texts []string
		for _, arg := range e.Args[1:] {
			texts = append(texts, unquote(arg))
		}
		switch unquote(e.Args[0]) {
		case "N":
			return &types.AttributeValueMemberN{Value: texts[0]}
		case "NS":
			return &types.AttributeValueMemberNS{Value: texts}
		case "BS":
			return &types.AttributeValueMemberBS{Value: [][]byte{[]byte(texts[0])}}
		default:
			return &types.AttributeValueMemberSS{Value: texts}
		}
	default:
		reject("no operand %s", name)
		return nil
	}
}

func unquote(e ast.Expr) string {
	text, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		reject("%v", err)
	}
	return text
}

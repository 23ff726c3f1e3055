package trestle_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/generations"
	"github.com/trestledb/trestle/keys"
	"github.com/trestledb/trestle/maintain"
	"github.com/trestledb/trestle/query"
	"github.com/trestledb/trestle/tx"
)

// thing has a field of each kind of handle.
type thing struct {
	_     entity.Key     `type:"thing" pk:"T#<id>" sk:"T#<at:s>"`
	_     entity.Index   `name:"by-text" on:"GSI1" pk:"X#<text>" sk:"<bytes:hex>"`
	ID    string         `dynamodbav:"id"`
	At    time.Time      `dynamodbav:"at"`
	Text  string         `dynamodbav:"text"`
	Bytes []byte         `dynamodbav:"bytes"`
	N     int            `dynamodbav:"n"`
	List  []string       `dynamodbav:"list"`
	Map   map[string]int `dynamodbav:"map"`
	In    *inside        `dynamodbav:"in"`
}

type inside struct {
	N int `dynamodbav:"n"`
}

type pointing struct {
	_  entity.Key `type:"pointing" pk:"P#<id>" sk:"P"`
	ID string     `dynamodbav:"id"`
	generations.Pointer
}

type part struct {
	Text string `dynamodbav:"text"`
}

// packages are the tested packages.
var packages = []string{"attr", "query", "keys", "entity", "tx", "generations", "maintain"}

// functions has all exported functions of the packages, with type arguments. It omits Must, which
// is documented to panic if Find fails.
var functions = map[string]any{
	"attr.Add": attr.Add[thing, int], "attr.Append": attr.Append[[]string, thing], "attr.If": attr.If[thing], "attr.Prepend": attr.Prepend[[]string, thing],
	"attr.SetAdd": attr.SetAdd[[]string, thing], "attr.SetDelete": attr.SetDelete[[]string, thing], "attr.And": attr.And[thing], "attr.Or": attr.Or[thing],
	"attr.Not": attr.Not[thing], "attr.Contains": attr.Contains[[]string, thing], "attr.ContainsText": attr.ContainsText[thing, string],
	"attr.At": attr.At[thing, []string], "attr.Find": attr.Find[thing, string], "attr.Key": attr.Key[thing, map[string]int], "attr.Named": attr.Named[thing],
	"attr.Sub": attr.Sub[thing, *inside, int], "attr.Typed": attr.Typed[string, thing], "attr.Before": attr.Before[thing], "attr.Since": attr.Since[thing],
	"attr.BeginsWith": attr.BeginsWith[thing, []byte], "attr.During": attr.During[thing], "attr.Size": attr.Size[thing, []string],
	"attr.Compare": attr.Compare[thing, string],
	"attr.Day":     attr.Day, "attr.Hour": attr.Hour, "attr.Month": attr.Month, "attr.Year": attr.Year,

	"query.ExplainMany": query.ExplainMany, "query.Filter": query.Filter[thing, query.Collection], "query.GetMany": query.GetMany, "query.Items": query.Items,
	"query.Load": query.Load, "query.Recount": query.Recount[thing, int], "query.Ref": query.Ref[thing], "query.As": query.As[part, thing], "query.Of": query.Of[thing], "query.On": query.On[thing],
	"query.Scan": query.Scan[thing], "query.ScanStored": query.ScanStored, "query.ScanTable": query.ScanTable,

	"tx.Get": tx.Get[thing], "tx.GetAs": tx.GetAs[thing, part], "tx.Move": tx.Move[thing], "tx.NewRead": tx.NewRead, "tx.NewWrite": tx.NewWrite, "tx.Read": tx.Read,
	"tx.Write": tx.Write, "tx.WriteOnce": tx.WriteOnce,

	"generations.New": generations.New[pointing, part], "generations.Slice": generations.Slice[part],

	"keys.Layout": keys.Layout, "keys.Compile": keys.Compile, "keys.Bool": keys.Bool,
	"keys.Bytes": keys.Bytes, "keys.Float": keys.Float, "keys.Int": keys.Int, "keys.Text": keys.Text, "keys.Time": keys.Time, "keys.Uint": keys.Uint,

	"entity.ItemFromError": entity.ItemFromError[thing], "entity.B": entity.B, "entity.N": entity.N, "entity.S": entity.S, "entity.ReadFirst": entity.ReadFirst,
	"entity.ShowExpired":   entity.ShowExpired,
	"entity.CoalesceReads": entity.CoalesceReads, "entity.AttributeValues": entity.AttributeValues,
	"entity.ClientOptions": entity.ClientOptions, "entity.Timeout": entity.Timeout, "entity.NewCursorKey": entity.NewCursorKey, "entity.ParseCursorKey": entity.ParseCursorKey,
	// A zero slog.Logger itself panics.
	"trestle.SlogObserver": func() trestle.Observer { return trestle.SlogObserver(nil) },
	"trestle.OutcomeOf":    trestle.OutcomeOf, "trestle.Unprocessed": trestle.Unprocessed[thing], "entity.Project": entity.Project[part, thing], "entity.NewSchema": entity.NewSchema,
	"entity.Cursors": entity.Cursors, "entity.PlainCursors": entity.PlainCursors, "entity.Define": entity.Define[thing], "entity.Random": entity.Random, "entity.Clock": entity.Clock,
	"entity.Concurrency": entity.Concurrency,
	"maintain.Check":     maintain.Check, "maintain.CheckItems": maintain.CheckItems, "maintain.RepairGuards": maintain.RepairGuards, "maintain.RepairCounts": maintain.RepairCounts,
	"maintain.Reindex": maintain.Reindex, "maintain.Copy": maintain.Copy, "maintain.Replacement": maintain.Replacement,
	"maintain.RemoveTenant": maintain.RemoveTenant, "maintain.ExportTenant": maintain.ExportTenant,
	"entity.Progress": entity.Progress, "entity.WriteMany": entity.WriteMany,
	"entity.DefineSpec": entity.DefineSpec[thing], "entity.AsRead": entity.AsRead, "trestle.MultiObserver": trestle.MultiObserver,
}

// values has zero values of all exported types that have methods and that no function returns.
var values = []any{
	keys.Issues{}, &keys.SyntaxError{}, &keys.ValueError{}, keys.Format{}, keys.Field{}, keys.Options{}, &keys.Template{},
	(*keys.Template)(nil), keys.Kind(0), keys.Kind(99), keys.Value{},
	&attr.Field[thing, string]{}, (*attr.Field[thing, string])(nil), &attr.Length[thing]{}, (*attr.Length[thing])(nil), &attr.Pair[thing]{}, (*attr.Pair[thing])(nil), attr.Period{},
	&trestle.DefinitionError{}, &maintain.Error{}, &trestle.OpError{}, &trestle.UnprocessedError{}, &trestle.BatchFailure{}, trestle.Issue{}, trestle.Explanation{}, trestle.Event{},
	trestle.Outcome(9), trestle.Return(9), entity.CursorKey{}, entity.CursorRing{}, entity.Attribute{}, trestle.Observer(nil), entity.Raw{}, trestle.Capacity{},
	&entity.Ops[thing]{}, (*entity.Ops[thing])(nil), &entity.Op[thing]{}, (*entity.Op[thing])(nil), &entity.Reader[thing]{},
	(*entity.Reader[thing])(nil), &entity.Repo[thing]{}, (*entity.Repo[thing])(nil), trestle.Input{}, entity.Projection[thing, part]{},
	(*entity.Type[thing])(nil), &entity.Type[thing]{}, (*entity.Schema)(nil), &entity.Schema{}, (*entity.Table)(nil), &entity.Table{}, entity.Result[thing]{},
	query.Query[thing]{}, query.Projected[part]{}, query.Collection{}, query.TableScan[thing]{}, query.TableScan[any]{}, query.TableScan[entity.Raw]{},
	query.ItemRef{}, query.Page[thing]{}, query.Progress{},
	(*tx.WriteTransaction)(nil), &tx.WriteTransaction{}, (*tx.ReadTransaction)(nil), &tx.ReadTransaction{},
	(*generations.Repo[pointing, part])(nil), &generations.Repo[pointing, part]{}, (*generations.Reader[pointing, part])(nil), &generations.Pointer{},
	maintain.Problem{}, maintain.Kind(99), maintain.Report{}, maintain.Step{},
	&trestle.CanceledError{}, &trestle.TransactionLimitError{}, trestle.TransactionExplanation{},
}

// No exported function or method panics on nil and zero values, with an opened table or without
// one. The control is a method that panics.
func TestNothingPanicsOnZeros(t *testing.T) {
	t.Parallel()
	c := &caller{t: t, live: map[reflect.Type][]reflect.Value{}, explored: map[string]bool{}}
	for _, v := range values {
		c.explore(reflect.ValueOf(v), 0)
	}
	for _, name := range sortedNames(functions) {
		c.call(name, reflect.ValueOf(functions[name]), 0)
	}
	for _, config := range []entity.Config{
		{Formats: map[string]keys.Format{"s": {}, "own": {}, "": {}}, Indexes: []entity.IndexConfig{{}, {Name: "GSI1"}}},
		{Formats: map[string]keys.Format{"own": {Encode: func(keys.Value) (string, error) { return "", nil }}}, Partition: entity.Attribute{}, Raw: true},
	} {
		s := entity.NewSchema(config)
		entity.Define[thing](s)
		entity.DefineSpec[part](s, entity.Spec{Type: "part", Key: entity.KeySpec{PK: "P#<text:own>", SK: "P"}, Indexes: []entity.IndexSpec{{}}})
		c.explore(reflect.ValueOf(s), 0)
	}
	c.lives()
	for _, pkg := range packages {
		for _, name := range exported(t, pkg) {
			if name != "attr.Must" {
				require.True(t, functions[name] != nil || c.explored[name], "%s is called by no test: add it to functions or values", name)
			}
		}
	}
	t.Logf("%d calls", c.calls)
	slices.Sort(c.panics)
	require.Empty(t, strings.Join(slices.Compact(c.panics), "\n"))

	c.explore(reflect.ValueOf(fragile{}), 0)
	require.NotEmpty(t, c.panics, "the control")
}

type fragile struct{ p *part }

func (f fragile) Text() string { return f.p.Text }

func sortedNames(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// exported lists the exported functions of a package, and its types with methods.
func exported(t *testing.T, pkg string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				name = receiver(f.Recv.List[0].Type)
			}
			if ast.IsExported(name) && !slices.Contains(names, pkg+"."+name) {
				names = append(names, pkg+"."+name)
			}
		}
	}
	return names
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// caller calls functions and methods with zero values, with usable values, and with mixtures of
// both.
type caller struct {
	t        *testing.T
	live     map[reflect.Type][]reflect.Value
	explored map[string]bool
	panics   []string
	calls    int
}

// lives adds values that need an opened table, and repeats all calls.
func (c *caller) lives() {
	s := entity.NewSchema(entity.Config{Indexes: []entity.IndexConfig{{Name: "GSI1"}}})
	things := entity.Define[thing](s)
	parts := entity.Project[part](things)
	table, err := s.Open(ddbtest.Start(c.t).Client(), "things", entity.PlainCursors())
	require.NoError(c.t, err)
	repo := things.In(table)
	at, id := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), "a"
	require.NoError(c.t, table.Create(c.t.Context()))
	require.NoError(c.t, repo.Put(c.t.Context(), &thing{ID: id, At: at, Text: "x", Bytes: []byte{1}}))
	q := query.Of(repo, thing{ID: id})
	text, list := attr.Must(func(e *thing) *string { return &e.Text }), attr.Must(func(e *thing) *[]string { return &e.List })
	when := attr.Must(func(e *thing) *time.Time { return &e.At })
	all := []any{
		s, things, parts, table, repo, repo.Reader(), repo.Strong(), repo.Op(), q, query.As(q, parts), q.Collection(),
		tx.Get(repo, thing{ID: id, At: at}, new(*thing)), tx.NewWrite(repo.Op().Put(&thing{ID: id, At: at})), repo.Op().Delete(thing{ID: id, At: at}),
		query.Scan(repo), query.ScanTable(table), query.ScanStored(table), query.Ref(repo, thing{ID: id, At: at}), text, list, when,
		attr.Named[thing]("text"), attr.Size(text), attr.Month(2026, 8),
	}
	for _, v := range all {
		c.live[reflect.TypeOf(v)] = append(c.live[reflect.TypeOf(v)], reflect.ValueOf(v))
	}
	for _, v := range all {
		c.explore(reflect.ValueOf(v), 1)
	}
	for _, name := range sortedNames(functions) {
		c.call(name, reflect.ValueOf(functions[name]), 1)
	}
}

// maxDepth limits how deep explore calls methods on results.
const maxDepth = 2

// explore calls every method of a value.
func (c *caller) explore(v reflect.Value, depth int) {
	if !v.IsValid() || depth > maxDepth {
		return
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
		if !v.IsValid() {
			return
		}
	}
	name := v.Type().String()
	plain, _, _ := strings.Cut(strings.TrimLeft(name, "*"), "[")
	c.explored[plain] = true
	if pkg, _, _ := strings.Cut(plain, "."); !slices.Contains(packages, pkg) && pkg != "trestle_test" {
		return
	}
	for i := range v.NumMethod() {
		c.call(fmt.Sprintf("%s.%s", name, v.Type().Method(i).Name), v.Method(i), depth)
	}
}

// call calls a function with zero values, and then with one other argument at a time.
func (c *caller) call(name string, f reflect.Value, depth int) {
	t := f.Type()
	zeros := make([]reflect.Value, t.NumIn())
	for i := range zeros {
		zeros[i] = c.candidates(t.In(i))[0]
	}
	c.try(name, f, zeros, depth)
	for i := range zeros {
		for _, other := range c.candidates(t.In(i))[1:] {
			args := slices.Clone(zeros)
			args[i] = other
			// The other arguments are usable values if possible, because zero values end a call
			// early.
			for j := range args {
				if live := c.live[t.In(j)]; j != i && len(live) > 0 {
					args[j] = live[0]
				}
			}
			c.try(name, f, args, depth)
		}
	}
}

var (
	contextType = reflect.TypeFor[context.Context]()
	stateType   = reflect.TypeFor[fmt.State]()
)

// state is a fmt.State that accepts everything.
type state struct{}

func (state) Write(b []byte) (int, error) { return len(b), nil }
func (state) Width() (int, bool)          { return 0, false }
func (state) Precision() (int, bool)      { return 0, false }
func (state) Flag(int) bool               { return false }

// candidates returns values of a type, the simplest first.
func (c *caller) candidates(t reflect.Type) []reflect.Value {
	switch t {
	case contextType:
		return []reflect.Value{reflect.ValueOf(c.t.Context())}
	case stateType:
		return []reflect.Value{reflect.ValueOf(state{})}
	}
	list := []reflect.Value{reflect.Zero(t)}
	switch t.Kind() {
	case reflect.Slice:
		one := reflect.MakeSlice(t, 1, 1)
		list = append(list, reflect.MakeSlice(t, 0, 0), one)
	case reflect.Pointer:
		list = append(list, reflect.New(t.Elem()))
	case reflect.Interface:
		for _, v := range []any{(*dynamodb.Client)(nil), (*part)(nil), (*[]entity.Raw)(nil), &struct{}{}, 1, (*slog.Logger)(nil), (*entity.Type[thing])(nil), &entity.Repo[thing]{}} {
			if reflect.TypeOf(v).Implements(t) {
				list = append(list, reflect.ValueOf(v))
			}
		}
	case reflect.Int, reflect.Int64:
		list = append(list, reflect.ValueOf(-1).Convert(t), reflect.ValueOf(3).Convert(t))
	case reflect.String:
		list = append(list, reflect.ValueOf("by-text").Convert(t), reflect.ValueOf("\xff").Convert(t))
	}
	list = append(list, c.live[t]...)
	if t.Kind() == reflect.Interface {
		for of, live := range c.live {
			if of.Implements(t) {
				list = append(list, live...)
			}
		}
	}
	return list
}

// try calls a function once, records a panic, and explores the results.
func (c *caller) try(name string, f reflect.Value, args []reflect.Value, depth int) {
	c.calls++
	defer func() {
		if p := recover(); p != nil {
			c.panics = append(c.panics, fmt.Sprintf("%s: %v", name, p))
		}
	}()
	var results []reflect.Value
	if f.Type().IsVariadic() {
		results = f.CallSlice(args)
	} else {
		results = f.Call(args)
	}
	for _, r := range results {
		if r.Type().CanSeq2() {
			for range r.Seq2() {
			}
			continue
		}
		c.explore(r, depth+1)
	}
}

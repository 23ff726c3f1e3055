package attr_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/expr"
)

type base struct {
	Own string `dynamodbav:"own"`
}

type Base struct {
	ID    string `dynamodbav:"id"`
	Inner struct{ Deep *struct{ X, Y int } }
}

type node struct {
	Name string
	Next *node
	Kids []node
}

type findSample struct {
	base
	*Base
	private  string
	Dash     string `dynamodbav:"-"`
	Nothing  struct{}
	Func     func()
	Elements []Base
	ByName   map[string]*Base
	Grid     [3][4]Base
	Twice    **int
	A, B     *node
	First    struct{ First struct{ First int } }
}

func TestFindByAddress(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]fmt.Stringer{
		"id":                       attr.Must(func(x *findSample) *string { return &x.ID }),
		"own":                      attr.Must(func(x *findSample) *string { return &x.Own }),
		"Inner.Deep.Y":             attr.Must(func(x *findSample) *int { return &x.Inner.Deep.Y }),
		"Grid[2][3].Inner":         attr.Must(func(x *findSample) *struct{ Deep *struct{ X, Y int } } { return &x.Grid[2][3].Inner }),
		"Twice":                    attr.Must(func(x *findSample) *int { return *x.Twice }),
		"A.Next.Name":              attr.Must(func(x *findSample) *string { return &x.A.Next.Name }),
		"B.Name":                   attr.Must(func(x *findSample) *string { return &x.B.Name }),
		"B.Next":                   attr.Must(func(x *findSample) **node { return &x.B.Next }),
		"First":                    attr.Must(func(x *findSample) *struct{ First struct{ First int } } { return &x.First }),
		"First.First":              attr.Must(func(x *findSample) *struct{ First int } { return &x.First.First }),
		"First.First.First":        attr.Must(func(x *findSample) *int { return &x.First.First.First }),
		"Elements":                 attr.Must(func(x *findSample) *[]Base { return &x.Elements }),
		"Elements[7].id":           attr.Sub(attr.At(attr.Must(func(x *findSample) *[]Base { return &x.Elements }), 7), func(b *Base) *string { return &b.ID }),
		`ByName["…"].Inner.Deep.X`: attr.Sub(attr.Key(attr.Must(func(x *findSample) *map[string]*Base { return &x.ByName }), "k"), func(b **Base) *int { return &(*b).Inner.Deep.X }),
	} {
		require.Equal(t, want, f.String())
	}
}

func TestFindErrors(t *testing.T) {
	t.Parallel()
	var elsewhere string
	for name, find := range map[string]func() error{
		"address of something else": func() error { return findError(func(*findSample) *string { return &elsewhere }) },
		"new value":                 func() error { return findError(func(*findSample) *string { return new(string) }) },
		"nil":                       func() error { return findError(func(*findSample) *string { return nil }) },
		"no function":               func() error { return findError[findSample, string](nil) },
		"the entity itself":         func() error { return findError(func(x *findSample) *findSample { return x }) },
		"panics":                    func() error { return findError(func(*findSample) *string { panic("no") }) },
		"element of a nil slice":    func() error { return findError(func(x *findSample) *string { return &x.Elements[0].ID }) },
		"too deep a recursion": func() error {
			return findError(func(x *findSample) *string { return &x.A.Next.Next.Next.Next.Next.Name })
		},
		"unexported":               func() error { return findError(func(x *findSample) *string { return &x.private }) },
		"tagged away":              func() error { return findError(func(x *findSample) *string { return &x.Dash }) },
		"size zero":                func() error { return findError(func(x *findSample) *struct{} { return &x.Nothing }) },
		"not a struct":             func() error { return findError(func(x *int) *int { return x }) },
		"a pointer to a struct":    func() error { return findError(func(x **findSample) *string { return &(*x).ID }) },
		"a pointer made elsewhere": func() error { return findError(func(x *findSample) *int { n := **x.Twice; return &n }) },
	} {
		err := find()
		require.Error(t, err, name)
		require.NotRegexp(t, wrongWords, err.Error(), name)
	}
	require.Panics(t, func() { attr.Must(func(*findSample) *string { return nil }) })
}

func findError[T, F any](f func(*T) *F) error {
	h, err := attr.Find(f)
	if err != nil && h != nil {
		return nil
	}
	return err
}

// tree has so many branches that allocating it completely would never end.
type tree struct {
	L, R, M, N, O, P *tree
	Leaf             *leaf
}

type leaf struct {
	A, B, C, D, E, F *tree
	V                int
}

func TestFindEndsOnBranchingTypes(t *testing.T) {
	t.Parallel()
	h, err := attr.Find(func(x *tree) *int { return &x.Leaf.V })
	require.NoError(t, err)
	require.Equal(t, "Leaf.V", h.String())
}

func BenchmarkMust(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		attr.Must(func(x *Thing) *string { return &x.Work.City })
	}
}

func BenchmarkConditionMade(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		condSink = count.Eq(7)
	}
}

func BenchmarkChangeMade(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		changeSink = city.Set("Bergen")
	}
}

func BenchmarkConditionCompiled(b *testing.B) {
	p, c := plan[Thing](b), expr.CondOf(attr.And(status.Eq("active"), attr.Contains(skills, "sql")))
	b.ReportAllocs()
	for b.Loop() {
		if text, err := expr.Condition(expr.NewBuilder(), p, c); err != nil || text != "#n0 = :v0 AND contains(#n1, :v1)" {
			b.Fatal(text, err)
		}
	}
}

var (
	condSink   attr.Cond[Thing]
	changeSink attr.Change[Thing]
)

func TestHandleAllocations(t *testing.T) {
	for what, build := range map[string]func(){
		"Eq":      func() { condSink = status.Eq("active") },
		"Between": func() { condSink = count.Between(1, 2) },
		"Set":     func() { changeSink = city.Set("Bergen") },
		"Add":     func() { changeSink = attr.Add(count, 1) },
	} {
		require.LessOrEqual(t, testing.AllocsPerRun(100, build), 3.0, what)
	}
}

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

type hopeless struct {
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
		"id":                       attr.Must(func(x *hopeless) *string { return &x.ID }),
		"own":                      attr.Must(func(x *hopeless) *string { return &x.Own }),
		"Inner.Deep.Y":             attr.Must(func(x *hopeless) *int { return &x.Inner.Deep.Y }),
		"Grid[2][3].Inner":         attr.Must(func(x *hopeless) *struct{ Deep *struct{ X, Y int } } { return &x.Grid[2][3].Inner }),
		"Twice":                    attr.Must(func(x *hopeless) *int { return *x.Twice }),
		"A.Next.Name":              attr.Must(func(x *hopeless) *string { return &x.A.Next.Name }),
		"B.Name":                   attr.Must(func(x *hopeless) *string { return &x.B.Name }),
		"B.Next":                   attr.Must(func(x *hopeless) **node { return &x.B.Next }),
		"First":                    attr.Must(func(x *hopeless) *struct{ First struct{ First int } } { return &x.First }),
		"First.First":              attr.Must(func(x *hopeless) *struct{ First int } { return &x.First.First }),
		"First.First.First":        attr.Must(func(x *hopeless) *int { return &x.First.First.First }),
		"Elements":                 attr.Must(func(x *hopeless) *[]Base { return &x.Elements }),
		"Elements[7].id":           attr.Sub(attr.At(attr.Must(func(x *hopeless) *[]Base { return &x.Elements }), 7), func(b *Base) *string { return &b.ID }),
		`ByName["…"].Inner.Deep.X`: attr.Sub(attr.Key(attr.Must(func(x *hopeless) *map[string]*Base { return &x.ByName }), "k"), func(b **Base) *int { return &(*b).Inner.Deep.X }),
	} {
		require.Equal(t, want, f.String())
	}
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	var elsewhere string
	for name, find := range map[string]func() error{
		"address of something else": func() error { return found(func(*hopeless) *string { return &elsewhere }) },
		"new value":                 func() error { return found(func(*hopeless) *string { return new(string) }) },
		"nil":                       func() error { return found(func(*hopeless) *string { return nil }) },
		"no function":               func() error { return found[hopeless, string](nil) },
		"the entity itself":         func() error { return found(func(x *hopeless) *hopeless { return x }) },
		"panics":                    func() error { return found(func(*hopeless) *string { panic("no") }) },
		"element of a nil slice":    func() error { return found(func(x *hopeless) *string { return &x.Elements[0].ID }) },
		"too deep a recursion": func() error {
			return found(func(x *hopeless) *string { return &x.A.Next.Next.Next.Next.Next.Name })
		},
		"unexported":               func() error { return found(func(x *hopeless) *string { return &x.private }) },
		"tagged away":              func() error { return found(func(x *hopeless) *string { return &x.Dash }) },
		"size zero":                func() error { return found(func(x *hopeless) *struct{} { return &x.Nothing }) },
		"not a struct":             func() error { return found(func(x *int) *int { return x }) },
		"a pointer to a struct":    func() error { return found(func(x **hopeless) *string { return &(*x).ID }) },
		"a pointer made elsewhere": func() error { return found(func(x *hopeless) *int { n := **x.Twice; return &n }) },
	} {
		err := find()
		require.Error(t, err, name)
		require.NotRegexp(t, misfit, err.Error(), name)
	}
	require.Panics(t, func() { attr.Must(func(*hopeless) *string { return nil }) })
}

func found[T, F any](f func(*T) *F) error {
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
		sink = count.Eq(7)
	}
}

func BenchmarkChangeMade(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		change = city.Set("Bergen")
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
	sink   attr.Cond[Thing]
	change attr.Change[Thing]
)

func TestHandlesAreCheap(t *testing.T) {
	for what, build := range map[string]func(){
		"Eq":      func() { sink = status.Eq("active") },
		"Between": func() { sink = count.Between(1, 2) },
		"Set":     func() { change = city.Set("Bergen") },
		"Add":     func() { change = attr.Add(count, 1) },
	} {
		require.LessOrEqual(t, testing.AllocsPerRun(100, build), 3.0, what)
	}
}

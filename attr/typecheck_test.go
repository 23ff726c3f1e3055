package attr_test

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The compiler must reject the first line of each case and accept the second, which differs only in
// the mistake.
var rejectedCode = []struct{ name, bad, good string }{
	{"a handle of another entity", `use(attr.And(Status.Eq("a"), OrderNote.Eq("b")))`, `use(attr.And(Status.Eq("a"), Note.Eq("b")))`},
	{"a condition of another entity for Where", `where(OrderNote.Eq("b"))`, `where(Note.Eq("b"))`},
	{"a change of another entity", `update(OrderNote.Set("b"))`, `update(Note.Set("b"))`},
	{"Or is not a key condition", `where(attr.Or(Status.Eq("a"), Status.Eq("b")))`, `filter(attr.Or(Status.Eq("a"), Status.Eq("b")))`},
	{"In is not a key condition", `where(Status.In("a"))`, `where(Status.Eq("a"))`},
	{"Ne is not a key condition", `where(Status.Ne("a"))`, `filter(Status.Ne("a"))`},
	{"NotExists is not a key condition", `where(Status.NotExists())`, `filter(Status.NotExists())`},
	{"a comparison of two fields is not a key condition", `where(attr.Compare(Status, Note).Eq())`, `filter(attr.Compare(Status, Note).Eq())`},
	{"a size is not a key condition", `where(attr.Size(Status).Eq(1))`, `filter(attr.Size(Status).Eq(1))`},
	{"BeginsWith on a time", `use(attr.BeginsWith(At, "2026"))`, `use(attr.BeginsWith(Status, "2026"))`},
	{"BeginsWith on a number", `use(attr.BeginsWith(Count, 1))`, `use(attr.BeginsWith(Blob, []byte{1}))`},
	{"BeginsWith on a path without a type", `use(attr.BeginsWith(attr.Named[Thing]("status"), "a"))`, `use(attr.BeginsWith(attr.Typed[string](attr.Named[Thing]("status")), "a"))`},
	{"During on a text", `use(attr.During(Status, attr.Month(2026, 8)))`, `use(attr.During(At, attr.Month(2026, 8)))`},
	{"Add on a text", `update(attr.Add(Status, "x"))`, `update(attr.Add(Count, 1))`},
	{"Add of a fraction to an integer", `update(attr.Add(Count, 1.5))`, `update(attr.Add(Price, 1.5))`},
	{"Append of another element type", `update(attr.Append(Skills, 1))`, `update(attr.Append(Skills, "1"))`},
	{"Append to a text", `update(attr.Append(Status, "x"))`, `update(attr.Append(Skills, "x"))`},
	{"SetAdd to a number", `update(attr.SetAdd(Count, 1))`, `update(attr.SetAdd(Skills, "1"))`},
	{"Contains on a text", `use(attr.Contains(Status, "a"))`, `use(attr.ContainsText(Status, "a"))`},
	{"ContainsText on a list", `use(attr.ContainsText(Skills, "a"))`, `use(attr.Contains(Skills, "a"))`},
	{"an operand of another type", `use(Count.Eq("1"))`, `use(Count.Eq(1))`},
	{"a named type is another type", `use(Status.Eq(Level("a")))`, `use(Status.Eq(string(Level("a"))))`},
	{"fields of two types compared", `use(attr.Compare(Status, Count).Eq())`, `use(attr.Compare(Status, Note).Eq())`},
	{"a condition as a change", `update(Status.Eq("a"))`, `update(Status.Set("a"))`},
	{"a change as a condition", `update(attr.If(Status.Set("a")))`, `update(attr.If(Status.Eq("a")))`},
	{"a position in a map", `use(attr.At(Prefs, 1).Eq("a"))`, `use(attr.At(Skills, 1).Eq("a"))`},
	{"an entry of a list", `use(attr.Key(Skills, "a").Eq("a"))`, `use(attr.Key(Prefs, "a").Eq("a"))`},
	{"a field of another struct than the element", `use(attr.Sub(attr.At(Lines, 0), func(o *Order) *string { return &o.Note }).Eq("a"))`, `use(attr.Sub(attr.At(Lines, 0), func(l *Line) *string { return &l.SKU }).Eq("a"))`},
	{"a size compared with a text", `use(attr.Size(Status).Eq("1"))`, `use(attr.Size(Status).Eq(1))`},
	{"a condition of one's own make", `filter(own{})`, `filter(Status.Eq("a"))`},
	{"a handle that returns no address", `_ = attr.Must(func(x *Thing) string { return x.Status })`, `_ = attr.Must(func(x *Thing) *string { return &x.Status })`},
}

// prelude declares what the cases use. Each case is in a function at its end.
const prelude = `package p

import (
	"time"

	"github.com/trestledb/trestle/attr"
)

type Level string

type Line struct{ SKU string }

type Thing struct {
	Status, Note string
	At           time.Time
	Count        int64
	Price        float64
	Blob         []byte
	Skills       []string
	Lines        []Line
	Prefs        map[string]string
}

type Order struct{ Note string }

var (
	Status    = attr.Must(func(x *Thing) *string { return &x.Status })
	Note      = attr.Must(func(x *Thing) *string { return &x.Note })
	At        = attr.Must(func(x *Thing) *time.Time { return &x.At })
	Count     = attr.Must(func(x *Thing) *int64 { return &x.Count })
	Price     = attr.Must(func(x *Thing) *float64 { return &x.Price })
	Blob      = attr.Must(func(x *Thing) *[]byte { return &x.Blob })
	Skills    = attr.Must(func(x *Thing) *[]string { return &x.Skills })
	Lines     = attr.Must(func(x *Thing) *[]Line { return &x.Lines })
	Prefs     = attr.Must(func(x *Thing) *map[string]string { return &x.Prefs })
	OrderNote = attr.Must(func(x *Order) *string { return &x.Note })
)

type own struct{}

func (own) String() string { return "" }

func use[T any](attr.Cond[T])       {}
func where(...attr.KeyCond[Thing]) {}
func filter(...attr.Cond[Thing])   {}
func update(...attr.Change[Thing]) {}

func main() {
	`

func TestCompilerRejectsWrongCode(t *testing.T) {
	t.Parallel()
	c := newChecker(t)
	caseLine := strings.Count(prelude, "\n") + 1
	for _, r := range rejectedCode {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, c.check(t, prelude+r.good+"\n}\n"), "the correct line must compile")
			lines := c.check(t, prelude+r.bad+"\n}\n")
			require.NotEmpty(t, lines, "the compiler accepts %s", r.bad)
			for _, line := range lines {
				require.Equal(t, caseLine, line, "the error is not in the line that is under test")
			}
		})
	}
}

// checker type-checks programs that import attr. It uses the export data of the go command.
type checker struct {
	files map[string]string // export data by import path
}

func newChecker(t *testing.T) *checker {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command: put it into PATH")
	}
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", "github.com/trestledb/trestle/attr").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("go list: %s", exit.Stderr)
	}
	require.NoError(t, err)
	c := &checker{files: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		c.files[path] = file
	}
	return c
}

// check returns the lines with compile errors.
func (c *checker) check(t *testing.T, program string) (lines []int) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "p.go", program, 0)
	require.NoError(t, err)
	config := types.Config{
		Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(c.files[path]) }),
		Error: func(err error) {
			var typeErr types.Error
			if errors.As(err, &typeErr) {
				lines = append(lines, files.Position(typeErr.Pos).Line)
			}
		},
	}
	_, _ = config.Check("p", files, []*ast.File{f}, nil)
	return lines
}

package attr_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/expr"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// goldenConds returns the conditions whose text is in testdata, with their source code.
func goldenConds() []struct {
	code string
	cond attr.Cond[Thing]
} {
	noon := time.Date(2026, 8, 3, 12, 0, 0, 0, time.UTC)
	oslo := time.FixedZone("", 2*60*60)
	return []struct {
		code string
		cond attr.Cond[Thing]
	}{
		{`status.Eq("active")`, status.Eq("active")},
		{`status.Ne("active")`, status.Ne("active")},
		{`count.Lt(3)`, count.Lt(3)},
		{`count.Le(3)`, count.Le(3)},
		{`count.Gt(3)`, count.Gt(3)},
		{`count.Ge(3)`, count.Ge(3)},
		{`count.Between(3, 10)`, count.Between(3, 10)},
		{`status.In("a", "b", "c")`, status.In("a", "b", "c")},
		{`level.Eq("high")`, level.Eq("high")},
		{`blob.Ge([]byte{1, 2})`, blob.Ge([]byte{1, 2})},
		{`limit.Gt(5)`, limit.Gt(5)},
		{`work.Exists()`, work.Exists()},
		{`work.NotExists()`, work.NotExists()},
		{`city.Eq("Oslo")`, city.Eq("Oslo")},
		{`city.IsType(attr.Null)`, city.IsType(attr.Null)},
		{`odd.Eq("x")`, odd.Eq("x")},

		{`attr.Compare(status, dup).Eq()`, attr.Compare(status, dup).Eq()},
		{`attr.Compare(status, dup).Ne()`, attr.Compare(status, dup).Ne()},
		{`attr.Compare(status, dup).Lt()`, attr.Compare(status, dup).Lt()},
		{`attr.Compare(status, dup).Le()`, attr.Compare(status, dup).Le()},
		{`attr.Compare(status, dup).Gt()`, attr.Compare(status, dup).Gt()},
		{`attr.Compare(status, dup).Ge()`, attr.Compare(status, dup).Ge()},

		{`at.Ge(noon.In(oslo))`, at.Ge(noon.In(oslo))},
		{`ended.Lt(noon)`, ended.Lt(noon)},
		{`attr.During(at, attr.Month(2026, 8))`, attr.During(at, attr.Month(2026, 8))},
		{`attr.During(at, attr.Day(2026, 8, 31).In(oslo))`, attr.During(at, attr.Day(2026, 8, 31).In(oslo))},
		{`attr.During(expires, attr.Year(2026))`, attr.During(expires, attr.Year(2026))},
		{`attr.During(at, attr.Hour(2026, 8, 3, 12))`, attr.During(at, attr.Hour(2026, 8, 3, 12))},
		{`attr.Since(at, noon)`, attr.Since(at, noon)},
		{`attr.Before(at, noon)`, attr.Before(at, noon)},

		{`attr.BeginsWith(status, "act")`, attr.BeginsWith(status, "act")},
		{`attr.BeginsWith(blob, []byte{1})`, attr.BeginsWith(blob, []byte{1})},
		{`attr.ContainsText(status, "ti")`, attr.ContainsText(status, "ti")},
		{`attr.Contains(skills, "go")`, attr.Contains(skills, "go")},
		{`attr.Contains(lines, Line{"A", 1})`, attr.Contains(lines, Line{"A", 1})},
		{`attr.Size(skills).Ge(2)`, attr.Size(skills).Ge(2)},
		{`attr.Size(skills).Lt(2)`, attr.Size(skills).Lt(2)},
		{`attr.Size(status).Between(1, 5)`, attr.Size(status).Between(1, 5)},
		{`attr.Size(prefs).Ne(0)`, attr.Size(prefs).Ne(0)},

		{`attr.At(skills, 2).Eq("go")`, attr.At(skills, 2).Eq("go")},
		{`attr.Key(prefs, "color").Eq("red")`, attr.Key(prefs, "color").Eq("red")},
		{`attr.Sub(attr.At(lines, 0), qty).Gt(1)`, attr.Sub(attr.At(lines, 0), lineQty).Gt(1)},
		{`attr.Key(rest, "legacy").Exists()`, attr.Key(rest, "legacy").Exists()},

		{`attr.Named[Thing]("status").Eq("active")`, attr.Named[Thing]("status").Eq("active")},
		{`attr.Named[Thing]("count").Eq(3)`, attr.Named[Thing]("count").Eq(3)},
		{`attr.Named[Thing]("lines[1].sku").Eq("A")`, attr.Named[Thing]("lines[1].sku").Eq("A")},
		{`attr.Named[Thing]("\"odd.name[0]\"").Eq("x")`, attr.Named[Thing](`"odd.name[0]"`).Eq("x")},
		{`attr.Named[Thing]("any.deep[3].er").Eq(true)`, attr.Named[Thing]("any.deep[3].er").Eq(true)},
		{`attr.Named[Thing]("PK").Exists()`, attr.Named[Thing]("PK").Exists()},
		{`attr.BeginsWith(attr.Typed[string](attr.Named[Thing]("work.city")), "O")`, attr.BeginsWith(attr.Typed[string](attr.Named[Thing]("work.city")), "O")},

		{`attr.And(status.Eq("a"), status.Eq("b"), count.Eq(1))`, attr.And(status.Eq("a"), status.Eq("b"), count.Eq(1))},
		{`attr.Not(status.Eq("a"))`, attr.Not(status.Eq("a"))},
	}
}

var lineQty = func(l *Line) *int64 { return &l.Qty }

// goldenChanges returns the changes whose text is in testdata, with their source code.
func goldenChanges() []struct {
	code   string
	change []attr.Change[Thing]
} {
	one := func(c ...attr.Change[Thing]) []attr.Change[Thing] { return c }
	return []struct {
		code   string
		change []attr.Change[Thing]
	}{
		{`status.Set("active")`, one(status.Set("active"))},
		{`city.Set("Bergen")`, one(city.Set("Bergen"))},
		{`work.Set(&Address{City: "Oslo"})`, one(work.Set(&Address{City: "Oslo"}))},
		{`attr.At(skills, 1).Set("")`, one(attr.At(skills, 1).Set(""))},
		{`attr.Key(prefs, "color").Set("red")`, one(attr.Key(prefs, "color").Set("red"))},
		{`attr.Key(rest, "legacy").Set(&types.AttributeValueMemberN{Value: "1"})`, one(attr.Key(rest, "legacy").Set(&types.AttributeValueMemberN{Value: "1"}))},
		{`status.SetIfAbsent("new")`, one(status.SetIfAbsent("new"))},
		{`level.Remove()`, one(level.Remove())},
		{`attr.Add(count, -1)`, one(attr.Add(count, -1))},
		{`attr.Add(attr.Sub(attr.At(lines, 0), qty), 3)`, one(attr.Add(attr.Sub(attr.At(lines, 0), lineQty), 3))},
		{`attr.Append(skills, "go", "sql")`, one(attr.Append(skills, "go", "sql"))},
		{`attr.Prepend(lines, Line{"A", 1})`, one(attr.Prepend(lines, Line{"A", 1}))},
		{`attr.SetAdd(tags, "a", "b")`, one(attr.SetAdd(tags, "a", "b"))},
		{`attr.SetDelete(nums, 3)`, one(attr.SetDelete(nums, 3))},
		{`attr.If(status.Eq("active")), done.Set(true)`, one(attr.If(status.Eq("active")), done.Set(true))},
		{`attr.Named[Thing]("count").Set(5)`, one(attr.Named[Thing]("count").Set(5))},
		{`attr.Named[Thing]("home.city").Remove()`, one(attr.Named[Thing]("home.city").Remove())},
		{`attr.Add(attr.Typed[int64](attr.Named[Thing]("count")), 1)`, one(attr.Add(attr.Typed[int64](attr.Named[Thing]("count")), 1))},
	}
}

func TestConditionsAsCompiled(t *testing.T) {
	t.Parallel()
	p := plan[Thing](t)
	var out strings.Builder
	for _, c := range goldenConds() {
		b := expr.NewBuilder()
		text, err := expr.Condition(b, p, expr.CondOf(c.cond))
		require.NoError(t, err, c.code)
		section(&out, c.code, fmt.Sprint(c.cond), text, b)
	}
	golden(t, "conditions.txt", out.String())
}

func TestChangesAsCompiled(t *testing.T) {
	t.Parallel()
	p := plan[Thing](t)
	var out strings.Builder
	for _, c := range goldenChanges() {
		b := expr.NewBuilder()
		text, err := compileUpdate(b, p, c.change)
		require.NoError(t, err, c.code)
		section(&out, c.code, fmt.Sprint(c.change), text, b)
	}
	golden(t, "changes.txt", out.String())
}

func compileUpdate[T any](b *expr.Builder, p *core.Plan, changes []attr.Change[T]) (string, error) {
	u := expr.NewUpdate()
	for _, c := range changes {
		bound, err := expr.BindChange(expr.ChangeOf(c), p)
		if err == nil {
			err = u.Apply(bound)
		}
		if err != nil {
			return "", err
		}
	}
	return u.Text(b)
}

// section writes the source code, its structure, the expression and its placeholders.
func section(out *strings.Builder, code, shape, text string, b *expr.Builder) {
	fmt.Fprintf(out, "%s\n  %s\n----\n%s\n", code, shape, text)
	names := b.Names()
	for i := range len(names) {
		mark := fmt.Sprintf("#n%d", i)
		fmt.Fprintf(out, "  %s %q\n", mark, names[mark])
	}
	values := b.Values()
	for i := range len(values) {
		mark := fmt.Sprintf(":v%d", i)
		fmt.Fprintf(out, "  %s %s\n", mark, show(values[mark]))
	}
	out.WriteString("\n")
}

// show returns an attribute value on one line.
func show(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("S %q", v.Value)
	case *types.AttributeValueMemberN:
		return "N " + v.Value
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("B %x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprintf("BOOL %v", v.Value)
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberSS:
		return fmt.Sprintf("SS %q", v.Value)
	case *types.AttributeValueMemberNS:
		return fmt.Sprintf("NS %v", v.Value)
	case *types.AttributeValueMemberL:
		parts := make([]string, len(v.Value))
		for i, e := range v.Value {
			parts[i] = show(e)
		}
		return "L [" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberM:
		parts := make([]string, 0, len(v.Value))
		for k, e := range v.Value {
			parts = append(parts, k+": "+show(e))
		}
		sort.Strings(parts)
		return "M {" + strings.Join(parts, ", ") + "}"
	default:
		return fmt.Sprintf("%T", av)
	}
}

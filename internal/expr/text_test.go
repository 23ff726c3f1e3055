package expr_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
)

// stamped is stored in the text form of the embedded time: in the time's own zone.
type stamped struct{ time.Time }

// TestExpressions compiles the conditions and changes of the files below testdata. Each line of
// input is one condition, and all lines are the changes of one update:
//
//	schema                   the Go types; see package testschema
//	cond type=NAME           conditions and their expressions
//	structure type=NAME      the printed form of conditions
//	keycond type=NAME        the conditions as parts of a key condition
//	attributes type=NAME     the attributes that the conditions use
//	update type=NAME         changes and the update expression; repeat=N adds the first change N-1
//	                         times more, with 1 and so on for 0
//	bind type=NAME           what a planner of writes reads of the changes
func TestExpressions(t *testing.T) {
	t.Parallel()
	testdriven.Walk(t, "testdata", func(t *testing.T, file string) {
		t.Helper()
		var schema *core.Schema
		testdriven.Run(t, file, func(c *testdriven.Case) string {
			if c.Command == "schema" {
				var err error
				source := testschema.Source{Types: map[string]reflect.Type{"stamped": reflect.TypeFor[stamped]()}}
				if schema, err = source.Schema(c.Input); err != nil {
					t.Fatalf("%s: %v", c.Pos, err)
				}
				return ""
			}
			p, err := testschema.Plan(schema, c.Value("type"))
			if err != nil {
				t.Fatalf("%s: %v", c.Pos, err)
			}
			return run(c, p)
		})
	})
}

func run(c *testdriven.Case, p *core.Plan) string {
	change := func(line string) *expr.Change {
		parsed, err := testschema.Change(p, line)
		require.NoError(c.T, err, c.Pos)
		return parsed
	}
	lines := strings.Split(c.Input, "\n")
	for i := 1; i < c.Int("repeat"); i++ {
		lines = append(lines, strings.ReplaceAll(lines[0], "0", strconv.Itoa(i)))
	}
	switch c.Command {
	case "update":
		return updateText(p, lines, change)
	case "bind":
		return eachLine(lines, func(line string) string { return bindText(p, change(line)) })
	}
	show, ok := map[string]func(p *core.Plan, c *expr.Cond) string{
		"cond": condText, "keycond": keyCondText, "attributes": attributesText,
		"structure": func(_ *core.Plan, c *expr.Cond) string { return fmt.Sprintf("%v", c) },
	}[c.Command]
	if !ok {
		c.T.Fatalf("%s: unknown command %s", c.Pos, c.Command)
	}
	return eachLine(lines, func(line string) string {
		cond, err := testschema.Cond(p, line)
		require.NoError(c.T, err, c.Pos)
		return show(p, cond)
	})
}

func eachLine(lines []string, show func(line string) string) string {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(show(line) + "\n")
	}
	return out.String()
}

var structTypes = regexp.MustCompile(`struct \{.*\}`)

// errorText returns an error with its kind, without the fields of struct types.
func errorText(err error) string {
	kind := "error: "
	if errors.Is(err, errs.Limit) {
		kind = "limit: "
	}
	return kind + structTypes.ReplaceAllString(err.Error(), "struct {…}")
}

func condText(p *core.Plan, c *expr.Cond) string {
	b := expr.NewBuilder()
	text, err := expr.Condition(b, p, c)
	if err != nil {
		return errorText(err)
	}
	return text + placeholdersText(b)
}

func updateText(p *core.Plan, lines []string, change func(line string) *expr.Change) string {
	b := expr.NewBuilder()
	u := expr.NewUpdate()
	for _, line := range lines {
		bound, err := expr.BindChange(change(line), p)
		if err == nil {
			err = u.Apply(bound)
		}
		if err != nil {
			return errorText(err)
		}
	}
	text, err := u.Text(b)
	if err != nil {
		return errorText(err)
	}
	return text + placeholdersText(b)
}

func keyCondText(p *core.Plan, c *expr.Cond) string {
	k, err := expr.NewKeyCond(c, p)
	if err != nil {
		return errorText(err)
	}
	out := k.Field.Name + " " + k.Op.String()
	for _, v := range k.Operands() {
		out += " " + testschema.MemberText(v)
	}
	return out
}

func attributesText(p *core.Plan, c *expr.Cond) string {
	names, err := expr.Attributes(c, p)
	if err != nil {
		return errorText(err)
	}
	return strings.Join(names, " ")
}

func bindText(p *core.Plan, c *expr.Change) string {
	b, err := expr.BindChange(c, p)
	if err != nil {
		return errorText(err)
	}
	out := c.String()
	if f := b.Field(); f != nil {
		out += " field=" + f.Name
	}
	if b.Verb == expr.If {
		return out
	}
	out += fmt.Sprintf(" whole=%t constant=%t repeatable=%t", b.Whole(), b.Constant(), b.Repeatable())
	if v, err := b.Value(); err != nil {
		out += " " + errorText(err)
	} else {
		out += " value=" + testschema.MemberText(v)
	}
	return out
}

// placeholdersText returns the names and values of a request.
func placeholdersText(b *expr.Builder) string {
	var out strings.Builder
	names, values := b.Names(), b.Values()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&out, "\n  %s %s", name, names[name])
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&out, "\n  %s %s", name, testschema.ValueText(values[name]))
	}
	return out.String()
}

package expr

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

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/testdriven"
	"github.com/trestledb/trestle/internal/testschema"
	"github.com/trestledb/trestle/keys"
)

// stamped is stored in the text form of the embedded time: in the time's own zone.
type stamped struct{ time.Time }

var errBadPath = errors.New("example error")

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
			defer func() {
				if text, ok := recover().(badSource); ok {
					t.Fatalf("%s: %s", c.Pos, string(text))
				}
			}()
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
			return run(c, source{p})
		})
	})
}

func run(c *testdriven.Case, s source) string {
	lines := strings.Split(c.Input, "\n")
	for i := 1; i < c.Int("repeat"); i++ {
		lines = append(lines, strings.ReplaceAll(lines[0], "0", strconv.Itoa(i)))
	}
	switch c.Command {
	case "update":
		return updateText(s, lines)
	case "bind":
		return eachLine(lines, func(line string) string { return bindText(s.plan, s.change(line)) })
	}
	show, ok := map[string]func(p *core.Plan, c *Cond) string{
		"cond": condText, "keycond": keyCondText, "attributes": attributesText,
		"structure": func(_ *core.Plan, c *Cond) string { return fmt.Sprintf("%v", c) },
	}[c.Command]
	if !ok {
		panic(badSource("no command " + c.Command))
	}
	return eachLine(lines, func(line string) string { return show(s.plan, s.cond(parse(line))) })
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

func condText(p *core.Plan, c *Cond) string {
	b := NewBuilder()
	text, err := Condition(b, p, c)
	if err != nil {
		return errorText(err)
	}
	return text + placeholdersText(b)
}

func updateText(s source, lines []string) string {
	b := NewBuilder()
	u := NewUpdate(b, s.plan)
	for _, line := range lines {
		if err := u.Apply(s.change(line)); err != nil {
			return errorText(err)
		}
	}
	text, err := u.Text()
	if err != nil {
		return errorText(err)
	}
	return text + placeholdersText(b)
}

func keyCondText(p *core.Plan, c *Cond) string {
	k, err := NewKeyCond(c, p)
	if err != nil {
		return errorText(err)
	}
	out := k.Field.Name + " " + k.Op.String()
	for _, v := range k.Operands() {
		out += " " + memberText(v)
	}
	return out
}

func attributesText(p *core.Plan, c *Cond) string {
	names, err := Attributes(c, p)
	if err != nil {
		return errorText(err)
	}
	return strings.Join(names, " ")
}

func bindText(p *core.Plan, c *Change) string {
	b, err := BindChange(c, p)
	if err != nil {
		return errorText(err)
	}
	out := c.String()
	if f := b.Field(); f != nil {
		out += " field=" + f.Name
	}
	if b.Verb == If {
		return out
	}
	out += fmt.Sprintf(" whole=%t constant=%t repeatable=%t", b.Whole(), b.Constant(), b.Repeatable())
	value := b.Operand
	if b.Constant() {
		value = b.Value
	}
	if v, err := value(); err != nil {
		out += " " + errorText(err)
	} else {
		out += " value=" + memberText(v)
	}
	return out
}

// memberText returns a member of a key.
func memberText(v keys.Value) string {
	switch v.Kind() {
	case keys.KindText:
		return strconv.Quote(v.Text())
	case keys.KindInt:
		return strconv.FormatInt(v.Int(), 10)
	case keys.KindTime:
		return v.Time().Format(time.RFC3339Nano)
	default:
		return fmt.Sprint(v)
	}
}

// placeholdersText returns the names and values of a request.
func placeholdersText(b *Builder) string {
	var out strings.Builder
	names, values := b.Names(), b.Values()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&out, "\n  %s %s", name, names[name])
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&out, "\n  %s %s", name, valueText(values[name]))
	}
	return out.String()
}

// valueText returns an attribute value on one line.
func valueText(av types.AttributeValue) string {
	switch v := av.(type) {
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("S %q", v.Value)
	case *types.AttributeValueMemberN:
		return "N " + v.Value
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("B %x", v.Value)
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprintf("BOOL %v", v.Value)
	case *types.AttributeValueMemberSS:
		return fmt.Sprintf("SS %q", v.Value)
	case *types.AttributeValueMemberNS:
		return fmt.Sprintf("NS %v", v.Value)
	case *types.AttributeValueMemberL:
		parts := make([]string, len(v.Value))
		for i, e := range v.Value {
			parts[i] = valueText(e)
		}
		return "L [" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberM:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v.Value)) {
			parts = append(parts, k+": "+valueText(v.Value[k]))
		}
		return "M {" + strings.Join(parts, ", ") + "}"
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T", av), "*types.AttributeValueMember")
	}
}

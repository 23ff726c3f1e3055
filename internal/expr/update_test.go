package expr_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/testschema"
)

func taskPlan(t *testing.T) *core.Plan {
	t.Helper()
	s, err := testschema.Source{}.Schema("type Task struct {\n" +
		"_ entity.Key `type:\"task\" pk:\"T#<id>\" sk:\"#\"`\nID string `dynamodbav:\"id\"`\nCount int `dynamodbav:\"count\"`\n" +
		"Work struct{ City string } `dynamodbav:\"work\"`\n}")
	require.NoError(t, err)
	return s.Plans[0]
}

// boundChange returns the change of a text, resolved with the plan.
func boundChange(t *testing.T, p *core.Plan, text string) *expr.BoundChange {
	t.Helper()
	b, err := expr.BindChange(changeOf(t, p, text), p)
	require.NoError(t, err)
	return b
}

func changeOf(t *testing.T, p *core.Plan, text string) *expr.Change {
	t.Helper()
	c, err := testschema.Change(p, text)
	require.NoError(t, err)
	return c
}

var one = &types.AttributeValueMemberN{Value: "1"}

// The library adds clauses of its own to the changes of the caller.
func TestLibraryClauses(t *testing.T) {
	t.Parallel()
	b, p := expr.NewBuilder(), taskPlan(t)
	u := expr.NewUpdate()
	u.ChangeAttribute(expr.SetIfAbsent, "b", one)
	u.ChangeAttribute(expr.Add, "version", one)
	require.NoError(t, u.Apply(boundChange(t, p, `Set(count, 2)`)))
	u.ChangeAttribute(expr.Set, "a", &types.AttributeValueMemberS{Value: "x"})
	u.ChangeAttribute(expr.Set, "c", nil)
	text, err := u.Text(b)
	require.NoError(t, err)
	require.Equal(t, "SET #n0 = if_not_exists(#n0, :v0), #n1 = :v1, #n2 = :v2 REMOVE #n3 ADD #n4 :v3", text)
	require.Equal(t, map[string]string{"#n0": "b", "#n1": "count", "#n2": "a", "#n3": "c", "#n4": "version"}, b.Names())
}

// The error names the attribute if a change conflicts with a clause that the library adds.
func TestLibraryClauseConflicts(t *testing.T) {
	t.Parallel()
	p := taskPlan(t)
	u := expr.NewUpdate()
	require.NoError(t, u.Apply(boundChange(t, p, `Set(work.City, "a")`)))
	u.ChangeAttribute(expr.Remove, "work", nil)
	_, err := u.Text(expr.NewBuilder())
	var invalid *errs.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "work", invalid.Problems[0].Field)
}

// A number that is added merges with another change of the attribute, where one expression can do
// both.
func TestAddedNumbersMerge(t *testing.T) {
	t.Parallel()
	number := func(text string) types.AttributeValue { return &types.AttributeValueMemberN{Value: text} }
	for name, c := range map[string]struct {
		first func(u *expr.Update)
		want  string
		last  string // the last value
	}{
		"none":                    {func(*expr.Update) {}, "ADD #n0 :v0", "2"},
		"Add":                     {func(u *expr.Update) { u.ChangeAttribute(expr.Add, "n", number("3")) }, "ADD #n0 :v0", "5"},
		"SetIfAbsent":             {func(u *expr.Update) { u.ChangeAttribute(expr.SetIfAbsent, "n", number("7")) }, "SET #n0 = if_not_exists(#n0, :v0) + :v1", "2"},
		"SetIfAbsent, twice":      {func(u *expr.Update) { u.Complete("n", number("7")); u.AddTo("n", number("-1")) }, "SET #n0 = if_not_exists(#n0, :v0) + :v1", "1"},
		"another attribute":       {func(u *expr.Update) { u.ChangeAttribute(expr.SetIfAbsent, "m", number("7")) }, "SET #n0 = if_not_exists(#n0, :v0) ADD #n1 :v1", "2"},
		"Set":                     {func(u *expr.Update) { u.ChangeAttribute(expr.Set, "n", number("7")) }, "", ""},
		"Remove":                  {func(u *expr.Update) { u.ChangeAttribute(expr.Remove, "n", nil) }, "", ""},
		"Add of a fraction":       {func(u *expr.Update) { u.ChangeAttribute(expr.Add, "n", number("0.5")) }, "", ""},
		"Add that would overflow": {func(u *expr.Update) { u.ChangeAttribute(expr.Add, "n", number("9223372036854775807")) }, "", ""},
	} {
		u, b := expr.NewUpdate(), expr.NewBuilder()
		c.first(u)
		before := u.Clone()
		u.AddTo("n", number("2"))
		text, err := u.Text(b)
		if c.want == "" {
			require.ErrorIs(t, err, errs.Invalid, name)
			require.NoError(t, before.Err(), name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.want, text, name)
		values := b.Values()
		require.Equal(t, number(c.last), values[fmt.Sprint(":v", len(values)-1)], name)
		again, err := before.Text(expr.NewBuilder())
		require.NoError(t, err, name)
		require.Equal(t, name == "none", before.IsEmpty(), name)
		require.NotEqual(t, name == "none", again != "", name)
	}
}

// The printed forms hold no operand.
func TestPrintedForms(t *testing.T) {
	t.Parallel()
	p := taskPlan(t)
	c, err := testschema.Cond(p, `Eq(id, "secret")`)
	require.NoError(t, err)
	for want, v := range map[string]any{
		"id = ?": c, "(invalid)": expr.ChangeOf(nil), "Set(id, ?)": changeOf(t, p, `Set(id, "secret")`), "Remove(id)": changeOf(t, p, `Remove(id)`),
		"If(id = ? AND id = ?)": expr.OnlyIf([]*expr.Cond{c, c}),
	} {
		require.Equal(t, want, fmt.Sprintf("%+v", v))
		text, err := json.Marshal(v)
		require.NoError(t, err)
		require.JSONEq(t, fmt.Sprintf("%q", want), string(text))
	}
}

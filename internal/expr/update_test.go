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
	u := expr.NewUpdate(b)
	u.ChangeAttribute(expr.SetIfAbsent, "b", one)
	u.ChangeAttribute(expr.Add, "version", one)
	require.NoError(t, u.Apply(boundChange(t, p, `Set(count, 2)`)))
	u.ChangeAttribute(expr.Set, "a", &types.AttributeValueMemberS{Value: "x"})
	u.ChangeAttribute(expr.Set, "c", nil)
	text, err := u.Text()
	require.NoError(t, err)
	require.Equal(t, "SET #n0 = if_not_exists(#n0, :v0), #n2 = :v2, #n3 = :v3 REMOVE #n4 ADD #n1 :v1", text)
	require.Equal(t, map[string]string{"#n0": "b", "#n1": "version", "#n2": "count", "#n3": "a", "#n4": "c"}, b.Names())
}

// The error names the attribute if a change conflicts with a clause that the library adds.
func TestLibraryClauseConflicts(t *testing.T) {
	t.Parallel()
	p := taskPlan(t)
	u := expr.NewUpdate(expr.NewBuilder())
	require.NoError(t, u.Apply(boundChange(t, p, `Set(work.City, "a")`)))
	u.ChangeAttribute(expr.Remove, "work", nil)
	_, err := u.Text()
	var invalid *errs.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "work", invalid.Problems[0].Field)
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

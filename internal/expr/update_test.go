package expr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
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

// The library adds clauses of its own to the changes of the caller.
func TestLibraryClauses(t *testing.T) {
	t.Parallel()
	b, p := NewBuilder(), taskPlan(t)
	u := NewUpdate(b, p)
	u.SetExpr("b", "if_not_exists("+b.Name("b")+", "+b.Value(numberValue(1))+")")
	u.AddValue("version", numberValue(1))
	require.NoError(t, u.Apply(source{p}.change(`Set(count, 2)`)))
	u.SetValue("a", textValue("x"))
	u.RemoveAttribute("c")
	text, err := u.Text()
	require.NoError(t, err)
	require.Equal(t, "SET #n0 = if_not_exists(#n0, :v0), #n2 = :v2, #n3 = :v3 REMOVE #n4 ADD #n1 :v1", text)
	require.Equal(t, map[string]string{"#n0": "b", "#n1": "version", "#n2": "count", "#n3": "a", "#n4": "c"}, b.Names())
}

// The error names the attribute if a change conflicts with a clause that the library adds.
func TestLibraryClauseConflicts(t *testing.T) {
	t.Parallel()
	p := taskPlan(t)
	u := NewUpdate(NewBuilder(), p)
	require.NoError(t, u.Apply(source{p}.change(`Set(work.City, "a")`)))
	u.RemoveAttribute("work")
	_, err := u.Text()
	var invalid *errs.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "work", invalid.Problems[0].Field)
}

package expr

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/errs"
)

func numberText(av types.AttributeValue) string { return av.(*types.AttributeValueMemberN).Value }

// The counts were measured with DynamoDB Local. The tests of package attr compare them with it
// again.
func TestCountOperators(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":                             0,
		"#n0 = :v0":                    1,
		"NOT #n0 <> :v0":               2,
		"#n0 BETWEEN :v0 AND :v1":      1,
		"#n0 IN (:v0, :v1)":            1,
		"size(#n0) >= :v0":             2,
		"attribute_exists(#n0.#n1[3])": 1,
		"(#n0 < :v0 OR #n1 <= :v1) AND #n2 > #n3":            5,
		"NOT (begins_with(#n0, :v0) AND contains(#n1, :v1))": 4,
	} {
		require.Equal(t, want, countOperators(text), text)
	}
}

func TestLimitsOfExpressions(t *testing.T) {
	t.Parallel()
	clause := "#n0=:v0 AND " // only AND counts: = has no spaces around it
	require.NoError(t, CheckCondition(strings.Repeat("a", MaxExpression)))
	require.ErrorIs(t, CheckCondition(strings.Repeat("a", MaxExpression+1)), errs.Limit)
	require.NoError(t, CheckCondition(strings.Repeat(clause, 300)))
	require.ErrorIs(t, CheckCondition(strings.Repeat(clause, 301)), errs.Limit)
}

func TestLimitsOfPlaceholders(t *testing.T) {
	t.Parallel()
	b := NewBuilder()
	require.Nil(t, b.Names())
	require.Nil(t, b.Values())
	require.Equal(t, "#n0", b.Name("a"))
	require.Equal(t, "#n1", b.Name("b"))
	require.Equal(t, "#n0", b.Name("a"))
	require.Equal(t, ":v0", b.Value(textValue("x")))
	require.Equal(t, ":v1", b.Value(textValue("x")))
	require.Equal(t, map[string]string{"#n0": "a", "#n1": "b"}, b.Names())
	require.NoError(t, b.Check())

	b = NewBuilder()
	b.Value(textValue(strings.Repeat("x", MaxSubstitutions-3)))
	require.NoError(t, b.Check())
	b.Name("")
	require.ErrorIs(t, b.Check(), errs.Limit)

	b = NewBuilder()
	b.Name(strings.Repeat("x", MaxName))
	require.NoError(t, b.Check())
	b.Name(strings.Repeat("x", MaxName+1))
	require.ErrorIs(t, b.Check(), errs.Limit)
}

// A limit is reported only if there is no other problem.
func TestLimitsYieldToOtherProblems(t *testing.T) {
	t.Parallel()
	var problems errs.Problems
	require.NoError(t, Err(problems))
	problems.AddErr("", limitExceeded("a", "is too long", ""))
	require.ErrorIs(t, Err(problems), errs.Limit)
	problems.Add("b", "is wrong", "")
	err := Err(problems)
	require.NotErrorIs(t, err, errs.Limit)
	var invalid *errs.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Len(t, invalid.Problems, 1)
	require.Len(t, problems, 2)
}

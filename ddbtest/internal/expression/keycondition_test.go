package expression_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

func TestKeyConditions(t *testing.T) {
	t.Parallel()
	a, b, n := value.String("a"), value.String("b"), number("1")
	values := map[string]value.Value{":a": a, ":b": b, ":n": n}
	of := func(attribute string, op expression.KeyOperator, operands ...value.Value) expression.KeyComparison {
		return expression.KeyComparison{Attribute: attribute, Op: op, Operands: operands}
	}
	for text, want := range map[string][]expression.KeyComparison{
		"pk = :a":                                     {of("pk", expression.Equal, a)},
		":a = pk":                                     {of("pk", expression.Equal, a)},
		"pk = :a AND sk = :n":                         {of("pk", expression.Equal, a), of("sk", expression.Equal, n)},
		"sk < :b and pk = :a":                         {of("sk", expression.Less, b), of("pk", expression.Equal, a)},
		"((pk = :a) and (sk <= :b))":                  {of("pk", expression.Equal, a), of("sk", expression.LessOrEqual, b)},
		"(pk) = (:a) AND sk > :b":                     {of("pk", expression.Equal, a), of("sk", expression.Greater, b)},
		"pk = :a AND :b > sk":                         {of("pk", expression.Equal, a), of("sk", expression.Less, b)},
		"pk = :a AND :b >= sk":                        {of("pk", expression.Equal, a), of("sk", expression.LessOrEqual, b)},
		"pk = :a AND :b < sk":                         {of("pk", expression.Equal, a), of("sk", expression.Greater, b)},
		"pk = :a AND :b <= sk":                        {of("pk", expression.Equal, a), of("sk", expression.GreaterOrEqual, b)},
		"pk = :a AND sk >= :b":                        {of("pk", expression.Equal, a), of("sk", expression.GreaterOrEqual, b)},
		"pk = :a AND sk BETWEEN :a AND :b":            {of("pk", expression.Equal, a), of("sk", expression.Between, a, b)},
		"pk = :a AND begins_with(sk, :b)":             {of("pk", expression.Equal, a), of("sk", expression.BeginsWith, b)},
		"(a = :a AND (b = :b AND c = :n)) AND d = :a": {of("a", expression.Equal, a), of("b", expression.Equal, b), of("c", expression.Equal, n), of("d", expression.Equal, a)},
	} {
		_, given := placeholdersIn(text, nil, values)
		k, err := expression.ParseKeyCondition(text, mustPlaceholders(t, nil, given))
		require.NoError(t, err, text)
		require.Equal(t, want, k.Comparisons, text)
		for _, c := range want {
			got, ok := k.For(c.Attribute)
			require.True(t, ok)
			require.Equal(t, c, got)
		}
		_, ok := k.For("other")
		require.False(t, ok)
	}
}

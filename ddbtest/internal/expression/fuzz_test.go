package expression_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/expression"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// seeds adds the expressions of the tables to the seed corpus.
func seeds(f *testing.F, tables ...[]wording) {
	f.Helper()
	for _, table := range tables {
		for _, w := range table {
			f.Add(w.text)
		}
	}
}

// Every text is parsed or rejected, and every parsed condition can be evaluated.
func FuzzCondition(f *testing.F) {
	seeds(f, conditionWording, keyWording)
	f.Fuzz(func(t *testing.T, text string) {
		p := mustPlaceholders(t, givenNames, givenValues)
		c, err := expression.ParseCondition("FilterExpression", text, p)
		if err != nil {
			requireRejected(t, err)
		} else {
			c.Eval(met)
			c.Eval(nil)
			require.NotNil(t, c.TopLevelNames())
		}
		k, err := expression.ParseKeyCondition(text, p)
		if err != nil {
			requireRejected(t, err)
			return
		}
		require.NotNil(t, c, "a key condition is a condition")
		require.NotEmpty(t, k.Comparisons)
	})
}

func FuzzProjection(f *testing.F) {
	seeds(f, projectionWording)
	f.Fuzz(func(t *testing.T, text string) {
		projection, err := expression.ParseProjection(text, mustPlaceholders(t, givenNames, nil))
		if err != nil {
			requireRejected(t, err)
			return
		}
		once := projection.Apply(met)
		require.LessOrEqual(t, once.Size(), met.Size())
		for _, path := range projection.Paths() {
			require.NotEmpty(t, path)
		}
	})
}

// An update does not change its input, and sets the right values at its targets.
func FuzzUpdate(f *testing.F) {
	seeds(f, updateWording)
	for _, text := range []string{"SET l[1] = :n, m.p = l REMOVE l[0], l[7] ADD a :n, ss :ss", "DELETE ss :ss SET l[9].x = :n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := expression.ParseUpdate(text, mustPlaceholders(t, givenNames, givenValues))
		if err != nil {
			requireRejected(t, err)
			return
		}
		before := toMutable(updated)
		after, err := u.Apply(updated)
		require.True(t, updated.Equal(before.toValue().(value.Map)))
		if err != nil {
			requireRejected(t, err)
			return
		}
		again, err := u.Apply(updated)
		require.NoError(t, err)
		require.True(t, after.Equal(again))
		require.True(t, after.Without("gone").Equal(value.MapOf(append(value.Map{}, after...)...)), "the result is not sorted")
		_, _ = u.Apply(nil)
	})
}

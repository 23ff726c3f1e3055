package ddbtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestStartBudget checks that a budget without a test counts from its start to its end, and names
// the first request that exceeds each limit. A limit that is not exceeded names none.
func TestStartBudget(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	client := db.Client()
	require.NoError(t, put(t.Context(), client)) // before the budget
	limits := []ddbtest.Limit{ddbtest.Requests.AtMost(1), ddbtest.Requests.AtMost(0, "Scan"), ddbtest.ReadUnits.AtMost(100)}
	budget, err := db.StartBudget(limits...)
	require.NoError(t, err)

	require.NoError(t, put(t.Context(), client))
	require.False(t, budget.Exceeded())
	require.NoError(t, scan(t.Context(), client))
	require.NoError(t, get(t.Context(), client))
	require.True(t, budget.Exceeded())

	uses := budget.Uses()
	require.Len(t, uses, len(limits))
	for i, want := range []struct {
		used  float64
		first string
	}{{3, "Scan"}, {1, "Scan"}, {uses[2].Used, ""}} {
		require.Equal(t, limits[i], uses[i].Limit)
		require.InDelta(t, want.used, uses[i].Used, 0)
		require.Equal(t, want.first != "", uses[i].Exceeded)
		require.Equal(t, want.first, uses[i].First.Operation)
	}
	require.Positive(t, uses[2].Used)

	budget.End()
	require.NoError(t, get(t.Context(), client))
	require.Equal(t, uses, budget.Uses())
	test.end()
	require.Empty(t, test.failures, "such a budget fails no test")
}

// TestStartInvalidBudget checks that invalid limits are errors, and count nothing.
func TestStartInvalidBudget(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	_, err := db.StartBudget(ddbtest.Requests.AtMost(-1), ddbtest.Requests.AtMost(1, "Scam"))
	require.ErrorContains(t, err, `AtMost(-1)`)
	require.ErrorContains(t, err, `"Scan"`)
	_, err = db.StartBudget()
	require.Error(t, err)
	require.Empty(t, test.failures)
}

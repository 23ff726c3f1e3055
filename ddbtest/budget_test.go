package ddbtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestInvalidBudgets covers budgets that no test could exceed.
func TestInvalidBudgets(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, limits := range [][]ddbtest.Limit{
		nil,
		{{}},
		{ddbtest.Quantity(99).AtMost(1)},
		{ddbtest.Requests.AtMost(0, "Querry", "CreateBackup")},
		{ddbtest.Requests.AtMost(-1), ddbtest.Requests.AtMost(0, "Scan"), ddbtest.ReadUnits.AtMost(math.NaN()), ddbtest.WriteUnits.AtMost(math.Inf(1))},
	} {
		db, test := startFake()
		db.Budget(test, limits...)
		failsOnce(t, test, "budget_test.go:")
		_, message, _ := strings.Cut(test.failures[0], "the budget")
		fmt.Fprintf(&text, "%s\n\tthe budget%s\n", limits, strings.ReplaceAll(message, "\n", "\n\t"))
	}
	golden(t, "budgets.txt", text.String())
}

// TestBudgetMessages checks that the message has the limit, the line of the Budget call and the
// request, and that the total is logged at the end.
func TestBudgetMessages(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, limit := range []ddbtest.Limit{
		ddbtest.Requests.AtMost(0, "Scan"),
		ddbtest.Requests.AtMost(1, "Query", "Scan"),
		ddbtest.Requests.AtMost(2),
		ddbtest.ReadUnits.AtMost(1.5),
		ddbtest.ReadUnits.AtMost(0.5, "Query"),
		ddbtest.WriteUnits.AtMost(1),
	} {
		db, test := startFake()
		db.Budget(test, limit)
		client := db.Client()
		for _, do := range []func() error{
			func() error { return put(t.Context(), client) }, func() error { return get(t.Context(), client) },
			func() error { return batchGet(t.Context(), client) }, func() error { return increment(t.Context(), client) },
			func() error { return query(t.Context(), client) }, func() error { return query(t.Context(), client) },
			func() error { return scan(t.Context(), client) },
		} {
			require.NoError(t, do())
		}
		test.end()
		failsOnce(t, test, "budget_test.go:")
		_, message, _ := strings.Cut(test.failures[0], "the budget")
		_, total, found := strings.Cut(strings.Join(test.logs, "\n"), "total: ")
		require.True(t, found)
		total, _, _ = strings.Cut(total, "\n")
		fmt.Fprintf(&text, "%s\n\tthe budget%s\n\ttotal: %s\n", limit, message, total)
	}
	golden(t, "overspent.txt", text.String())
}

package ddbtest_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestBudgetsThatMakeNoSense covers invalid bounds, which no test could exceed.
func TestBudgetsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bounds []ddbtest.Bound
		want   []string
	}{
		{nil, []string{"no bound"}},
		{[]ddbtest.Bound{{}}, []string{"Bound{} bounds nothing"}},
		{[]ddbtest.Bound{ddbtest.MaxRequests(0, "Querry")}, []string{`MaxRequests(0, "Querry"): there is no operation "Querry": is it "Query"?`}},
		{[]ddbtest.Bound{ddbtest.MaxRequests(-1), ddbtest.NoScan(), ddbtest.MaxPages(-1), ddbtest.MaxReadUnits(math.NaN()), ddbtest.MaxWriteUnits(math.Inf(1))},
			[]string{"MaxRequests(-1)", "MaxPages(-1)", "MaxReadUnits(NaN)", "MaxWriteUnits(+Inf)"}},
	} {
		db, test := faked()
		db.Budget(test, c.bounds...)
		failsOnce(t, test, append(c.want, "budget_test.go:")...)
	}
}

// TestWordsOfBudgets checks that the message names the bound, the place of the Budget call and the
// request.
func TestWordsOfBudgets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bound ddbtest.Bound
		want  string
	}{
		{ddbtest.NoScan(), `budget_test.go:\d+: the budget allows no Scan: #6 Scan things`},
		{ddbtest.MaxPages(1), `budget_test.go:\d+: the budget allows at most 1 page: #6 Scan things`},
		{ddbtest.MaxReadUnits(1.5), `the budget allows at most 1.5 read units: `},
		{ddbtest.MaxRequests(1, "GetItem", "Query"), `the budget allows at most 1 GetItem or Query request: #5 Query`},
		{ddbtest.MaxRequests(2), `the budget allows at most 2 requests: #3`},
	} {
		db, test := faked()
		db.Budget(test, c.bound)
		client := db.Client()
		for _, do := range []func() error{
			func() error { return put(t.Context(), client) }, func() error { return get(t.Context(), client) },
			func() error { return batchGet(t.Context(), client) }, func() error { return increment(t.Context(), client) },
			func() error { return query(t.Context(), client) }, func() error { return scan(t.Context(), client) },
		} {
			require.NoError(t, do())
		}
		require.Len(t, test.failures, 1)
		require.Regexp(t, c.want, test.failures[0])
	}
}

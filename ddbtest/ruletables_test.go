package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestMisnamedRules checks that a rule for a table or an index that never exists fails the test,
// even if it was removed, and names the nearest existing one.
func TestMisnamedRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options []ddbtest.RuleOption
		want    string
	}{
		"table":                  {[]ddbtest.RuleOption{ddbtest.OnTable("thing")}, `did you mean "things"?`},
		"index":                  {[]ddbtest.RuleOption{ddbtest.OnIndex("byColour")}, `did you mean "byColor"?`},
		"index of another table": {[]ddbtest.RuleOption{ddbtest.OnTable(things), ddbtest.OnIndex("byCode")}, `unknown index "byCode"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, end := range []func(*ddbtest.DB, *ddbtest.Rule){
				func(*ddbtest.DB, *ddbtest.Rule) {},
				func(_ *ddbtest.DB, r *ddbtest.Rule) { r.Remove() },
				func(db *ddbtest.DB, _ *ddbtest.Rule) { db.ClearFaults() },
				func(db *ddbtest.DB, _ *ddbtest.Rule) { db.Close() },
			} {
				db, test := startFake()
				rule := db.Fail(append(c.options, ddbtest.Reset)...)
				require.NoError(t, get(t.Context(), db.Client()))
				require.Empty(t, test.failures)
				end(db, rule)
				test.end()
				failsOnce(t, test, rule.String(), "ruletables_test.go:", c.want)
			}
		})
	}
}

// TestManyMisnamedRules checks that ten of them are named.
func TestManyMisnamedRules(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	for range 12 {
		db.Fail(ddbtest.OnTable("thing"), ddbtest.Reset)
	}
	test.end()
	require.Len(t, test.failures, 11)
	require.Contains(t, test.failures[10], "2 more rules")
}

// TestNamedRules checks that a rule does not fail the test if its table or index exists at some
// time, or if it acted on requests for a missing table.
func TestNamedRules(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*testing.T, *ddbtest.DB, *fakeTest){
		"it exists": func(_ *testing.T, db *ddbtest.DB, _ *fakeTest) {
			db.Fail(ddbtest.OnTable(things), ddbtest.Op("Scan"), ddbtest.Reset)
		},
		"it is created later": func(_ *testing.T, db *ddbtest.DB, test *fakeTest) {
			db.Fail(ddbtest.OnTable("later"), ddbtest.Reset)
			createThings(test, db, "later")
		},
		"it is created later in a fork": func(t *testing.T, db *ddbtest.DB, test *fakeTest) {
			fork := db.Fork()
			fork.Fail(ddbtest.OnTable("later"), ddbtest.Op("Scan"), ddbtest.Reset)
			createThings(test, fork, "later")
			requireDeleted(t, fork, "later")
		},
		"it is deleted": func(t *testing.T, db *ddbtest.DB, _ *fakeTest) {
			db.Fail(ddbtest.OnTable(things), ddbtest.Op("Scan"), ddbtest.Reset)
			requireDeleted(t, db, things)
		},
		"it is created and deleted": func(t *testing.T, db *ddbtest.DB, test *fakeTest) {
			db.Fail(ddbtest.OnTable("later"), ddbtest.Op("Scan"), ddbtest.Reset)
			createThings(test, db, "later")
			requireDeleted(t, db, "later")
		},
		"its index is deleted": func(t *testing.T, db *ddbtest.DB, test *fakeTest) {
			db.Fail(ddbtest.OnTable("later"), ddbtest.OnIndex("byColor"), ddbtest.Reset)
			createThings(test, db, "later")
			_, err := db.Client().UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
				TableName: aws.String("later"),
				GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
					{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("byColor")}},
				},
			})
			require.NoError(t, err)
		},
		"a restore removes it": func(_ *testing.T, db *ddbtest.DB, test *fakeTest) {
			empty := db.Snapshot()
			db.Fail(ddbtest.OnTable("later"), ddbtest.Reset)
			createThings(test, db, "later")
			db.Restore(empty)
		},
		"it is missing, and the rule acted": func(t *testing.T, db *ddbtest.DB, _ *fakeTest) {
			db.Fail(ddbtest.OnTable("missing"), ddbtest.Reset)
			_, err := db.Client().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("missing")})
			require.Equal(t, "reset", resultOf(err))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, test := startFake()
			do(t, db, test)
			test.end()
			require.Empty(t, test.failures)
		})
	}
}

func requireDeleted(t *testing.T, db *ddbtest.DB, table string) {
	t.Helper()
	_, err := db.Client().DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(table)})
	require.NoError(t, err)
}

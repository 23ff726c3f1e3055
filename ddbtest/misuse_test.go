package ddbtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// faked starts a database for a test that may fail.
func faked(options ...ddbtest.Options) (*ddbtest.DB, *fakeTest) {
	test := new(fakeTest)
	db := ddbtest.Start(test, options...)
	db.CreateTable(test, thingsTable())
	return db, test
}

// failsOnce requires one failure that contains all of the texts.
func failsOnce(t *testing.T, test *fakeTest, texts ...string) {
	t.Helper()
	require.Len(t, test.failures, 1)
	for _, text := range texts {
		require.Contains(t, test.failures[0], text)
	}
}

// TestRulesThatMakeNoSense checks that such rules fail the test with all their errors, each once.
func TestRulesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		parts []ddbtest.Part
		want  []string
	}{
		{nil, []string{"no effect"}},
		{[]ddbtest.Part{ddbtest.Op("GetItem")}, []string{"no effect"}},
		{[]ddbtest.Part{nil, ddbtest.Reset}, []string{"part 1 of the rule is nil"}},
		{[]ddbtest.Part{ddbtest.Op(), ddbtest.Reset}, []string{"Op(): it names no operation"}},
		{[]ddbtest.Part{ddbtest.OnTable(""), ddbtest.Reset}, []string{`OnTable(""): it names no table`}},
		{[]ddbtest.Part{ddbtest.OnIndex(""), ddbtest.Reset}, []string{`OnIndex(""): it names no index`}},
		{[]ddbtest.Part{ddbtest.OnKey(nil), ddbtest.Reset}, []string{"OnKey(): it names no attribute"}},
		{[]ddbtest.Part{ddbtest.Matching(nil), ddbtest.Reset}, []string{"Matching: it has no function"}},
		{[]ddbtest.Part{ddbtest.Nth(0), ddbtest.Reset}, []string{"Nth(0): requests are counted from 1"}},
		{[]ddbtest.Part{ddbtest.Times(-1), ddbtest.Reset}, []string{"Times(-1): requests are counted from 1"}},
		{[]ddbtest.Part{ddbtest.Rate(1.5), ddbtest.Reset}, []string{"Rate(1.5): a share is from 0 to 1"}},
		{[]ddbtest.Part{ddbtest.Rate(nan), ddbtest.Reset}, []string{"Rate(NaN): a share is from 0 to 1"}},
		{[]ddbtest.Part{ddbtest.Op("GetItem"), ddbtest.Op("PutItem"), ddbtest.Reset},
			[]string{`Op("GetItem") and Op("PutItem"): one Op takes several operations`}},
		{[]ddbtest.Part{ddbtest.OnTable("a"), ddbtest.OnTable("b"), ddbtest.Reset}, []string{`OnTable("a") and OnTable("b"): make a rule for each`}},
		{[]ddbtest.Part{ddbtest.Nth(1), ddbtest.Nth(2), ddbtest.Reset}, []string{"Nth(1) and Nth(2): make a rule for each"}},
		{[]ddbtest.Part{ddbtest.Cancel(0, "ThrottlingError"), ddbtest.Cancel(0, "TransactionConflict")},
			[]string{"Cancel(0, ThrottlingError) and Cancel(0, TransactionConflict): an action has one reason"}},
		{[]ddbtest.Part{ddbtest.Delay(time.Second), ddbtest.Delay(time.Second)}, []string{"Delay(1s) and Delay(1s): give the whole time in one"}},
		{[]ddbtest.Part{ddbtest.AfterCommit(ddbtest.Delay(1)), ddbtest.AfterCommit(ddbtest.Delay(2))}, []string{"give the whole time in one"}},
		{[]ddbtest.Part{ddbtest.Unprocessed(1), ddbtest.UnprocessedRate(0.5)}, []string{"choose one way"}},
		{[]ddbtest.Part{ddbtest.CutPage(1), ddbtest.CutPage(2)}, []string{"a page ends at one place"}},
		{[]ddbtest.Part{ddbtest.EmptyPage, ddbtest.EmptyPage}, []string{"one is enough"}},
		{[]ddbtest.Part{ddbtest.Reset, ddbtest.InternalError}, []string{"a request can end in one way only: Reset, InternalError"}},
		{[]ddbtest.Part{ddbtest.AfterCommit(ddbtest.Truncate)}, []string{"AfterCommit(Truncate)"}},
		{[]ddbtest.Part{ddbtest.AfterCommit(ddbtest.Garbage)}, []string{"AfterCommit(Garbage)"}},
		{[]ddbtest.Part{ddbtest.AfterCommit(nil)}, []string{"AfterCommit(nil)"}},
		{[]ddbtest.Part{ddbtest.Op("ExecuteStatement"), ddbtest.Reset}, []string{"ddbtest does not implement ExecuteStatement"}},
		{[]ddbtest.Part{ddbtest.OnTable(things), ddbtest.OnKey(attributes{"color": text("red")}), ddbtest.Reset},
			[]string{`color is not a key attribute of the table "things": the key is pk, sk`}},
		{[]ddbtest.Part{ddbtest.OnTable(things), ddbtest.OnKey(attributes{"pk": number(1)}), ddbtest.Reset},
			[]string{`pk has type N, and in the table "things" type S`}},
		{[]ddbtest.Part{ddbtest.Op("GetItm", "Query"), ddbtest.Nth(0), ddbtest.OnTable(""), ddbtest.Unprocessed(1)}, []string{
			`there is no operation "GetItm": is it "GetItem"?`, "Unprocessed(1) is for BatchGetItem and BatchWriteItem, not for Query",
			"Nth(0): requests are counted from 1", `OnTable(""): it names no table`,
		}},
	} {
		db, test := faked()
		rule := db.Fail(c.parts...)
		failsOnce(t, test, append(c.want, "misuse_test.go:", rule.String())...)
		require.Error(t, rule.Err())
		for _, want := range c.want {
			require.ErrorContains(t, rule.Err(), want)
		}
		lines := strings.Split(rule.Err().Error(), "\n")
		require.Len(t, lines, len(c.want), "each thing is told once: %q", lines)
	}
}

// TestRulesThatMakeSense covers parts that may occur twice and a rate of 0.
func TestRulesThatMakeSense(t *testing.T) {
	t.Parallel()
	yes := func(ddbtest.Request) bool { return true }
	for _, parts := range [][]ddbtest.Part{
		{ddbtest.Matching(yes), ddbtest.Matching(yes), ddbtest.Reset},
		{ddbtest.Cancel(0, "ThrottlingError"), ddbtest.Cancel(1, "ThrottlingError")},
		{ddbtest.Delay(time.Second), ddbtest.AfterCommit(ddbtest.Delay(time.Second)), ddbtest.AfterCommit(ddbtest.Reset)},
		{ddbtest.Rate(0), ddbtest.Reset},
		{ddbtest.UnprocessedRate(0)},
		{ddbtest.OnTable("later"), ddbtest.OnKey(attributes{"id": text("a")}), ddbtest.Reset},
	} {
		require.NoError(t, setup(t).Fail(parts...).Err())
	}
	db := setup(t)
	never := db.Fail(ddbtest.Rate(0), ddbtest.Reset)
	for range 20 {
		require.NoError(t, get(t.Context(), db.Client()))
	}
	require.Zero(t, never.Hits())
}

// TestRulesByKeySpeakOfKeysOnly covers requests that have the whole item.
func TestRulesByKeySpeakOfKeysOnly(t *testing.T) {
	t.Parallel()
	db := setup(t)
	byColor := db.Fail(ddbtest.OnKey(attributes{"color": text("red")}), ddbtest.InternalError)
	byKey := db.Fail(ddbtest.OnKey(attributes{"pk": text("a")}), ddbtest.Unavailable)
	_, err := db.Client(once).PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(things), Item: thing("a", 1, attributes{"color": text("red")}),
	})
	require.Equal(t, "ServiceUnavailable", seen(err))
	require.Equal(t, []int{0, 1}, []int{byColor.Hits(), byKey.Hits()})
}

// TestRulesThatNeverAct checks that a failed test logs them, and that MustHit fails the test.
func TestRulesThatNeverAct(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parts []ddbtest.Part
		why   string
	}{
		{[]ddbtest.Part{ddbtest.OnTable("thing"), ddbtest.Reset}, `there is no table "thing": is it "things"?`},
		{[]ddbtest.Part{ddbtest.OnIndex("byColour"), ddbtest.Reset}, `there is no index "byColour": is it "byColor"?`},
		{[]ddbtest.Part{ddbtest.OnKey(attributes{"color": text("secret")}), ddbtest.Reset}, "OnKey: no table has such a key"},
		{[]ddbtest.Part{ddbtest.Op("GetItem"), ddbtest.Nth(5), ddbtest.Reset}, "3 requests met its conditions"},
		{[]ddbtest.Part{ddbtest.Op("PutItem"), ddbtest.Reset}, "0 requests met its conditions"},
		{[]ddbtest.Part{ddbtest.OnTable(things), ddbtest.OnIndex("none"), ddbtest.Reset}, `there is no index "none"`},
		{[]ddbtest.Part{ddbtest.Cancel(3, "ThrottlingError")}, "1 request met its conditions, but could not have its effects"},
	} {
		db, test := faked()
		acted := db.Fail(ddbtest.Op("Query"), ddbtest.Delay(time.Nanosecond)).MustHit(test)
		idle := db.Fail(c.parts...)
		require.Same(t, idle, idle.MustHit(test))
		for range 3 {
			require.NoError(t, get(t.Context(), db.Client()))
		}
		require.NoError(t, query(t.Context(), db.Client()))
		require.NoError(t, transactWrite(t.Context(), db.Client()))
		require.Equal(t, 1, acted.Hits())
		require.Empty(t, test.failures)
		test.end()
		failsOnce(t, test, c.why, idle.String(), "misuse_test.go:")
		log := strings.Join(test.logs, "\n")
		require.NotContains(t, log, idle.String(), "it was told already")
		require.NotContains(t, log+test.failures[0], "secret")
		require.NotContains(t, log, acted.String())
		require.Contains(t, log, "the last requests:\n\t#1 GetItem things: ok")
		require.NotContains(t, log, "Seed", "nothing happened by chance")
	}
}

// TestAFailedTestNamesRulesThatNeverActed checks that it names ten of them.
func TestAFailedTestNamesRulesThatNeverActed(t *testing.T) {
	t.Parallel()
	db, test := faked()
	for range 12 {
		db.Fail(ddbtest.OnTable("thing"), ddbtest.Reset)
	}
	acted := db.Fail(ddbtest.Op("GetItem"), ddbtest.Delay(1))
	require.NoError(t, get(t.Context(), db.Client()))
	test.Errorf("failed")
	test.end()
	log := strings.Join(test.logs, "\n")
	require.Equal(t, 10, strings.Count(log, `this rule never acted: Fail(OnTable("thing"), Reset): there is no table "thing": is it "things"?`))
	require.Contains(t, log, "and 2 more rules that never acted")
	require.NotContains(t, log, acted.String())
}

// TestAGoodTestSaysNothing checks that a passed test logs nothing at its end.
func TestAGoodTestSaysNothing(t *testing.T) {
	t.Parallel()
	db, test := faked()
	db.Fail(ddbtest.OnTable("thing"), ddbtest.Reset)
	require.NoError(t, get(t.Context(), db.Client()))
	test.end()
	require.Empty(t, test.failures)
	require.Empty(t, test.logs)
}

// TestTheSeedIsToldWhereChanceDecided checks that the seed is logged after a random decision.
func TestTheSeedIsToldWhereChanceDecided(t *testing.T) {
	t.Parallel()
	for _, part := range []ddbtest.Part{ddbtest.Rate(0.5), ddbtest.UnprocessedRate(0.5), ddbtest.First(1)} {
		db, test := faked(ddbtest.Options{Seed: 4711})
		effect := ddbtest.Part(ddbtest.InternalError)
		if e, ok := part.(ddbtest.Effect); ok {
			effect = ddbtest.Op("BatchWriteItem")
			part = e
		}
		db.Fail(part, effect)
		// after First(1) the client backs off for a random time
		_ = batchWrite(t.Context(), db.Client())
		test.Errorf("failed")
		test.end()
		require.Contains(t, strings.Join(test.logs, "\n"), "Options.Seed to 4711")
	}
}

// TestOptionsThatMakeNoSense checks that all errors are reported at once and that the database
// accepts no requests.
func TestOptionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	wrong := ddbtest.Options{
		Region: "US East", Account: "12", Lag: ddbtest.Lag{Items: -1}, Heat: ddbtest.Units{Read: math.NaN()},
		TableDelay: -1, TTLDelay: -1, LogSize: -1,
	}
	names := []string{"Region", "Account", "Lag", "Heat", "TableDelay", "TTLDelay", "LogSize"}
	test := new(fakeTest)
	ddbtest.Start(test, wrong)
	failsOnce(t, test, names...)

	db := ddbtest.New(wrong)
	for _, name := range names {
		require.ErrorContains(t, db.Err(), "Options."+name)
	}
	err := get(t.Context(), db.Client())
	require.Equal(t, "refused", seen(err))
	require.ErrorContains(t, err, "Options.TTLDelay")

	fine := ddbtest.New(ddbtest.Options{Region: "us-gov-west-1", Account: "000000000000", LogSize: 1, Lag: ddbtest.Lag{Indexes: ddbtest.UntilSettled}})
	require.NoError(t, fine.Err())
	fine.SetLag(ddbtest.Lag{Indexes: -1})
	fine.LimitHeat(ddbtest.Units{Write: math.Inf(1)})
	fine.Restore(nil)
	fine.Restore(new(ddbtest.Snapshot))
	require.ErrorContains(t, fine.Err(), "SetLag")
	require.ErrorContains(t, fine.Err(), "LimitHeat")
	require.ErrorContains(t, fine.Err(), "the snapshot is nil")
}

// TestNothingGiven covers missing arguments.
func TestNothingGiven(t *testing.T) {
	t.Parallel()
	db, test := faked()
	db.CreateTable(test, nil)
	failsOnce(t, test, "there is no input")
	require.Nil(t, ddbtest.Of(nil))
	require.Nil(t, ddbtest.Of((*dynamodb.Client)(nil)))
	_, err := ddbtest.Replay(nil)
	require.Error(t, err)
	for _, start := range []func(){
		func() { ddbtest.Client(nil) }, func() { ddbtest.Start(nil) }, func() { db.CreateTable(nil, thingsTable()) }, func() { db.Load(nil, things) },
		func() { db.Budget(nil, ddbtest.NoScan()) }, func() { db.ForkFor(nil) },
	} {
		require.PanicsWithValue(t, "ddbtest: the test is nil: use New for a database without a test", start)
	}
}

// TestWhatPanicsInATest checks that repeated panics are reported once.
func TestWhatPanicsInATest(t *testing.T) {
	t.Parallel()
	db, test := faked()
	db.Fail(ddbtest.Matching(func(ddbtest.Request) bool { panic("the test's own mistake") }), ddbtest.Reset)
	for range 3 {
		require.Equal(t, "InternalServerError", seen(get(t.Context(), db.Client())))
	}
	failsOnce(t, test, "panic: the test's own mistake", "misuse_test.go")
}

// TestDumpOfNoTable checks that it fails the test, because a misspelled name would look like an
// empty table.
func TestDumpOfNoTable(t *testing.T) {
	t.Parallel()
	db, test := faked()
	require.Nil(t, db.Dump("thing"))
	failsOnce(t, test, `Dump: there is no table "thing": is it "things"?`)
	require.NotNil(t, db.Dump(things), "an empty table is not none")
}

// TestWhatIsNotImplemented checks its error.
func TestWhatIsNotImplemented(t *testing.T) {
	t.Parallel()
	_, err := setup(t).Client().ExecuteStatement(t.Context(), &dynamodb.ExecuteStatementInput{Statement: aws.String("SELECT * FROM things")})
	require.Equal(t, "UnknownOperationException", seen(err))
	require.ErrorContains(t, err, "ddbtest does not implement")
	require.ErrorContains(t, err, "ExecuteStatement")
}

// TestNamesOfParts checks that they match the source text, without values.
func TestNamesOfParts(t *testing.T) {
	t.Parallel()
	for want, part := range map[string]ddbtest.Part{
		`Op("GetItem", "Query")`:                  ddbtest.Op("GetItem", "Query"),
		`OnTable("orders")`:                       ddbtest.OnTable("orders"),
		`OnKey(pk, sk)`:                           ddbtest.OnKey(thing("secret", 1)),
		`Rate(0.25)`:                              ddbtest.Rate(0.25),
		`LateDuplicateAfterWrite`:                 ddbtest.LateDuplicateAfterWrite,
		`Throttle(TableReadAccountLimitExceeded)`: ddbtest.Throttle("TableReadAccountLimitExceeded"),
		`ThrottleAs(ThrottlingException)`:         ddbtest.ThrottleAs("ThrottlingException"),
		`Cancel(1, ThrottlingError)`:              ddbtest.Cancel(1, "ThrottlingError"),
		`Error(Gone, 504)`:                        ddbtest.Error("Gone", "a message", 504),
		`AfterCommit(Error(Gone, 504))`:           ddbtest.AfterCommit(ddbtest.Error("Gone", "a message", 504)),
		`Unprocessed(All)`:                        ddbtest.Unprocessed(ddbtest.All),
		`Delay(3s)`:                               ddbtest.Delay(3 * time.Second),
		`WrongChecksum`:                           ddbtest.WrongChecksum,
		`Fault(99)`:                               ddbtest.Fault(99),
		`Matching`:                                ddbtest.Matching(func(ddbtest.Request) bool { return true }),
	} {
		require.Equal(t, want, part.String())
	}
	rule := setup(t).Fail(ddbtest.Op("GetItem"), ddbtest.Nth(2), ddbtest.Reset)
	require.Equal(t, `Fail(Op("GetItem"), Nth(2), Reset)`, rule.String())
}

package ddbtest_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// startFake starts a database for a test that may fail.
func startFake(options ...ddbtest.Options) (*ddbtest.DB, *fakeTest) {
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

// TestInvalidRules checks that such rules fail the test with all their errors, each once.
func TestInvalidRules(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	var text strings.Builder
	for _, options := range [][]ddbtest.RuleOption{
		{},
		{ddbtest.Op("GetItem")},
		{nil, ddbtest.Reset},
		{ddbtest.Op(), ddbtest.Reset},
		{ddbtest.OnTable(""), ddbtest.Reset},
		{ddbtest.OnIndex(""), ddbtest.Reset},
		{ddbtest.OnKey(nil), ddbtest.Reset},
		{ddbtest.Matching(nil), ddbtest.Reset},
		{ddbtest.Nth(0), ddbtest.Reset},
		{ddbtest.Times(-1), ddbtest.Reset},
		{ddbtest.Rate(1.5), ddbtest.Reset},
		{ddbtest.Rate(nan), ddbtest.Reset},
		{ddbtest.Op("GetItem"), ddbtest.Op("PutItem"), ddbtest.Reset},
		{ddbtest.OnTable("a"), ddbtest.OnTable("b"), ddbtest.Reset},
		{ddbtest.Nth(1), ddbtest.Nth(2), ddbtest.Reset},
		{ddbtest.Cancel(0, "ThrottlingError"), ddbtest.Cancel(0, "TransactionConflict")},
		{ddbtest.Delay(time.Second), ddbtest.Delay(time.Second)},
		{ddbtest.AfterCommit(ddbtest.Delay(1)), ddbtest.AfterCommit(ddbtest.Delay(2))},
		{ddbtest.Unprocessed(1), ddbtest.UnprocessedRate(0.5)},
		{ddbtest.CutPage(1), ddbtest.CutPage(2)},
		{ddbtest.EmptyPage, ddbtest.EmptyPage},
		{ddbtest.Reset, ddbtest.InternalError},
		{ddbtest.AfterCommit(ddbtest.Truncate)},
		{ddbtest.AfterCommit(ddbtest.InvalidJSON)},
		{ddbtest.AfterCommit(nil)},
		{ddbtest.Op("CreateBackup"), ddbtest.Reset},
		{ddbtest.OnTable(things), ddbtest.OnKey(attributes{"color": secret}), ddbtest.Reset},
		{ddbtest.OnTable(things), ddbtest.OnKey(attributes{"pk": number(1)}), ddbtest.Reset},
		{ddbtest.Op("GetItm", "Query"), ddbtest.Nth(0), ddbtest.OnTable(""), ddbtest.Unprocessed(1)},
		{ddbtest.Op("GetItem"), ddbtest.Unprocessed(1)},
		{ddbtest.Op("Query"), ddbtest.OnKey(attributes{"pk": secret}), ddbtest.Reset},
		{ddbtest.Op("ListTables", "ListTables"), ddbtest.OnTable(things), ddbtest.Reset},
		{ddbtest.OnKey(attributes{"pk": secret}), ddbtest.EmptyPage},
		{ddbtest.Op("CreateBackup", "PutItm"), ddbtest.Reset},
		{ddbtest.Op("Select"), ddbtest.OnKey(attributes{"pk": secret}), ddbtest.EmptyPage},
		{ddbtest.Nth(2), ddbtest.First(1), ddbtest.Reset},
		{ddbtest.Every(5), ddbtest.First(4), ddbtest.Reset},
		{ddbtest.For(0), ddbtest.Reset},
		{ddbtest.OnKey(attributes{"pk": &types.AttributeValueMemberBOOL{}}), ddbtest.Reset},
		{ddbtest.OnKey(attributes{"pk": nil}), ddbtest.Reset},
		{ddbtest.Throttle("Throttling")},
		{ddbtest.Throttle("Slow", "TooHot")},
		{ddbtest.Throttle("ThrottlingException", "RequestLimitExceeded")},
		{ddbtest.Throttle("TableReadAccountLimitExceeded", "TableWriteAccountLimitExceeded")},
		{ddbtest.Throttle("IndexWriteAccountLimitExceeded")},
		{ddbtest.Cancel(0, "ConditionalCheckFailedException")},
		{ddbtest.Cancel(-1, "None")},
		{ddbtest.Error("", "", 200)},
		{ddbtest.Delay(0)},
		{ddbtest.Unprocessed(0)},
		{ddbtest.UnprocessedRate(1.5)},
		{ddbtest.CutPage(0)},
		{ddbtest.Fault(99)},
	} {
		db, test := startFake()
		rule := db.Fail(options...)
		require.Error(t, rule.Err())
		failsOnce(t, test, rule.Err().Error(), "errors_test.go:", rule.String())
		lines := strings.Split(rule.Err().Error(), "\n")
		require.Len(t, slices.Compact(slices.Sorted(slices.Values(lines))), len(lines), "each error is reported once: %q", lines)
		fmt.Fprintf(&text, "%s\n\t%s\n", rule, strings.Join(lines, "\n\t"))
	}
	golden(t, "rules.txt", text.String())
}

// TestValidRules covers options that may occur twice and a rate of 0.
func TestValidRules(t *testing.T) {
	t.Parallel()
	yes := func(ddbtest.Request) bool { return true }
	for _, options := range [][]ddbtest.RuleOption{
		{ddbtest.Matching(yes), ddbtest.Matching(yes), ddbtest.Reset},
		{ddbtest.Cancel(0, "ThrottlingError"), ddbtest.Cancel(1, "ThrottlingError")},
		{ddbtest.Delay(time.Second), ddbtest.AfterCommit(ddbtest.Delay(time.Second)), ddbtest.AfterCommit(ddbtest.Reset)},
		{ddbtest.Rate(0), ddbtest.Reset},
		{ddbtest.UnprocessedRate(0)},
		{ddbtest.OnTable("later"), ddbtest.OnKey(attributes{"id": text("a")}), ddbtest.Reset},
	} {
		db, test := startFake()
		require.NoError(t, db.Fail(options...).Err())
		require.Empty(t, test.failures)
	}
	db := setup(t)
	never := db.Fail(ddbtest.Rate(0), ddbtest.Reset)
	for range 20 {
		require.NoError(t, get(t.Context(), db.Client()))
	}
	require.Zero(t, never.Hits())
}

// TestOnKeyIgnoresOtherAttributes covers requests that have the whole item.
func TestOnKeyIgnoresOtherAttributes(t *testing.T) {
	t.Parallel()
	db := setup(t)
	byColor := db.Fail(ddbtest.OnKey(attributes{"color": text("red")}), ddbtest.InternalError)
	byKey := db.Fail(ddbtest.OnKey(attributes{"pk": text("a")}), ddbtest.Unavailable)
	_, err := db.Client(once).PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(things), Item: thing("a", 1, attributes{"color": text("red")}),
	})
	require.Equal(t, "ServiceUnavailable", resultOf(err))
	require.Equal(t, []int{0, 1}, []int{byColor.Hits(), byKey.Hits()})
}

// TestInactiveRules checks that a failed test logs them, that MustHit fails the test, and that
// CheckHit has the same reason.
func TestInactiveRules(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, options := range [][]ddbtest.RuleOption{
		{ddbtest.OnTable("thing"), ddbtest.Reset},
		{ddbtest.OnIndex("byColour"), ddbtest.Reset},
		{ddbtest.OnKey(attributes{"color": secret}), ddbtest.Reset},
		{ddbtest.Op("GetItem"), ddbtest.Nth(5), ddbtest.Reset},
		{ddbtest.Op("PutItem"), ddbtest.Reset},
		{ddbtest.OnTable(things), ddbtest.OnIndex("none"), ddbtest.Reset},
		{ddbtest.Cancel(3, "ThrottlingError")},
	} {
		db, test := startFake()
		acted := db.Fail(ddbtest.Op("Query"), ddbtest.Delay(time.Nanosecond)).MustHit(test)
		inactive := db.Fail(options...)
		require.Same(t, inactive, inactive.MustHit(test))
		for range 3 {
			require.NoError(t, get(t.Context(), db.Client()))
		}
		require.NoError(t, query(t.Context(), db.Client()))
		require.NoError(t, transactWrite(t.Context(), db.Client()))
		require.Equal(t, 1, acted.Hits())
		require.Empty(t, test.failures)
		require.NoError(t, acted.CheckHit())
		_, why, ok := strings.Cut(inactive.CheckHit().Error(), "the rule never acted: ")
		require.True(t, ok)
		test.end()
		failsOnce(t, test, inactive.String(), "errors_test.go:", why)
		_, message, _ := strings.Cut(test.failures[0], ": the rule")
		fmt.Fprintf(&text, "the rule%s\n", message)
		log := strings.Join(test.logs, "\n")
		require.NotContains(t, log, inactive.String(), "it was reported already")
		require.NotContains(t, log+test.failures[0], "secret")
		require.NotContains(t, log, acted.String())
		require.Contains(t, log, "the last requests:\n\t#1 GetItem things: ok")
		require.NotContains(t, log, "Seed", "there was no random decision")
	}
	golden(t, "inactive.txt", text.String())
}

// TestInactiveRulesInLog checks that it names ten of them.
func TestInactiveRulesInLog(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	for range 12 {
		db.Fail(ddbtest.OnTable(things), ddbtest.Op("Scan"), ddbtest.Reset)
	}
	acted := db.Fail(ddbtest.Op("GetItem"), ddbtest.Delay(1))
	require.NoError(t, get(t.Context(), db.Client()))
	test.Errorf("failed")
	test.end()
	log := strings.Join(test.logs, "\n")
	require.Equal(t, 10, strings.Count(log, `Fail(OnTable("things"), Op("Scan"), Reset)`))
	require.Contains(t, log, "2 more rules")
	require.NotContains(t, log, acted.String())
}

// TestPassedTestLogsNothing checks that a passed test logs nothing at its end.
func TestPassedTestLogsNothing(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	db.Fail(ddbtest.OnTable(things), ddbtest.Op("Scan"), ddbtest.Reset)
	require.NoError(t, get(t.Context(), db.Client()))
	test.end()
	require.Empty(t, test.failures)
	require.Empty(t, test.logs)
}

// TestSeedInLog checks that the seed is logged after a random decision.
func TestSeedInLog(t *testing.T) {
	t.Parallel()
	for _, option := range []ddbtest.RuleOption{ddbtest.Rate(0.5), ddbtest.UnprocessedRate(0.5), ddbtest.First(1)} {
		db, test := startFake(ddbtest.Options{Seed: 4711})
		effect := ddbtest.RuleOption(ddbtest.InternalError)
		if e, ok := option.(ddbtest.Effect); ok {
			effect = ddbtest.Op("BatchWriteItem")
			option = e
		}
		db.Fail(option, effect)
		// after First(1) the client backs off for a random time
		_ = batchWrite(t.Context(), db.Client())
		test.Errorf("failed")
		test.end()
		require.Contains(t, strings.Join(test.logs, "\n"), "4711")
	}
}

// TestInvalidOptions checks that all errors are reported at once and that the database
// accepts no requests.
func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	invalid := ddbtest.Options{
		Region: "US East", Account: "12", Lag: ddbtest.Lag{Items: -1}, PartitionLimit: ddbtest.Units{Read: math.NaN()},
		TableDelay: -1, TTLDelay: -1, KeepRequests: -1,
	}
	names := []string{"Region", "Account", "Lag", "PartitionLimit", "TableDelay", "TTLDelay", "KeepRequests"}
	test := new(fakeTest)
	ddbtest.Start(test, invalid)
	failsOnce(t, test, names...)

	db := ddbtest.New(invalid)
	for _, name := range names {
		require.ErrorContains(t, db.Err(), "Options."+name)
	}
	err := get(t.Context(), db.Client())
	require.Equal(t, "refused", resultOf(err))
	require.ErrorContains(t, err, "Options.TTLDelay")

	valid := ddbtest.New(ddbtest.Options{Region: "us-gov-west-1", Account: "000000000000", KeepRequests: 1, Lag: ddbtest.Lag{Indexes: ddbtest.UntilSettled}})
	require.NoError(t, valid.Err())
	valid.SetLag(ddbtest.Lag{Indexes: -1})
	valid.LimitPartitions(ddbtest.Units{Write: math.Inf(1)})
	valid.Restore(nil)
	valid.Restore(new(ddbtest.Snapshot))
	require.ErrorContains(t, valid.Err(), "SetLag")
	require.ErrorContains(t, valid.Err(), "LimitPartitions")
	require.ErrorContains(t, valid.Err(), "Restore")
}

// TestMissingArguments covers missing arguments.
func TestMissingArguments(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	db.CreateTable(test, nil)
	failsOnce(t, test)
	require.Nil(t, ddbtest.Of(nil))
	require.Nil(t, ddbtest.Of((*dynamodb.Client)(nil)))
	_, err := ddbtest.Replay(nil)
	require.Error(t, err)
	for _, start := range []func(){
		func() { ddbtest.Client(nil) }, func() { ddbtest.Start(nil) }, func() { db.CreateTable(nil, thingsTable()) }, func() { db.Load(nil, things) },
		func() { db.CreateTables(nil, "") }, func() { db.LoadFile(nil, things, "") }, func() { db.LoadValues(nil, things) },
		func() { db.Budget(nil, ddbtest.Requests.AtMost(0, "Scan")) }, func() { db.ForkFor(nil) },
	} {
		require.Panics(t, start)
	}
}

// TestPanicInMatching checks that repeated panics are reported once.
func TestPanicInMatching(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	db.Fail(ddbtest.Matching(func(ddbtest.Request) bool { panic("panic of the test") }), ddbtest.Reset)
	for range 3 {
		require.Equal(t, "InternalServerError", resultOf(get(t.Context(), db.Client())))
	}
	failsOnce(t, test, "panic: panic of the test", "errors_test.go")
}

// TestDumpOfMissingTable checks that it fails the test, because a misspelled name would look like
// an empty table.
func TestDumpOfMissingTable(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	require.Nil(t, db.Dump("thing"))
	failsOnce(t, test, "Dump", `"things"`)
	require.NotNil(t, db.Dump(things), "an empty table exists")
}

// TestUnsupportedOperation checks its error.
func TestUnsupportedOperation(t *testing.T) {
	t.Parallel()
	_, err := setup(t).Client().CreateBackup(t.Context(), &dynamodb.CreateBackupInput{TableName: aws.String(things), BackupName: aws.String("backup")})
	require.Equal(t, "UnknownOperationException", resultOf(err))
	require.ErrorContains(t, err, "CreateBackup")
}

// TestRuleOptionString checks that they match the source text, without values.
func TestRuleOptionString(t *testing.T) {
	t.Parallel()
	for want, option := range map[string]ddbtest.RuleOption{
		`Op("GetItem", "Query")`:                  ddbtest.Op("GetItem", "Query"),
		`OnTable("orders")`:                       ddbtest.OnTable("orders"),
		`OnKey(pk, sk)`:                           ddbtest.OnKey(thing("secret", 1)),
		`Rate(0.25)`:                              ddbtest.Rate(0.25),
		`LateDuplicateAfterWrite`:                 ddbtest.LateDuplicateAfterWrite,
		`Throttle(TableReadAccountLimitExceeded)`: ddbtest.Throttle("TableReadAccountLimitExceeded"),
		`Throttle(ThrottlingException)`:           ddbtest.Throttle("ThrottlingException"),
		`Cancel(1, ThrottlingError)`:              ddbtest.Cancel(1, "ThrottlingError"),
		`Error(Gone, 504)`:                        ddbtest.Error("Gone", "a message", 504),
		`AfterCommit(Error(Gone, 504))`:           ddbtest.AfterCommit(ddbtest.Error("Gone", "a message", 504)),
		`Unprocessed(100)`:                        ddbtest.Unprocessed(100),
		`Delay(3s)`:                               ddbtest.Delay(3 * time.Second),
		`WrongChecksum`:                           ddbtest.WrongChecksum,
		`Fault(99)`:                               ddbtest.Fault(99),
		`Matching`:                                ddbtest.Matching(func(ddbtest.Request) bool { return true }),
	} {
		require.Equal(t, want, option.String())
	}
	rule := setup(t).Fail(ddbtest.Op("GetItem"), ddbtest.Nth(2), ddbtest.Reset)
	require.Equal(t, `Fail(Op("GetItem"), Nth(2), Reset)`, rule.String())
}

// TestCheckRule checks that CheckRule returns what Fail reports, adds no rule and fails no test.
func TestCheckRule(t *testing.T) {
	t.Parallel()
	db, test := startFake()
	for _, options := range [][]ddbtest.RuleOption{
		{},
		{ddbtest.Op("GetItem", "Scam"), ddbtest.Unprocessed(1), ddbtest.Nth(0)},
		{ddbtest.OnTable("things"), ddbtest.OnKey(map[string]types.AttributeValue{"nokey": &types.AttributeValueMemberS{Value: "a"}}), ddbtest.Reset},
	} {
		err := db.CheckRule(options...)
		require.Error(t, err)
		require.Empty(t, test.failures)
		other, _ := startFake()
		require.EqualError(t, err, other.Fail(options...).Err().Error())
	}
	require.NoError(t, db.CheckRule(ddbtest.Op("PutItem"), ddbtest.Reset))
	require.NoError(t, put(t.Context(), db.Client()))
	require.Empty(t, db.Cost().Errors)
	require.Empty(t, db.Requests()[0].Fault)
}

// TestSettingsCanBeRead checks that the lag and the limit of partitions are those that were set.
func TestSettingsCanBeRead(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Lag: ddbtest.Lag{Items: 1}, PartitionLimit: ddbtest.Units{Read: 2}})
	require.Equal(t, ddbtest.Lag{Items: 1}, db.Lag())
	require.Equal(t, ddbtest.Units{Read: 2}, db.PartitionLimit())
	db.SetLag(ddbtest.Lag{Indexes: ddbtest.UntilSettled})
	db.LimitPartitions(ddbtest.Units{Write: 3})
	require.Equal(t, ddbtest.Lag{Indexes: ddbtest.UntilSettled}, db.Lag())
	require.Equal(t, ddbtest.Units{Write: 3}, db.PartitionLimit())
	require.Equal(t, db.Lag(), db.Fork().Lag())
}

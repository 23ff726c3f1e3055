// Package ddbtest is a DynamoDB inside the process, for tests: it answers the SDK's own client as the service does, and does wrong what a test
// asks it to.
//
//	func TestOrder(t *testing.T) {
//		db := ddbtest.Start(t)                                     // a fresh database, ended with the test
//		db.CreateTable(t, &dynamodb.CreateTableInput{ ... })       // ACTIVE at once
//		db.Load(t, "orders", order1, order2)
//		service := orders.New(db.Client())                         // the service under test
//		...
//		require.Len(t, db.Dump("orders"), 3)
//	}
//
// There is no socket, no goroutine and nothing to clean up, and nothing is read from the environment. The client is the SDK's: what it
// serializes, signs, checks and retries is what it does with the service. What goes wrong with the database fails the test, and a failed test's
// log tells the last requests.
//
// [Client] makes a database and a client in one; [New] makes a database without a test. [DB.ClientOptions] and [DB.Configure] are for a client
// that is made by hand or from a configuration, [DB.StreamsClient] and [DB.ConfigureStreams] for streams, [DB.HTTPClient] for anything that
// speaks HTTP; and a DB is an [net/http.Handler], for programs outside:
//
//	http.ListenAndServe("127.0.0.1:8000", ddbtest.New(ddbtest.Options{}))
//
// # What goes wrong
//
// [DB.Fail] adds a rule: which requests it is about, how often it acts, and what it does to them.
//
//	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Every(10), ddbtest.AfterCommit(ddbtest.Reset))
//	db.Fail(ddbtest.OnTable("orders"), ddbtest.Rate(0.05), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))
//	db.Fail(ddbtest.Op("PutItem"), ddbtest.Nth(3), ddbtest.LateDuplicate).MustHit(t)
//
// A request can be lost before it is applied or, with [AfterCommit], after; be refused in any way in which the service refuses; arrive twice or
// late; come back damaged. Batches can be left undone in part, transactions be canceled for any reason, pages be empty or cut. The
// constants of [Fault] and the functions that return an [Effect] are all there is. Errors and pages look to the client as the service's do.
//
// Rules count requests, and each attempt of the SDK is one: First(1) fails a call's first attempt, and its retry goes through. A rule that
// makes no sense fails the test at once; one that never acted is named in the log of a failed test, and fails it with [Rule.MustHit].
// [DB.Pending] tells which requests are held up at the moment.
//
// # Time
//
// [DB.Clock] tells the database's time: the real one, and what [Clock.Advance] added. TTL, tokens of transactions, streams, lag, heat and delays
// go by it. Inside a bubble of testing/synctest all of it, and the SDK's waiting between attempts, takes no real time: a minute of a service's
// own back-off is over at once. A service that asks for the time itself takes it from the database's clock, as a func() time.Time:
// after [Clock.Advance], time.Now is behind. A bubble's own time begins in the year 2000: make the database inside it, or a fork, which goes on from the time
// of its origin.
//
// # Consistency and heat
//
// With [Options.Lag] or [DB.SetLag], eventually consistent reads are behind, by a time or until [DB.Settle]. [DB.Heat] tells the partitions that
// are asked for most; [DB.LimitHeat] throttles them as the service would. Heat is counted by the second: a test of it that does not
// depend on the machine's speed runs in a bubble.
//
// # What it costs
//
// [DB.Budget] fails a test that scans, filters, or uses more requests, pages or capacity than it may. [DB.Cost] and [Measure] tell what was used,
// [DB.Requests] by which requests.
//
// # Again
//
// [DB.Snapshot], [DB.Restore] and [DB.Fork] take no longer for a million items than for ten. [Options.Seed] decides all that happens by chance;
// when a test has failed, its log tells the seed. What several goroutines did at once is repeated by [DB.WriteLog] and [Replay];
// [Options.FailureLog] keeps that log of a test that failed.
//
// # What there is
//
// These operations, with the service's limits, errors and capacity:
//
//   - GetItem, PutItem, UpdateItem, DeleteItem, Query, Scan, BatchGetItem, BatchWriteItem, TransactGetItems, TransactWriteItems
//   - CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables, UpdateTimeToLive, DescribeTimeToLive, TagResource, UntagResource,
//     ListTagsOfResource, DescribeContinuousBackups, DescribeLimits, DescribeEndpoints
//   - ListStreams, DescribeStream, GetShardIterator, GetRecords
//
// The others, such as PartiQL's, are UnknownOperationException, and the parameters from before expressions are refused by name. Nothing is
// throttled, behind or in conflict unless the test asks for it.
package ddbtest

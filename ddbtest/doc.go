// Package ddbtest is an in-process DynamoDB for tests. It serves the SDK's own client with the
// behavior of the service, and it can inject faults.
//
//	func TestOrder(t *testing.T) {
//		db := ddbtest.Start(t)                               // closed with the test
//		db.CreateTable(t, &dynamodb.CreateTableInput{ ... }) // ACTIVE at once
//		db.Load(t, "orders", order1, order2)
//		service := orders.New(db.Client())                   // the service under test
//		...
//		require.Len(t, db.Dump("orders"), 3)
//	}
//
// There is no socket, no goroutine and nothing to clean up. The package reads no environment
// variables. The client is the SDK's client: it serializes, signs, validates and retries as it does
// with the service. A fault of the database itself fails the test. The log of a failed test lists
// the last requests.
//
// [Client] makes a database and a client in one call. [New] makes a database without a test.
// [DB.ClientOptions] and [DB.Configure] are for a client that is made by hand or from a
// configuration. [DB.StreamsClient] and [DB.ConfigureStreams] are for streams, and [DB.HTTPClient]
// is for any other HTTP code. A DB is also an [net/http.Handler], for other processes:
//
//	http.ListenAndServe("127.0.0.1:8000", ddbtest.New(ddbtest.Options{}))
//
// # Faults
//
// [DB.Fail] adds a rule. A rule selects requests, limits how often it acts, and has one or more
// effects.
//
//	db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Every(10), ddbtest.AfterCommit(ddbtest.Reset))
//	db.Fail(ddbtest.OnTable("orders"), ddbtest.Rate(0.05),
//		ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded"))
//	db.Fail(ddbtest.Op("PutItem"), ddbtest.Nth(3), ddbtest.LateDuplicate).MustHit(t)
//
// A rule can lose a request before it is applied or, with [AfterCommit], after it is applied. It
// can return any error of the service, deliver a request twice or late, or damage the reply. It can
// leave parts of a batch unprocessed, cancel a transaction for any reason, and return empty or
// short pages. The constants of [Fault] and the functions that return an [Effect] are the complete
// list. Errors and pages have the same form as those of the service.
//
// Rules count requests, and each attempt of the SDK is a request: First(1) fails the first attempt
// of a call, and the retry succeeds. An invalid rule fails the test at once. A failed test logs the
// rules that never acted, and [Rule.MustHit] fails the test if its rule never acted. [DB.Pending]
// returns the requests that are delayed or held at the moment.
//
// # Time
//
// [DB.Clock] is the clock of the database: the real time plus what [Clock.Advance] added. TTL,
// transaction tokens, streams, lag, partition heat and delays use it. Inside a bubble of
// testing/synctest all waiting, including the SDK's backoff between attempts, takes no real time. A
// service that reads the time itself should take the clock's Now method as a func() time.Time,
// because time.Now does not include what [Clock.Advance] added. The time of a bubble begins in the
// year 2000: create the database inside the bubble, or fork it there, because a fork continues from
// the time of its origin.
//
// # Consistency and heat
//
// With [Options.Lag] or [DB.SetLag], eventually consistent reads lag behind the writes by a
// duration or until [DB.Settle]. [DB.Heat] returns the partitions with the highest load.
// [DB.LimitHeat] throttles them as the service would. Load is counted per second, so run a test of
// it in a bubble to make it independent of the machine's speed.
//
// # Costs
//
// [DB.Budget] fails a test that scans, filters, or uses more requests, pages or capacity units than
// allowed. [DB.Cost] and [Measure] return the usage, and [DB.Requests] returns the requests that
// caused it.
//
// # Snapshots and replay
//
// [DB.Snapshot], [DB.Restore] and [DB.Fork] take constant time, whatever the number of items.
// Databases with equal content have the same [DB.Hash].
// [Options.Seed] determines every random decision. The log of a failed test includes the seed if
// there was such a decision. [DB.WriteLog] and [Replay] repeat what several goroutines did
// concurrently. [Options.FailureLog] saves that log when a test fails.
//
// # Supported operations
//
// These operations have the limits, errors and capacity units of the service:
//
//   - GetItem, PutItem, UpdateItem, DeleteItem, Query, Scan, BatchGetItem, BatchWriteItem,
//     TransactGetItems, TransactWriteItems
//   - CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables, UpdateTimeToLive,
//     DescribeTimeToLive, TagResource, UntagResource, ListTagsOfResource
//   - ListStreams, DescribeStream, GetShardIterator, GetRecords
//
// The others, such as those of PartiQL, return UnknownOperationException. A legacy parameter
// from before expressions is rejected with an error that names it, and so is a setting of a table
// that does not affect its data, such as SSESpecification or TableClass. There is no throttling,
// lag or conflict unless the test asks for it.
package ddbtest

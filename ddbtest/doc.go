// Package ddbtest is an in-process DynamoDB for tests. It serves the SDK's own client with the
// behavior of DynamoDB, and it can inject faults.
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
// The package opens no socket, starts no goroutine and reads no environment variables. The client
// is the SDK's client: it serializes, signs, validates and retries as it does with DynamoDB.
// Invalid options and rules, and defects of this package, fail the test. The log of a failed test
// lists the last requests.
//
// [Client] makes a database and a client in one call. [New] makes a database without a test.
// [DB.ClientOptions] returns the options for dynamodb.New, and [DB.Configure] is an option for
// dynamodb.NewFromConfig. With Trestle, it connects the program's own client, with its settings, to
// the database: trestle.NewClient(aws.Config{}, db.Configure). [DB.StreamsClient] and
// [DB.ConfigureStreams] do the same for DynamoDB Streams. [DB.HTTPClient] is for other HTTP code,
// and refuses requests of other services. A DB implements [net/http.Handler], so it can serve other
// processes:
//
//	http.ListenAndServe("127.0.0.1:8000", ddbtest.New(ddbtest.Options{}))
//
// The command [github.com/trestledb/trestle/cmd/ddbtest] does so, with a database for each access
// key and with a control endpoint for faults and the rest of this package.
//
// # Tables and items from files
//
// [DB.CreateTables] creates the tables of a request of CreateTable, of the reply of DescribeTable,
// of a CloudFormation template or of a plan of Terraform. [DB.LoadFile] loads the items of a scan,
// of a batch write or of an export to S3. The content of a file tells its format, and all its
// faults are reported at once. [DB.LoadFS] loads such files together, for example those of a
// folder: tables first, and then items. [DB.LoadValues] loads Go values.
//
//	db.CreateTables(t, "testdata/template.json")
//	db.LoadFile(t, "orders", "testdata/orders.json") // aws dynamodb scan --table-name orders
//
// # Results
//
// [DB.Dump] returns the items of a table, and [DB.Records] all records of its stream. [Items] and
// [Records] print them as JSON that is the same for equal content, so that a test can compare it
// with a golden file and a failure shows the difference. [Items.Decode] decodes items, and
// [Records.LambdaEvent] is the event for the handler of a Lambda function.
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
// can return any error of DynamoDB, deliver a request twice or late, or damage the reply. It can
// leave parts of a batch unprocessed, cancel a transaction for any reason, and return empty or
// short pages. The constants of [Fault] and the functions that return an [Effect] are the complete
// list. Errors and pages have the same form as those of DynamoDB.
//
// Rules count requests, and each attempt of the SDK is a request: First(1) fails the first attempt
// of a call, and the retry succeeds. An invalid rule fails the test at once, and a rule for a table
// or an index that is never created fails it at its end. A failed test logs the rules that never
// acted, with the requests that came nearest to each, and [Rule.MustHit] fails the test if its rule
// never acted. [DB.Pending] returns the requests that are delayed or held at the moment.
//
// # Policies
//
// [DB.WithPolicy] is an option of [DB.Client]: the client may do only what an IAM policy document
// allows, for example by dynamodb:LeadingKeys. With it, a service tests that it isolates tenants.
//
// # Time
//
// [DB.Now] is the time of the database's clock: the real time plus what [DB.Advance] added. TTL,
// transaction tokens, streams, lag, the load of partitions and delays use it. Inside a bubble of
// testing/synctest all waiting, including the SDK's backoff between attempts, takes no real time.
// Code under test that reads the time should take a func() time.Time, and the test should pass
// [DB.Now], because time.Now does not include what [DB.Advance] added. With Trestle, this is the
// option entity.Clock(db.Now) of Schema.Open. Without it, items that expire by the database's clock
// have not expired for the library, which still returns them until the database deletes them, and a
// lock is not free. The time of a bubble begins in the year 2000. A database that was made outside
// a bubble and is used inside fails the test, and so does the reverse: make the database in the
// bubble, or fork it there. Only [DB.Close] and what returns the past, such as [DB.Requests] and
// [DB.Cost], work on the other side.
//
// # Consistency and partitions
//
// With [Options.Lag] or [DB.SetLag], eventually consistent reads lag behind the writes by a
// duration or until [DB.Settle]. [DB.HotPartitions] returns the partitions with the highest load.
// [DB.LimitPartitions] throttles partitions as DynamoDB would. Load is measured per second. A test
// of it in a bubble does not depend on the speed of the machine.
//
// # Costs
//
// [DB.Budget] fails a test that sends more requests, filtered reads or error replies, or consumes
// more capacity units, than allowed. [DB.StartBudget] is the same without a test. [DB.Cost] and
// [DB.Measure] return the usage, and [DB.Requests] returns the requests that caused it.
//
// # Snapshots and replay
//
// [DB.Snapshot], [DB.Restore] and [DB.Fork] take constant time, whatever the number of items.
// Databases with equal content have the same [DB.Hash].
// [Options.Seed] determines every random decision. The log of a failed test includes the seed if
// there was such a decision. [DB.WriteRecording] and [Replay] repeat what several goroutines did
// concurrently. [Options.FailureRecording] saves the recording when a test fails.
//
// [Options.Storage] keeps the content outside of the memory, so that another process continues with
// it.
//
// # Supported operations
//
// These operations have the limits, errors and capacity units of DynamoDB:
//
//   - GetItem, PutItem, UpdateItem, DeleteItem, Query, Scan, BatchGetItem, BatchWriteItem,
//     TransactGetItems, TransactWriteItems
//   - CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables, UpdateTimeToLive,
//     DescribeTimeToLive, UpdateContinuousBackups, DescribeContinuousBackups, TagResource,
//     UntagResource, ListTagsOfResource, DescribeLimits, DescribeEndpoints
//   - ListBackups, ListExports, ListImports, ListGlobalTables, DescribeContributorInsights and
//     DescribeKinesisStreamingDestination, whose replies are always empty
//   - ExecuteStatement, BatchExecuteStatement, ExecuteTransaction
//   - ListStreams, DescribeStream, GetShardIterator, GetRecords
//
// A statement of PartiQL runs as the operation that it corresponds to, with its limits and capacity
// units. A SELECT whose WHERE does not restrict the whole partition key by equalities or IN runs as
// a Scan: rules, budgets and [DB.Cost] treat it as one. See [Request] and the example of
// [DB.Budget].
//
// The others, such as CreateBackup, return UnknownOperationException. DescribeTable returns the
// TableClass, the SSESpecification, the OnDemandThroughput and the WarmThroughput of a table, but
// they have no effect: no request is throttled because of an OnDemandThroughput, and each KMS key
// exists. Neither have the quotas of DescribeLimits. Other settings, such as ResourcePolicy, are
// rejected with an error that names them.
// Throttling, lag and conflicts occur only if the test configures them.
//
// The parameters that expressions replaced are accepted too: KeyConditions, QueryFilter,
// ScanFilter, ConditionalOperator, Expected, AttributeUpdates and AttributesToGet. As at DynamoDB,
// only KeyConditions can be together with expressions.
package ddbtest

package ddbtest_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// losses are the effects that every operation can meet: whether the request is applied, what a client sees that asks once, and whether the SDK
// asks again.
var losses = []struct {
	effect  ddbtest.Effect
	applied bool
	seen    string
	retried bool
}{
	{ddbtest.Reset, false, "reset", true},
	{ddbtest.Refused, false, "refused", true},
	{ddbtest.InternalError, false, "InternalServerError", true},
	{ddbtest.Unavailable, false, "ServiceUnavailable", true},
	{ddbtest.Throttle(), false, "ProvisionedThroughputExceededException", true},
	{ddbtest.ThrottleAs("ThrottlingException"), false, "ThrottlingException", true},
	{ddbtest.ThrottleAs("RequestLimitExceeded"), false, "RequestLimitExceeded", true},
	{ddbtest.Error("AccessDeniedException", "no", 400), false, "AccessDeniedException", false},
	{ddbtest.AfterCommit(ddbtest.Reset), true, "reset", true},
	{ddbtest.AfterCommit(ddbtest.InternalError), true, "InternalServerError", true},
	{ddbtest.AfterCommit(ddbtest.Unavailable), true, "ServiceUnavailable", true},
	{ddbtest.AfterCommit(ddbtest.Error("GatewayTimeout", "", 504)), true, "GatewayTimeout", true},
	{ddbtest.Truncate, true, "cut", false},
	{ddbtest.Garbage, true, "not decoded", false},
	{ddbtest.WrongChecksum, true, "success", false}, // the SDK only warns
	{ddbtest.Delay(time.Microsecond), true, "success", false},
	{ddbtest.AfterCommit(ddbtest.Delay(time.Microsecond)), true, "success", false},
}

// calls are one of each family of operations; a write that is repeated adds what is said here.
var calls = []struct {
	operation string
	do        func(context.Context, *dynamodb.Client) error
	writes    bool
	repeated  int
}{
	{"GetItem", get, false, 0},
	{"Query", query, false, 0},
	{"PutItem", put, true, 0},
	{"UpdateItem", increment, true, 1},
	{"BatchGetItem", batchGet, false, 0},
	{"BatchWriteItem", batchWrite, true, 0},
	{"TransactGetItems", transactGet, false, 0},
	{"TransactWriteItems", transactWrite, true, 0},
}

// TestWhatTheServerDidAndWhatTheClientSaw puts every loss on every operation.
func TestWhatTheServerDidAndWhatTheClientSaw(t *testing.T) {
	t.Parallel()
	for _, loss := range losses {
		for _, call := range calls {
			t.Run(call.operation+" "+ddbtest.Describe(loss.effect), func(t *testing.T) {
				t.Parallel()
				db := setup(t)
				rule := db.Fail(ddbtest.Op(call.operation), loss.effect, ddbtest.First(1))
				require.Equal(t, loss.seen, seen(call.do(t.Context(), db.Client(once))))
				require.Equal(t, count(call.writes && loss.applied), n(t, db))
				require.Equal(t, 1, rule.Hits())
				require.NoError(t, call.do(t.Context(), db.Client(once)), "the rule acts on the first only")

				db = setup(t)
				db.Fail(ddbtest.Op(call.operation), loss.effect, ddbtest.First(1))
				err := call.do(t.Context(), db.Client())
				require.Equal(t, 1+count(loss.retried), db.Cost().Total(call.operation))
				if loss.retried {
					require.NoError(t, err)
					require.Equal(t, count(call.writes)+call.repeated*count(loss.applied), n(t, db))
				}
			})
		}
	}
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// TestTheSDKGivesUpAfterThreeAttempts as it does with its own defaults.
func TestTheSDKGivesUpAfterThreeAttempts(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.AfterCommit(ddbtest.Reset))
	require.Equal(t, "reset", seen(increment(t.Context(), db.Client())))
	require.Equal(t, 3, n(t, db))
	for i, r := range db.Requests() {
		require.Equal(t, i+1, r.Attempt)
		require.Equal(t, db.Requests()[0].Call, r.Call)
		require.Equal(t, "AfterCommit(Reset)", r.Fault)
	}
}

// TestOverANetworkToo sends requests to a listener.
func TestOverANetworkToo(t *testing.T) {
	t.Parallel()
	for _, loss := range losses {
		db := setup(t)
		server := httptest.NewServer(db)
		client := db.Client(once, func(o *dynamodb.Options) { o.HTTPClient, o.BaseEndpoint = server.Client(), &server.URL })
		rule := db.Fail(ddbtest.Op("UpdateItem"), loss.effect)
		want := loss.seen
		if want == "refused" {
			want = "reset" // the connection is there already
		}
		require.Equal(t, want, seen(increment(t.Context(), client)), ddbtest.Describe(loss.effect))
		require.Equal(t, count(loss.applied), n(t, db))
		rule.Remove()
		require.NoError(t, increment(t.Context(), client))
		server.Close()
	}
}

// TestReasonsOfThrottling reach the client.
func TestReasonsOfThrottling(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded", "TableWriteMaxOnDemandThroughputExceeded"))
	var throttled *types.ProvisionedThroughputExceededException
	require.ErrorAs(t, increment(t.Context(), db.Client(once)), &throttled)
	require.Equal(t, []types.ThrottlingReason{
		{Reason: aws.String("TableWriteKeyRangeThroughputExceeded"), Resource: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things")},
		{Reason: aws.String("TableWriteMaxOnDemandThroughputExceeded"), Resource: aws.String("arn:aws:dynamodb:us-east-1:123456789012:table/things")},
	}, throttled.ThrottlingReasons)
}

// TestConflicts are errors of single writes, and reasons of transactions.
func TestConflicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault  ddbtest.Effect
		single string
		reason string
	}{
		{ddbtest.Conflict, "TransactionConflictException", "TransactionConflict"},
		{ddbtest.CollectionFull, "ItemCollectionSizeLimitExceededException", "ItemCollectionSizeLimitExceeded"},
	} {
		db := setup(t)
		client := db.Client()
		db.Fail(c.fault)
		for _, do := range []func(context.Context, *dynamodb.Client) error{put, increment} {
			require.Equal(t, c.single, seen(do(t.Context(), client)))
		}
		require.Equal(t, []string{c.reason, "None"}, reasons(t, transactWrite(t.Context(), client)))
		db.ClearFaults()
		db.Fail(c.fault, ddbtest.OnKey(attributes{"pk": text("b")}))
		require.Equal(t, []string{"None", c.reason}, reasons(t, transactWrite(t.Context(), client)))
		require.Empty(t, db.Dump(things))
		require.NoError(t, put(t.Context(), client), "another key")
	}
}

// TestCancellation cancels both kinds of transactions for every reason there is.
func TestCancellation(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client()
	for _, reason := range []string{"TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError", "ValidationError"} {
		db.Fail(ddbtest.Cancel(1, reason))
		require.Equal(t, []string{"None", reason}, reasons(t, transactWrite(t.Context(), client)))
		require.Equal(t, []string{"None", reason}, reasons(t, transactGet(t.Context(), client)))
		db.ClearFaults()
	}
	for _, reason := range []string{"ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded"} {
		db.Fail(ddbtest.Cancel(0, reason), ddbtest.Cancel(1, "ThrottlingError"))
		require.Equal(t, []string{reason, "ThrottlingError"}, reasons(t, transactWrite(t.Context(), client)))
		require.NoError(t, transactGet(t.Context(), client))
		db.ClearFaults()
	}
	require.Empty(t, db.Dump(things))
	require.NoError(t, transactWrite(t.Context(), client))
}

// TestErrorsOfTheirOwn are typed errors of the SDK, and nothing is applied.
func TestErrorsOfTheirOwn(t *testing.T) {
	t.Parallel()
	db := setup(t)
	client := db.Client(once)
	db.Fail(ddbtest.InProgress)
	db.Fail(ddbtest.ReplicatedWriteConflict, ddbtest.Op("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"))
	var inProgress *types.TransactionInProgressException
	require.ErrorAs(t, transactWrite(t.Context(), client), &inProgress)
	for _, do := range []func(context.Context, *dynamodb.Client) error{put, increment, batchWrite} {
		var conflict *types.ReplicatedWriteConflictException
		require.ErrorAs(t, do(t.Context(), client), &conflict)
	}
	require.Empty(t, db.Dump(things))
}

// TestUnprocessed leaves parts of batches undone, and says which.
func TestUnprocessed(t *testing.T) {
	t.Parallel()
	b := ddbtest.OnKey(attributes{"pk": text("b")})
	for name, c := range map[string]struct {
		parts []ddbtest.Part
		left  int
	}{
		"one":  {[]ddbtest.Part{ddbtest.Unprocessed(1)}, 1},
		"many": {[]ddbtest.Part{ddbtest.Unprocessed(7)}, 3},
		"all":  {[]ddbtest.Part{ddbtest.Unprocessed(ddbtest.All)}, 3},
		"key":  {[]ddbtest.Part{ddbtest.Unprocessed(ddbtest.All), b}, 1},
		"rate": {[]ddbtest.Part{ddbtest.UnprocessedRate(1)}, 3},
	} {
		db := setup(t)
		client := db.Client()
		db.Fail(c.parts...)
		out, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
			{PutRequest: &types.PutRequest{Item: thing("a", 1)}}, {PutRequest: &types.PutRequest{Item: thing("a", 2)}},
			{PutRequest: &types.PutRequest{Item: thing("b", 1)}},
		}}})
		require.NoError(t, err)
		require.Len(t, out.UnprocessedItems[things], c.left, name)
		require.Len(t, db.Dump(things), 3-c.left, name)

		db.ClearFaults()
		require.NoError(t, batchWrite(t.Context(), client))
		db.Fail(c.parts...)
		read, err := client.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			things: {Keys: []attributes{thing("a", 1), thing("a", 2), thing("b", 1)}},
		}})
		require.NoError(t, err)
		require.Len(t, read.UnprocessedKeys[things].Keys, c.left, name)
		require.Len(t, read.Responses[things], 3-c.left, name)
	}
}

// TestPagesThatAreEmptyOrCut lose nothing: all items come, only later.
func TestPagesThatAreEmptyOrCut(t *testing.T) {
	t.Parallel()
	for _, pages := range []struct {
		want  int
		parts []ddbtest.Part
	}{
		{1, []ddbtest.Part{ddbtest.OnTable("another"), ddbtest.EmptyPage}},
		{6, []ddbtest.Part{ddbtest.CutPage(2)}}, // the fifth has the last two, and a key
		{2, []ddbtest.Part{ddbtest.EmptyPage, ddbtest.Nth(1)}},
		{2, []ddbtest.Part{ddbtest.CutPage(9), ddbtest.Times(1)}},
	} {
		db := setup(t)
		for i := range 10 {
			db.Load(t, things, thing("a", i))
		}
		db.Fail(pages.parts...)
		var sorts []string
		count := 0
		for p := dynamodb.NewQueryPaginator(db.Client(), queryInput("a")); p.HasMorePages(); count++ {
			page, err := p.NextPage(t.Context())
			require.NoError(t, err)
			for _, item := range page.Items {
				sorts = append(sorts, item["sk"].(*types.AttributeValueMemberN).Value)
			}
		}
		require.Equal(t, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, sorts)
		require.Equal(t, pages.want, count)
		require.Equal(t, pages.want, db.Cost().Pages)

		count = 0
		for p := dynamodb.NewScanPaginator(db.Client(), &dynamodb.ScanInput{TableName: aws.String(things)}); p.HasMorePages(); {
			page, err := p.NextPage(t.Context())
			require.NoError(t, err)
			count += len(page.Items)
		}
		require.Equal(t, 10, count)
	}
}

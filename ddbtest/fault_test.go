package ddbtest_test

import (
	"context"
	"math"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// TestThreeAttempts matches the SDK's defaults.
func TestThreeAttempts(t *testing.T) {
	t.Parallel()
	db := setup(t)
	db.Fail(ddbtest.AfterCommit(ddbtest.Reset))
	require.Equal(t, "reset", resultOf(increment(t.Context(), db.Client())))
	require.Equal(t, 3, n(t, db))
	for i, r := range db.Requests() {
		require.Equal(t, i+1, r.Attempt)
		require.Equal(t, db.Requests()[0].Call, r.Call)
		require.Equal(t, "AfterCommit(Reset)", r.Fault)
	}
}

// TestConflicts covers the errors of single writes and the cancellation reasons of transactions.
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
			require.Equal(t, c.single, resultOf(do(t.Context(), client)))
		}
		require.Equal(t, []string{c.reason, "None"}, reasons(t, transactWrite(t.Context(), client)))
		db.ClearFaults()
		db.Fail(c.fault, ddbtest.OnKey(attributes{"pk": text("b")}))
		require.Equal(t, []string{"None", c.reason}, reasons(t, transactWrite(t.Context(), client)))
		require.Empty(t, db.Dump(things))
		require.NoError(t, put(t.Context(), client), "another key")
	}
}

// TestCancellation cancels both kinds of transactions for every reason.
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

// TestError checks that the errors have their types in the SDK and that nothing is
// applied.
func TestError(t *testing.T) {
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

// TestUnprocessed checks which parts of batches are unprocessed.
func TestUnprocessed(t *testing.T) {
	t.Parallel()
	b := ddbtest.OnKey(attributes{"pk": text("b")})
	for name, c := range map[string]struct {
		options []ddbtest.RuleOption
		left    int
	}{
		"one":  {[]ddbtest.RuleOption{ddbtest.Unprocessed(1)}, 1},
		"many": {[]ddbtest.RuleOption{ddbtest.Unprocessed(7)}, 3},
		"all":  {[]ddbtest.RuleOption{ddbtest.Unprocessed(100)}, 3},
		"key":  {[]ddbtest.RuleOption{ddbtest.Unprocessed(100), b}, 1},
		"rate": {[]ddbtest.RuleOption{ddbtest.UnprocessedRate(1)}, 3},
	} {
		db := setup(t)
		client := db.Client()
		db.Fail(c.options...)
		out, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
			{PutRequest: &types.PutRequest{Item: thing("a", 1)}}, {PutRequest: &types.PutRequest{Item: thing("a", 2)}},
			{PutRequest: &types.PutRequest{Item: thing("b", 1)}},
		}}})
		require.NoError(t, err)
		require.Len(t, out.UnprocessedItems[things], c.left, name)
		require.Len(t, db.Dump(things), 3-c.left, name)

		db.ClearFaults()
		require.NoError(t, batchWrite(t.Context(), client))
		db.Fail(c.options...)
		read, err := client.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			things: {Keys: []attributes{thing("a", 1), thing("a", 2), thing("b", 1)}},
		}})
		require.NoError(t, err)
		require.Len(t, read.UnprocessedKeys[things].Keys, c.left, name)
		require.Len(t, read.Responses[things], 3-c.left, name)
	}
}

// TestEmptyPageAndCutPage checks that all items are returned in the end.
func TestEmptyPageAndCutPage(t *testing.T) {
	t.Parallel()
	for _, pages := range []struct {
		want    int
		options []ddbtest.RuleOption
	}{
		{1, []ddbtest.RuleOption{ddbtest.OnTable("another"), ddbtest.EmptyPage}},
		// the fifth has the last two items and a LastEvaluatedKey
		{6, []ddbtest.RuleOption{ddbtest.CutPage(2)}},
		{2, []ddbtest.RuleOption{ddbtest.EmptyPage, ddbtest.Nth(1)}},
		{2, []ddbtest.RuleOption{ddbtest.CutPage(9), ddbtest.Times(1)}},
	} {
		db := setup(t)
		createThings(t, db, "another")
		for i := range 10 {
			db.Load(t, things, thing("a", i))
		}
		db.Fail(pages.options...)
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

// TestCancellationReturnsOldItem checks that it does so if the action asks for it.
func TestCancellationReturnsOldItem(t *testing.T) {
	t.Parallel()
	db := setup(t)
	item := thing("a", 1, attributes{"n": number(7)})
	db.Load(t, things, item)
	db.Fail(ddbtest.Cancel(0, "ConditionalCheckFailed"), ddbtest.Cancel(1, "ConditionalCheckFailed"), ddbtest.Cancel(2, "ConditionalCheckFailed"))
	put := func(item attributes, onFailure types.ReturnValuesOnConditionCheckFailure) types.TransactWriteItem {
		return types.TransactWriteItem{Put: &types.Put{TableName: aws.String(things), Item: item, ReturnValuesOnConditionCheckFailure: onFailure}}
	}
	_, err := db.Client().TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		put(thing("a", 1), "ALL_OLD"), put(thing("a", 2), "ALL_OLD"),
		{Update: &types.Update{TableName: aws.String(things), Key: thing("b", 1), UpdateExpression: aws.String("REMOVE n")}},
	}})
	var canceled *types.TransactionCanceledException
	require.ErrorAs(t, err, &canceled)
	require.Equal(t, item, canceled.CancellationReasons[0].Item)
	require.Empty(t, canceled.CancellationReasons[1].Item)
	require.Empty(t, canceled.CancellationReasons[2].Item)
}

// TestHitsOnlyIfApplied also checks that the log does not name the effect.
func TestHitsOnlyIfApplied(t *testing.T) {
	t.Parallel()
	done := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("done"), TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String(things), Item: thing("a", 1)}},
	}}
	for name, c := range map[string]struct {
		effect ddbtest.Effect
		do     func(context.Context, *dynamodb.Client) error
	}{
		"a transaction that was done": {ddbtest.Conflict, func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.TransactWriteItems(ctx, done)
			return err
		}},
		"a query without a sort key": {ddbtest.EmptyPage, func(ctx context.Context, c *dynamodb.Client) error {
			in := queryInput("a")
			in.TableName = aws.String("singles")
			out, err := c.Query(ctx, in)
			require.Len(t, out.Items, 1)
			return err
		}},
		"a scan that finds nothing": {ddbtest.EmptyPage, func(ctx context.Context, c *dynamodb.Client) error {
			_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(things), IndexName: aws.String("byColor")})
			return err
		}},
		"a page that is shorter": {ddbtest.CutPage(5), query},
		"nothing by chance":      {ddbtest.UnprocessedRate(0), batchGet},
	} {
		db := setup(t)
		singles := thingsTable()
		singles.TableName, singles.KeySchema, singles.GlobalSecondaryIndexes = aws.String("singles"), singles.KeySchema[:1], nil
		singles.AttributeDefinitions = singles.AttributeDefinitions[:1]
		db.CreateTable(t, singles)
		db.Load(t, "singles", attributes{"pk": text("a")})
		_, err := db.Client().TransactWriteItems(t.Context(), done)
		require.NoError(t, err)
		rule := db.Fail(c.effect)
		require.NoError(t, c.do(t.Context(), db.Client()), name)
		require.Zero(t, rule.Hits(), name)
		test := new(fakeTest)
		rule.MustHit(test)
		test.end()
		require.Len(t, test.failures, 1, name)
		require.Contains(t, test.failures[0], "its effects did not apply", name)
		last := db.Requests()
		require.Empty(t, last[len(last)-1].Fault, name)
	}
}

// TestEmptyPageOfScanWithoutSortKey covers tables without a sort key, whose keys have no order in a
// scan.
func TestEmptyPageOfScanWithoutSortKey(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	for _, kind := range []types.ScalarAttributeType{"S", "N", "B"} {
		table := aws.String("singles" + string(kind))
		db.CreateTable(t, &dynamodb.CreateTableInput{
			TableName:            table,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: kind}},
			KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
		})
		for i := range 20 {
			key := strconv.Itoa(i * i)
			db.Load(t, *table, attributes{"pk": map[types.ScalarAttributeType]types.AttributeValue{
				"S": text(key), "N": number(i * i), "B": &types.AttributeValueMemberB{Value: []byte(key)},
			}[kind]})
		}
		rule := db.Fail(ddbtest.EmptyPage, ddbtest.OnTable(*table), ddbtest.First(2))
		found, pages := 0, 0
		for p := dynamodb.NewScanPaginator(db.Client(), &dynamodb.ScanInput{TableName: table}); p.HasMorePages(); pages++ {
			page, err := p.NextPage(t.Context())
			require.NoError(t, err)
			require.Equal(t, pages > 1, len(page.Items) > 0)
			found += len(page.Items)
		}
		require.Equal(t, []int{3, 20, 2}, []int{pages, found, rule.Hits()})
	}
}

// TestFor checks that the rule ends with its time.
func TestFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.Advance(time.Hour)
		outage := db.Fail(ddbtest.Unavailable, ddbtest.For(time.Minute))
		require.NoError(t, outage.Err())
		for _, want := range []string{"ServiceUnavailable", "ServiceUnavailable", "success", "success"} {
			require.Equal(t, want, resultOf(get(t.Context(), db.Client(once))))
			<-time.After(10 * time.Second)
			db.Advance(20 * time.Second)
		}
		require.Equal(t, 2, outage.Hits())
		require.Error(t, ddbtest.New(ddbtest.Options{}).Fail(ddbtest.Unavailable, ddbtest.For(0)).Err())
	})
}

// TestDelayOverflow checks that they do not end at once.
func TestDelayOverflow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := setup(t)
		db.Fail(ddbtest.Delay(math.MaxInt64))
		db.Fail(ddbtest.Delay(1))
		brief, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		require.Equal(t, "gone", resultOf(increment(brief, db.Client(once))))
	})
}

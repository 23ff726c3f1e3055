package ddbtest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// caller is a client of both services, with parameters that some requests need.
type caller struct {
	*dynamodb.Client
	streams   *dynamodbstreams.Client
	tableARN  *string
	streamARN *string
	shard     *string
	iterator  *string
}

// operation describes one operation of the service.
type operation struct {
	name string
	do   func(context.Context, *caller) (shows string, err error)
	// reports whether it was applied; nil if nothing shows it
	applied          func(*testing.T, *ddbtest.DB, *caller) bool
	resultIfRepeated string // what the client observes if it was applied before
}

func operations() []operation {
	return []operation{
		{"GetItem", withoutResult(get), wasRead, ""},
		{"PutItem", withoutResult(put), wasWritten, ""},
		{"UpdateItem", withoutResult(increment), wasWritten, ""},
		{"DeleteItem", deleteOldItem, oldItemIsDeleted, ""},
		{"Query", showQuery, wasRead, ""},
		{"Scan", showScan, wasRead, ""},
		{"BatchGetItem", showBatchGet, wasRead, ""},
		{"BatchWriteItem", showBatchWrite, wasWritten, ""},
		{"TransactGetItems", withoutResult(transactGet), wasRead, ""},
		{"TransactWriteItems", withoutResult(transactWrite), wasWritten, ""},

		{"CreateTable", createOther, otherTableExists, "ResourceInUseException"},
		{"DescribeTable", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"DeleteTable", deleteThings, thingsAreDeleted, "ResourceNotFoundException"},
		{"UpdateTable", enableProtection, isProtected, ""},
		{"ListTables", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.ListTables(ctx, &dynamodb.ListTablesInput{})
			return err
		}), nil, ""},
		{"UpdateTimeToLive", enableTTL, ttlIsEnabled, "ValidationException"},
		{"DescribeTimeToLive", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"UpdateContinuousBackups", enableRecovery, recoveryIsEnabled, ""},
		{"DescribeContinuousBackups", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"TagResource", tag, isTagged("new"), ""},
		{"UntagResource", untag, tagIsDeleted("old"), ""},
		{"ListTagsOfResource", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: c.tableARN})
			return err
		}), nil, ""},

		{"ListBackups", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.ListBackups(ctx, &dynamodb.ListBackupsInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"ListExports", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.ListExports(ctx, &dynamodb.ListExportsInput{})
			return err
		}), nil, ""},
		{"ListImports", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.ListImports(ctx, &dynamodb.ListImportsInput{})
			return err
		}), nil, ""},
		{"ListGlobalTables", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.ListGlobalTables(ctx, &dynamodb.ListGlobalTablesInput{})
			return err
		}), nil, ""},
		{"DescribeContributorInsights", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"DescribeKinesisStreamingDestination", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeKinesisStreamingDestination(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"DescribeLimits", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeLimits(ctx, &dynamodb.DescribeLimitsInput{})
			return err
		}), nil, ""},
		{"DescribeEndpoints", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.DescribeEndpoints(ctx, &dynamodb.DescribeEndpointsInput{})
			return err
		}), nil, ""},

		{"ListStreams", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.streams.ListStreams(ctx, &dynamodbstreams.ListStreamsInput{TableName: aws.String(things)})
			return err
		}), nil, ""},
		{"DescribeStream", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: c.streamARN})
			return err
		}), nil, ""},
		{"GetShardIterator", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.streams.GetShardIterator(ctx, c.iterate())
			return err
		}), nil, ""},
		{"GetRecords", callerWithoutResult(func(ctx context.Context, c *caller) error {
			_, err := c.streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: c.iterator})
			return err
		}), nil, ""},
	}
}

// newFullDatabase makes a database in which every operation succeeds: it has a table with a stream,
// a tag and the thing old, 1.
func newFullDatabase(t *testing.T) *ddbtest.DB {
	t.Helper()
	db := ddbtest.Start(t)
	in := thingsTable()
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage}
	in.Tags = []types.Tag{{Key: aws.String("old"), Value: aws.String("tag")}}
	db.CreateTable(t, in)
	db.Load(t, things, thing("old", 1), thing("a", 3, attributes{"n": number(0)}))
	return db
}

// callerOf makes clients with a retryer.
func callerOf(t *testing.T, db *ddbtest.DB, retryer aws.Retryer) *caller {
	t.Helper()
	table, err := db.Client().DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(things)})
	require.NoError(t, err)
	stream, err := db.StreamsClient().DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: table.Table.LatestStreamArn})
	require.NoError(t, err)
	c := &caller{
		Client: db.Client(func(o *dynamodb.Options) {
			if retryer != nil {
				o.Retryer = retryer
			}
		}),
		streams: db.StreamsClient(func(o *dynamodbstreams.Options) {
			if retryer != nil {
				o.Retryer = retryer
			}
		}),
		tableARN: table.Table.TableArn, streamARN: table.Table.LatestStreamArn, shard: stream.StreamDescription.Shards[0].ShardId,
	}
	iterator, err := db.StreamsClient().GetShardIterator(t.Context(), c.iterate())
	require.NoError(t, err)
	c.iterator = iterator.ShardIterator
	return c
}

func (c *caller) iterate() *dynamodbstreams.GetShardIteratorInput {
	return &dynamodbstreams.GetShardIteratorInput{StreamArn: c.streamARN, ShardId: c.shard, ShardIteratorType: "TRIM_HORIZON"}
}

type operationFunc = func(context.Context, *caller) (string, error)

// withoutResult returns an operation that shows only its success.
func withoutResult(do func(context.Context, *dynamodb.Client) error) operationFunc {
	return func(ctx context.Context, c *caller) (string, error) { return "", do(ctx, c.Client) }
}

func callerWithoutResult(do func(context.Context, *caller) error) operationFunc {
	return func(ctx context.Context, c *caller) (string, error) { return "", do(ctx, c) }
}

func showQuery(ctx context.Context, c *caller) (string, error) {
	in := queryInput("old")
	in.ConsistentRead = aws.Bool(true)
	out, err := c.Query(ctx, in)
	if err != nil {
		return "", err
	}
	return showPage(out.Count, out.LastEvaluatedKey), nil
}

func showScan(ctx context.Context, c *caller) (string, error) {
	out, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String(things)})
	if err != nil {
		return "", err
	}
	return showPage(out.Count, out.LastEvaluatedKey), nil
}

func showPage(count int32, last attributes) string {
	return fmt.Sprintf("%d items, more %t", count, last != nil)
}

func showBatchGet(ctx context.Context, c *caller) (string, error) {
	out, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		things: {Keys: []attributes{thing("old", 1), thing("a", 1), thing("a", 3)}},
	}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d left", len(out.UnprocessedKeys[things].Keys)), nil
}

func showBatchWrite(ctx context.Context, c *caller) (string, error) {
	out, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{things: {
		{PutRequest: &types.PutRequest{Item: thing("a", 1, attributes{"n": number(1)})}},
		{DeleteRequest: &types.DeleteRequest{Key: thing("a", 2)}},
		{PutRequest: &types.PutRequest{Item: thing("b", 1)}},
	}}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d left", len(out.UnprocessedItems[things])), nil
}

// The functions that report whether an operation was applied.

func wasRead(_ *testing.T, db *ddbtest.DB, _ *caller) bool { return db.Cost().ReadUnits > 0 }

func wasWritten(t *testing.T, db *ddbtest.DB, _ *caller) bool { return n(t, db) > 0 }

func deleteOldItem(ctx context.Context, c *caller) (string, error) {
	_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(things), Key: thing("old", 1)})
	return "", err
}

func oldItemIsDeleted(_ *testing.T, db *ddbtest.DB, _ *caller) bool { return len(db.Dump(things)) == 1 }

func createOther(ctx context.Context, c *caller) (string, error) {
	in := thingsTable()
	in.TableName, in.BillingMode = aws.String("other"), types.BillingModePayPerRequest
	_, err := c.CreateTable(ctx, in)
	return "", err
}

func tables(t *testing.T, c *caller) []string {
	t.Helper()
	out, err := c.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
	return out.TableNames
}

func otherTableExists(t *testing.T, _ *ddbtest.DB, c *caller) bool { return len(tables(t, c)) == 2 }

func deleteThings(ctx context.Context, c *caller) (string, error) {
	_, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(things)})
	return "", err
}

func thingsAreDeleted(t *testing.T, _ *ddbtest.DB, c *caller) bool { return len(tables(t, c)) == 0 }

func enableProtection(ctx context.Context, c *caller) (string, error) {
	_, err := c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String(things), DeletionProtectionEnabled: aws.Bool(true)})
	return "", err
}

func isProtected(t *testing.T, _ *ddbtest.DB, c *caller) bool {
	out, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(things)})
	require.NoError(t, err)
	return aws.ToBool(out.Table.DeletionProtectionEnabled)
}

func enableTTL(ctx context.Context, c *caller) (string, error) {
	_, err := c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String(things), TimeToLiveSpecification: ttlOf("until")})
	return "", err
}

func ttlIsEnabled(t *testing.T, _ *ddbtest.DB, c *caller) bool {
	out, err := c.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(things)})
	require.NoError(t, err)
	return out.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled
}

func enableRecovery(ctx context.Context, c *caller) (string, error) {
	_, err := c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String(things), PointInTimeRecoverySpecification: recovery(true),
	})
	return "", err
}

func recoveryIsEnabled(t *testing.T, _ *ddbtest.DB, c *caller) bool {
	out, err := c.DescribeContinuousBackups(t.Context(), &dynamodb.DescribeContinuousBackupsInput{TableName: aws.String(things)})
	require.NoError(t, err)
	return out.ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled
}

func tag(ctx context.Context, c *caller) (string, error) {
	_, err := c.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: c.tableARN, Tags: []types.Tag{{Key: aws.String("new"), Value: aws.String("tag")}}})
	return "", err
}

func untag(ctx context.Context, c *caller) (string, error) {
	_, err := c.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: c.tableARN, TagKeys: []string{"old"}})
	return "", err
}

func isTagged(key string) func(*testing.T, *ddbtest.DB, *caller) bool {
	return func(t *testing.T, _ *ddbtest.DB, c *caller) bool {
		t.Helper()
		out, err := c.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: c.tableARN})
		require.NoError(t, err)
		for _, tag := range out.Tags {
			if aws.ToString(tag.Key) == key {
				return true
			}
		}
		return false
	}
}

func tagIsDeleted(key string) func(*testing.T, *ddbtest.DB, *caller) bool {
	has := isTagged(key)
	return func(t *testing.T, db *ddbtest.DB, c *caller) bool { return !has(t, db, c) }
}

package ddbtest_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
)

// session is a client of one engine with its own database.
type session struct {
	*testing.T
	client *dynamodb.Client
	local  bool // the engine is DynamoDB Local
	table  string
}

// onEveryEngine runs a test with a table on each available engine.
func onEveryEngine(t *testing.T, table *dynamodb.CreateTableInput, f func(*session)) {
	t.Helper()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		s := &session{T: t, client: e.Client(t), local: e.Name == engines.DynamoDBLocal}
		s.create(table)
		f(s)
	})
}

// onDDBTest runs a test only on ddbtest, because DynamoDB Local is known to differ from the
// service.
func onDDBTest(t *testing.T, table *dynamodb.CreateTableInput) *session {
	t.Helper()
	s := &session{T: t, client: ddbtest.Client(t)}
	s.create(table)
	return s
}

// create creates a table and makes it the table of the session.
func (s *session) create(table *dynamodb.CreateTableInput) {
	s.Helper()
	_, err := s.client.CreateTable(s.Context(), table)
	require.NoError(s, err)
	s.table = *table.TableName
}

// put stores rows with different keys.
func (s *session) put(rows ...attributes) {
	s.Helper()
	if len(rows) == 1 {
		_, err := s.client.PutItem(s.Context(), &dynamodb.PutItemInput{TableName: &s.table, Item: rows[0]})
		require.NoError(s, err)
		return
	}
	writes := make([]types.WriteRequest, len(rows))
	for i, r := range rows {
		writes[i].PutRequest = &types.PutRequest{Item: r}
	}
	s.inBatches(writes)
}

// remove deletes the rows with these keys.
func (s *session) remove(keys ...attributes) {
	s.Helper()
	writes := make([]types.WriteRequest, len(keys))
	for i, key := range keys {
		writes[i].DeleteRequest = &types.DeleteRequest{Key: key}
	}
	s.inBatches(writes)
}

func (s *session) inBatches(writes []types.WriteRequest) {
	s.Helper()
	for batch := range slices.Chunk(writes, 25) {
		out, err := s.client.BatchWriteItem(s.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{s.table: batch}})
		require.NoError(s, err)
		require.Empty(s, out.UnprocessedItems)
	}
}

func (s *session) delete(key attributes) {
	s.Helper()
	_, err := s.client.DeleteItem(s.Context(), &dynamodb.DeleteItemInput{TableName: &s.table, Key: key})
	require.NoError(s, err)
}

// update runs an update expression. The values alternate between placeholders and values.
func (s *session) update(key attributes, expression string, values ...any) error {
	s.Helper()
	_, err := s.client.UpdateItem(s.Context(), &updateInput{
		TableName: &s.table, Key: key, UpdateExpression: &expression, ExpressionAttributeValues: nilIfEmpty(row(values...)),
	})
	return err
}

func (s *session) get(key attributes) attributes {
	s.Helper()
	out, err := s.client.GetItem(s.Context(), &dynamodb.GetItemInput{TableName: &s.table, Key: key, ConsistentRead: aws.Bool(true)})
	require.NoError(s, err)
	return out.Item
}

// view describes a query or a scan.
type view struct {
	index    string
	key      string // the key condition; "" means a scan
	filter   string
	names    map[string]string
	values   attributes
	backward bool
	limit    int32
	project  string
	selects  types.Select
	strong   bool
	segment  int32
	segments int32 // of a parallel scan; 0 means none

	between func(*page) // called after each page but the last
}

// page is the result of a query or a scan.
type page struct {
	items          []attributes
	count, scanned int
	last           attributes
	used           *types.ConsumedCapacity
}

// page reads one page.
func (s *session) page(v view, start attributes) (page, error) {
	s.Helper()
	if v.key == "" {
		in := &dynamodb.ScanInput{
			TableName: &s.table, IndexName: ptr(v.index), FilterExpression: ptr(v.filter), ExpressionAttributeNames: v.names,
			ExpressionAttributeValues: nilIfEmpty(v.values), Limit: ptr(v.limit), ProjectionExpression: ptr(v.project), Select: v.selects, ConsistentRead: &v.strong, ExclusiveStartKey: start,
			ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
		}
		if v.segments > 0 {
			in.Segment, in.TotalSegments = &v.segment, &v.segments
		}
		out, err := s.client.Scan(s.Context(), in)
		if err != nil {
			return page{}, err
		}
		return page{out.Items, int(out.Count), int(out.ScannedCount), out.LastEvaluatedKey, out.ConsumedCapacity}, nil
	}
	out, err := s.client.Query(s.Context(), &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr(v.index), KeyConditionExpression: &v.key, FilterExpression: ptr(v.filter),
		ExpressionAttributeNames: v.names, ExpressionAttributeValues: nilIfEmpty(v.values), Limit: ptr(v.limit), ProjectionExpression: ptr(v.project), Select: v.selects,
		ConsistentRead: &v.strong, ScanIndexForward: aws.Bool(!v.backward), ExclusiveStartKey: start,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	if err != nil {
		return page{}, err
	}
	return page{out.Items, int(out.Count), int(out.ScannedCount), out.LastEvaluatedKey, out.ConsumedCapacity}, nil
}

// manyPages is more pages than any test has.
const manyPages = 1000

// pages reads all pages.
func (s *session) pages(v view) []page {
	s.Helper()
	var pages []page
	for start := attributes(nil); ; {
		require.Less(s, len(pages), manyPages)
		p, err := s.page(v, start)
		require.NoError(s, err)
		pages = append(pages, p)
		if start = p.last; start == nil {
			return pages
		}
		if v.between != nil {
			v.between(&p)
		}
	}
}

// all reads the items of all pages.
func (s *session) all(v view) []attributes {
	s.Helper()
	var items []attributes
	for _, p := range s.pages(v) {
		items = append(items, p.items...)
	}
	return items
}

// each returns one attribute of all items as text.
func each(items []attributes, name string) []string {
	list := []string{}
	for _, item := range items {
		list = append(list, textOf(item[name]))
	}
	return list
}

func textOf(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return string(v.Value)
	default:
		return ""
	}
}

// records returns all records of the table's stream.
func (s *session) records() (names []string) {
	s.Helper()
	o := s.client.Options()
	client := dynamodbstreams.New(dynamodbstreams.Options{
		HTTPClient: o.HTTPClient, BaseEndpoint: o.BaseEndpoint, Credentials: o.Credentials, Region: o.Region, Retryer: o.Retryer,
	})
	table, err := s.client.DescribeTable(s.Context(), &dynamodb.DescribeTableInput{TableName: &s.table})
	require.NoError(s, err)
	arn := table.Table.LatestStreamArn
	stream, err := client.DescribeStream(s.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	require.NoError(s, err)
	for _, shard := range stream.StreamDescription.Shards {
		at, err := client.GetShardIterator(s.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: "TRIM_HORIZON",
		})
		require.NoError(s, err)
		out, err := client.GetRecords(s.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: at.ShardIterator})
		require.NoError(s, err)
		for _, r := range out.Records {
			names = append(names, string(r.EventName))
		}
	}
	return names
}

// wantCode checks the error code of a request.
func wantCode(t testing.TB, code string, err error, what ...any) {
	t.Helper()
	require.Error(t, err, what...)
	require.Equal(t, code, resultOf(err), what...)
}

const invalid = "ValidationException"

// newRand returns a random source and logs its seed.
func newRand(t testing.TB) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

func nilIfEmpty(values attributes) attributes {
	if len(values) == 0 {
		return nil
	}
	return values
}

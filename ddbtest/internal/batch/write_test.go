package batch_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

func TestWriteSeveralTables(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		write(t, c, writes{texts: {put(text("pk", "a", "x", "1")), put(text("pk", "b"))}, numbers: {put(number("1.0"))}})
		write(t, c, writes{texts: {remove(text("pk", "b")), remove(text("pk", "none")), put(text("pk", "a", "y", "2"))}})
		got := read(t, c, reads{texts: keys(text("pk", "a"), text("pk", "b")), numbers: keys(number("1"), number("2"))})
		require.Equal(t, map[string][]object{texts: {text("pk", "a", "y", "2")}, numbers: {number("1")}}, got)
	})
}

// invalidWrites are requests that are rejected as a whole, and the expected errors.
var invalidWrites = map[string]struct {
	writes  writes
	code    string
	message string
}{
	"an action that is none": {
		writes{texts: {{}}}, "ValidationException",
		"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
	},
	"a put and a delete in one": {
		writes{texts: {{PutRequest: put(text("pk", "a")).PutRequest, DeleteRequest: remove(text("pk", "a")).DeleteRequest}}}, "ValidationException",
		"Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
	},
	"a put twice": {
		writes{texts: {put(text("pk", "a")), put(text("pk", "a", "x", "1"))}}, "ValidationException",
		"Provided list of item keys contains duplicates",
	},
	"a put and a delete of one item": {
		writes{texts: {put(text("pk", "a")), remove(text("pk", "a"))}}, "ValidationException",
		"Provided list of item keys contains duplicates",
	},
	"a number in two spellings": {
		writes{numbers: {put(number("1")), remove(number("1.0"))}}, "ValidationException",
		"Provided list of item keys contains duplicates",
	},
	"no such table": {
		writes{texts: {put(text("pk", "good"))}, "nowhere": {put(text("pk", "a"))}}, "ResourceNotFoundException",
		"Requested resource not found",
	},
	"no key": {
		writes{texts: {put(text("pk", "good")), put(text("x", "1"))}}, "ValidationException",
		"The provided key element does not match the schema",
	},
	"another key": {
		writes{texts: {put(text("pk", "good")), remove(text("pk", "a", "sk", "b"))}}, "ValidationException",
		"The provided key element does not match the schema",
	},
	"a key of another type": {
		writes{texts: {put(text("pk", "good")), put(number("5"))}}, "ValidationException",
		"The provided key element does not match the schema",
	},
	"an empty key": {
		writes{texts: {put(text("pk", "good")), remove(text("pk", ""))}}, "ValidationException",
		"One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
	},
	"a key that is too long": {
		writes{texts: {put(text("pk", "good")), put(text("pk", strings.Repeat("x", 2049)))}}, "ValidationException",
		"One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
	},
	"an index key of another type": {
		writes{texts: {put(text("pk", "good"))}, indexed: {put(object{
			"pk": text("", "a")[""], "sk": text("", "a")[""], "g": &types.AttributeValueMemberN{Value: "5"},
		})}}, "ValidationException",
		"One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: global",
	},
	"an empty index key": {
		writes{texts: {put(text("pk", "good"))}, indexed: {put(text("pk", "a", "sk", "a", "l", ""))}}, "ValidationException",
		"One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty string value. IndexName: local, IndexKey: l",
	},
	"an item that is too large": {
		writes{texts: {put(text("pk", "good")), put(text("pk", "a", "x", strings.Repeat("x", 400<<10)))}}, "ValidationException",
		"Item size has exceeded the maximum allowed size",
	},
	"an item that is too large with its entry": {
		writes{texts: {put(text("pk", "good"))}, indexed: {
			put(text("pk", "a", "sk", "a", "l", "l")), put(text("pk", "a", "sk", "b", "l", "l", "x", strings.Repeat("x", 300<<10))),
		}}, "ValidationException",
		"Item size has exceeded the maximum allowed size",
	},
	"too many over two tables": {
		writes{texts: puts(numbered(13, 0)), "nowhere": puts(numbered(13, 0))}, "ValidationException",
		"Too many items requested for the BatchWriteItem call",
	},
}

func puts(items []object) []types.WriteRequest {
	list := make([]types.WriteRequest, len(items))
	for i, item := range items {
		list[i] = put(item)
	}
	return list
}

func TestAnInvalidWriteRejectsTheBatch(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		for name, r := range invalidWrites {
			_, err := c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: r.writes})
			requireCode(t, r.code, err)
			got := read(t, c, reads{texts: keys(text("pk", "good")), indexed: keys(text("pk", "a", "sk", "a"))})
			require.Equal(t, map[string][]object{texts: {}, indexed: {}}, got, name)
		}
	})
}

func TestErrorMessagesOfWrites(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	for name, r := range invalidWrites {
		_, err := c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: r.writes})
		var serviceErr smithy.APIError
		require.ErrorAs(t, err, &serviceErr, name)
		require.Equal(t, r.message, serviceErr.ErrorMessage(), name)
	}
}

// All tables are looked up first. Then all keys are validated, before anything is written.
func TestOrderOfChecksOfWrites(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	for _, w := range []struct {
		writes writes
		code   string
	}{
		{writes{"nowhere": {put(text("pk", "a")), put(text("pk", "a"))}}, "ResourceNotFoundException"},
		{writes{texts: {put(text("x", "a"))}, "znowhere": {put(text("pk", "a"))}}, "ResourceNotFoundException"},
		{writes{"nowhere": {put(text("pk", "a", "x", strings.Repeat("x", 400<<10)))}}, "ValidationException"},
		{writes{"nowhere": {{}}}, "ValidationException"},
	} {
		_, err := c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: w.writes})
		requireCode(t, w.code, err)
	}
}

func TestCapacityOfWrites(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	out, err := c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{
		RequestItems: writes{
			texts:   {put(text("pk", "a", "x", strings.Repeat("x", 1100))), remove(text("pk", "none"))},
			indexed: {put(text("pk", "a", "sk", "1", "l", "1", "g", "1")), put(text("pk", "a", "sk", "2", "g", "1"))},
		},
		ReturnConsumedCapacity:      types.ReturnConsumedCapacityIndexes,
		ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize,
	})
	require.NoError(t, err)
	units := func(n float64) *types.Capacity { return &types.Capacity{CapacityUnits: &n} }
	require.Equal(t, []types.ConsumedCapacity{
		{
			TableName: ptr(indexed), CapacityUnits: ptr(5.0), Table: units(2),
			LocalSecondaryIndexes:  map[string]types.Capacity{"local": *units(1)},
			GlobalSecondaryIndexes: map[string]types.Capacity{"global": *units(2)},
		},
		{TableName: ptr(texts), CapacityUnits: ptr(3.0), Table: units(3)},
	}, out.ConsumedCapacity)
	require.Equal(t, map[string][]types.ItemCollectionMetrics{
		indexed: {{ItemCollectionKey: text("pk", "a"), SizeEstimateRangeGB: []float64{0, 1}}},
	}, out.ItemCollectionMetrics, "each collection once, and only where there are any")

	out, err = c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: writes{texts: {remove(text("pk", "a"))}}})
	require.NoError(t, err)
	require.Empty(t, out.ConsumedCapacity)
	require.Empty(t, out.ItemCollectionMetrics)
	require.NotNil(t, out.UnprocessedItems)
}

func ptr[T any](v T) *T { return &v }

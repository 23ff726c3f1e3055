package batch_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

func TestReadSeveralTables(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		write(t, c, writes{texts: {put(text("pk", "a", "x", "1", "y", "2")), put(text("pk", "b", "y", "3"))}, numbers: {put(number("1"))}})
		got := read(t, c, reads{
			texts: {
				Keys: []object{text("pk", "a"), text("pk", "none"), text("pk", "b")}, ProjectionExpression: ptr("#x"),
				ExpressionAttributeNames: map[string]string{"#x": "x"},
			},
			numbers: keys(number("2")),
		})
		require.ElementsMatch(t, []object{text("x", "1"), text()}, got[texts], "an item without what was asked for is there, too")
		require.Equal(t, []object{}, got[numbers])
	})
}

var invalidReads = map[string]struct {
	reads   reads
	code    string
	message string
}{
	"a key twice":                 {reads{texts: keys(text("pk", "a"), text("pk", "b"), text("pk", "a"))}, "ValidationException", "Provided list of item keys contains duplicates"},
	"a key twice of no table":     {reads{"nowhere": keys(text("pk", "a"), text("pk", "a"))}, "ValidationException", "Provided list of item keys contains duplicates"},
	"no such table":               {reads{texts: keys(text("pk", "a")), "nowhere": keys(text("pk", "a"))}, "ResourceNotFoundException", "Requested resource not found"},
	"another key":                 {reads{texts: keys(text("x", "a"))}, "ValidationException", "The provided key element does not match the schema"},
	"a key of another type":       {reads{texts: keys(number("1"))}, "ValidationException", "The provided key element does not match the schema"},
	"more than a key":             {reads{texts: keys(text("pk", "a", "x", "1"))}, "ValidationException", "The provided key element does not match the schema"},
	"an empty key":                {reads{texts: keys(text("pk", ""))}, "ValidationException", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
	"a key that is too long":      {reads{texts: keys(text("pk", strings.Repeat("x", 2049)))}, "ValidationException", "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"},
	"too many over two tables":    {reads{texts: keys(numbered(51, 0)...), "nowhere": keys(numbered(50, 0)...)}, "ValidationException", "Too many items requested for the BatchGetItem call"},
	"a projection without a name": {reads{texts: {Keys: []object{text("pk", "a")}, ProjectionExpression: ptr("#x")}}, "ValidationException", "Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; attribute name: #x"},
	"two forms of a projection":   {reads{texts: {Keys: []object{text("pk", "a")}, ProjectionExpression: ptr("a"), AttributesToGet: []string{"a"}}}, "ValidationException", "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"},
	"a path into a key":           {reads{numbers: keys(number("1")), texts: {Keys: []object{text("pk", "a")}, ProjectionExpression: ptr("pk.x")}}, "ValidationException", "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"},
	"a path into an index's key":  {reads{indexed: {Keys: []object{text("pk", "a", "sk", "a")}, ProjectionExpression: ptr("g[0]")}}, "ValidationException", "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: g"},
	"paths that overlap":          {reads{texts: {Keys: []object{text("pk", "a")}, ProjectionExpression: ptr("a, a.b")}}, "ValidationException", "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]"},
}

func TestAnInvalidReadRejectsTheBatch(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		for _, r := range invalidReads {
			_, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: r.reads})
			requireCode(t, r.code, err)
		}
	})
}

// Nothing is read and nothing is charged if one part is rejected.
func TestRejectedReadsCostNothing(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	before := ddbtest.Of(c).Cost()
	for name, r := range invalidReads {
		with := reads{numbers: keys(number("1"))}
		maps.Copy(with, r.reads)
		_, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: with})
		require.Error(t, err, name)
	}
	require.InDelta(t, before.ReadUnits, ddbtest.Of(c).Cost().ReadUnits, 0)
}

func TestErrorMessagesOfReads(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	for name, r := range invalidReads {
		_, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: r.reads})
		var serviceErr smithy.APIError
		require.ErrorAs(t, err, &serviceErr, name)
		require.Equal(t, r.message, serviceErr.ErrorMessage(), name)
	}
}

// DynamoDB Local treats the two spellings as two keys.
func TestEqualNumbersAreOneKey(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	_, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: reads{numbers: keys(number("1"), number("1.0"))}})
	requireCode(t, "ValidationException", err)
}

func TestCapacityOfReads(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	write(t, c, writes{texts: {put(text("pk", "a")), put(text("pk", "b", "x", strings.Repeat("x", 4096)))}})
	three := []object{text("pk", "a"), text("pk", "b"), text("pk", "none")}
	for _, c2 := range []struct {
		of   types.KeysAndAttributes
		want float64
	}{
		{types.KeysAndAttributes{Keys: three}, 0.5 + 1 + 0.5},
		{types.KeysAndAttributes{Keys: three, ProjectionExpression: ptr("pk")}, 0.5 + 1 + 0.5},
		{keys(three...), 1 + 2 + 1},
	} {
		out, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{
			RequestItems: reads{texts: c2.of, numbers: keys(number("1"))}, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
		})
		require.NoError(t, err)
		require.Equal(t, []types.ConsumedCapacity{
			{TableName: ptr(numbers), CapacityUnits: ptr(1.0), Table: &types.Capacity{CapacityUnits: ptr(1.0)}},
			{TableName: ptr(texts), CapacityUnits: ptr(c2.want), Table: &types.Capacity{CapacityUnits: ptr(c2.want)}},
		}, out.ConsumedCapacity)
	}
}

// Beyond 16 MB of items before projection, keys are returned in the request's own form. Requesting
// them again returns the remaining items.
func TestReadsEndAt16MB(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		const size = 300 << 10
		items := numbered(60, size)
		load(t, c, texts, items)
		all := make([]object, len(items))
		for i := range items {
			all[i] = object{"pk": items[i]["pk"]}
		}
		request := types.KeysAndAttributes{
			Keys: all, ConsistentRead: ptr(true), ProjectionExpression: ptr("#k"), ExpressionAttributeNames: map[string]string{"#k": "pk"},
		}
		out, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: reads{texts: request}})
		require.NoError(t, err)
		fits := (16 << 20) / size
		require.Len(t, out.Responses[texts], fits)
		left := out.UnprocessedKeys[texts]
		require.Len(t, left.Keys, len(items)-fits)
		require.ElementsMatch(t, all, append(out.Responses[texts], left.Keys...))
		left.Keys = nil
		request.Keys = nil
		require.Equal(t, request, left)

		again, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: out.UnprocessedKeys})
		require.NoError(t, err)
		require.Empty(t, again.UnprocessedKeys)
		require.ElementsMatch(t, all, append(out.Responses[texts], again.Responses[texts]...))
	})
}

// Reads of one partition end at 1 MB. Other partitions are still read.
func TestReadsOfAPartitionEndAt1MB(t *testing.T) {
	t.Parallel()
	c := ddbtest.Client(t)
	createTables(t, c)
	const size = 256 << 10
	value := strings.Repeat("x", size-len("pk"+"a"+"sk"+"1"+"x"))
	var all []object
	for _, sk := range []string{"1", "2", "3", "4", "5", "6"} {
		load(t, c, indexed, []object{text("pk", "a", "sk", sk, "x", value)})
		all = append(all, text("pk", "a", "sk", sk))
	}
	load(t, c, indexed, []object{text("pk", "b", "sk", "1", "x", value)})
	all = append(all, text("pk", "b", "sk", "1"))
	out, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: reads{indexed: keys(all...)}})
	require.NoError(t, err)
	require.Len(t, out.Responses[indexed], 4+1)
	require.Equal(t, all[4:6], out.UnprocessedKeys[indexed].Keys)
}

// load puts the items one by one, because batches have a limit of their own.
func load(t *testing.T, c *client, table string, items []object) {
	t.Helper()
	for _, item := range items {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: ptr(table), Item: item})
		require.NoError(t, err)
	}
}

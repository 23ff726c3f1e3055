package transact_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"
)

func get(table string, key object) types.TransactGetItem {
	return types.TransactGetItem{Get: &types.Get{TableName: &table, Key: key}}
}

// only adds a projection to a read.
func only(g types.TransactGetItem, projection string) types.TransactGetItem {
	projected := *g.Get
	projected.ProjectionExpression = &projection
	return types.TransactGetItem{Get: &projected}
}

func TestGetInOrder(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		keep(t, c, texts, item("pk", "a", "x", 1, "y", 2), item("pk", "b"))
		keep(t, c, numbers, item("pk", 1))
		out, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			get(numbers, item("pk", 1)), get(texts, item("pk", "none")), only(get(texts, item("pk", "a")), "y"), get(texts, item("pk", "b")),
			only(get(indexed, item("pk", "a", "sk", "b")), "x"),
		}})
		require.NoError(t, err)
		require.Len(t, out.Responses, 5)
		for i, want := range []object{item("pk", 1), nil, item("y", 2), item("pk", "b"), nil} {
			require.Equal(t, want, out.Responses[i].Item)
		}
	})
}

// An item without any projected attribute differs from a missing item.
func TestProjectionWithoutAttributes(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		keep(t, c, texts, item("pk", "a"))
		out, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			only(get(texts, item("pk", "a")), "x"), only(get(texts, item("pk", "none")), "x"),
		}})
		require.NoError(t, err)
		require.Equal(t, []types.ItemResponse{{Item: object{}}, {}}, out.Responses)
	})
}

func TestCapacityOfGets(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	keep(t, c, texts, item("pk", "a", "x", strings.Repeat("x", 4096)), item("pk", "b"))
	out, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{
			get(texts, item("pk", "b")), get(numbers, item("pk", 1)), only(get(texts, item("pk", "a")), "pk"), get(texts, item("pk", "none")),
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	require.NoError(t, err)
	capacity := func(n float64) *types.Capacity { return &types.Capacity{CapacityUnits: &n, ReadCapacityUnits: &n} }
	require.Equal(t, []types.ConsumedCapacity{
		{TableName: ptr(texts), CapacityUnits: ptr(8.0), ReadCapacityUnits: ptr(8.0), Table: capacity(8)},
		{TableName: ptr(numbers), CapacityUnits: ptr(2.0), ReadCapacityUnits: ptr(2.0), Table: capacity(2)},
	}, out.ConsumedCapacity, "in the request's order")
}

func TestInvalidGets(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	keep(t, c, texts, item("pk", "a"))
	a := get(texts, item("pk", "a"))
	for name, r := range map[string]struct {
		gets    []types.TransactGetItem
		code    string
		message string
	}{
		"an item twice": {[]types.TransactGetItem{a, a}, "ValidationException", "Transaction request cannot include multiple operations on one item"},
		"a number in two spellings": {
			[]types.TransactGetItem{get(numbers, item("pk", 1)), get(numbers, item("pk", &types.AttributeValueMemberN{Value: "1.0"}))},
			"ValidationException", "Transaction request cannot include multiple operations on one item",
		},
		"no such table": {[]types.TransactGetItem{a, get("nowhere", item("pk", "a"))}, "ResourceNotFoundException", "Requested resource not found"},
		"an empty key":  {[]types.TransactGetItem{a, get(texts, item("pk", ""))}, "ValidationException", empty},
		"a path into a key": {
			[]types.TransactGetItem{a, get(texts, item("pk", 5)), only(get(indexed, item("pk", "a", "sk", "a")), "sk.x")},
			"ValidationException", scalarKey + "Key: sk",
		},
		"a path into an index's key": {
			[]types.TransactGetItem{a, only(get(indexed, item("pk", "a", "sk", "a")), "x, l[1]")}, "ValidationException", scalarKey + "IndexKey: l",
		},
		"a projection that is none": {
			[]types.TransactGetItem{get("nowhere", item("pk", "a")), only(a, "!!!")},
			"ValidationException", `Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"`,
		},
	} {
		_, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: r.gets})
		var serviceErr smithy.APIError
		require.ErrorAs(t, err, &serviceErr, name)
		require.Equal(t, r.code, serviceErr.ErrorCode(), name)
		require.Equal(t, r.message, serviceErr.ErrorMessage(), name)
	}
}

func TestGetsCanceled(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for _, o := range []object{item("pk", 1), {}, item("x", "a")} {
		_, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			get(texts, item("pk", "a")), get(texts, o), get(indexed, item("pk", "a")), get(texts, item("pk", strings.Repeat("x", 2049))),
		}})
		require.Equal(t, []string{"None", "ValidationError", "None", "None"}, codes(t, err), "the first one cancels alone")
		var canceled *types.TransactionCanceledException
		require.ErrorAs(t, err, &canceled)
		require.Nil(t, canceled.CancellationReasons[0].Message)
		require.Equal(t, mismatch, *canceled.CancellationReasons[1].Message)
	}
}

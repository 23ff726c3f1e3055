package transact_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

var (
	good  = put(item("pk", "good"))
	empty = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
	large = strings.Repeat("x", 400<<10)
)

// scalarKey is the beginning of the error for a path into a key attribute.
const scalarKey = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "

const checkAndDelete = "a check and a delete of one item"

func bytes(n int) types.AttributeValue {
	return &types.AttributeValueMemberB{Value: make([]byte, n)}
}

// invalidTransactions are transactions that are rejected before they start, and the expected
// errors.
var invalidTransactions = map[string]struct {
	actions []action
	code    string
	message string
}{
	"an action that is none": {
		[]action{good, {}}, "ValidationException",
		"Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
	},
	"two actions in one": {
		[]action{good, {Put: put(item("pk", "a")).Put, Delete: remove(item("pk", "a")).Delete}}, "ValidationException",
		"TransactItems can only contain one of Check, Put, Update or Delete",
	},
	"two puts of one item": {
		[]action{good, put(item("pk", "a")), put(item("pk", "a", "x", 1))}, "ValidationException",
		"Transaction request cannot include multiple operations on one item",
	},
	checkAndDelete: {
		[]action{good, check(item("pk", "a"), "attribute_exists(pk)"), remove(item("pk", "a"))}, "ValidationException",
		"Transaction request cannot include multiple operations on one item",
	},
	"no such table": {
		[]action{good, on("nowhere", put(item("pk", "a")))}, "ResourceNotFoundException",
		"Requested resource not found",
	},
	"a condition that is none": {
		[]action{good, check(item("pk", "a"), "attribute_exists(")}, "ValidationException",
		`Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("`,
	},
	"an unused value": {
		[]action{good, check(item("pk", "a"), "attribute_exists(pk)", ":v", "x")}, "ValidationException",
		"Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
	},
	"an empty key to put":    {[]action{good, put(item("pk", ""))}, "ValidationException", empty},
	"an empty key to update": {[]action{good, update(item("pk", ""), "SET x = :x", ":x", 1)}, "ValidationException", empty},
	"an empty key to delete": {[]action{good, remove(item("pk", ""))}, "ValidationException", empty},
	"an empty key to check":  {[]action{good, check(item("pk", ""), "attribute_exists(pk)")}, "ValidationException", empty},
	"an empty index key to put": {
		[]action{good, on(indexed, put(item("pk", "a", "sk", "a", "g", "")))}, "ValidationException",
		"One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty string value. IndexName: global, IndexKey: g",
	},
	"an empty index key to update": {
		[]action{good, on(indexed, update(item("pk", "a", "sk", "a"), "SET l = :l", ":l", ""))}, "ValidationException",
		"One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty string value.",
	},
	"a condition inside a key": {[]action{good, when(put(item("pk", "a")), "attribute_not_exists(pk.x)")}, "ValidationException", scalarKey + "Key: pk"},
	"a condition inside an index's key": {
		[]action{good, on(indexed, when(put(item("pk", "a", "sk", "a")), "attribute_not_exists(g.x)"))}, "ValidationException",
		scalarKey + "IndexKey: g",
	},
	"an update from inside a key": {
		[]action{good, update(item("pk", "a"), "SET x = if_not_exists(pk.x, :x)", ":x", 1)}, "ValidationException", scalarKey + "Key: pk",
	},
	"an update inside an index's key": {
		[]action{good, on(indexed, update(item("pk", "a", "sk", "a"), "SET l.x = :x", ":x", 1))}, "ValidationException", scalarKey + "IndexKey: l",
	},
	"an item that is too large": {
		[]action{good, put(item("pk", "a", "x", large))}, "ValidationException",
		"Item size has exceeded the maximum allowed size",
	},
}

func TestInvalidTransactions(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		for name, r := range invalidTransactions {
			if name == checkAndDelete && ddbtest.Of(c) == nil {
				continue // DynamoDB Local does not detect the duplicate
			}
			requireCode(t, r.code, try(t, c, r.actions...))
			require.Empty(t, stored(t, c, texts, item("pk", "good")), name)
		}
	})
}

func TestErrorMessages(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	for name, r := range invalidTransactions {
		var serviceErr smithy.APIError
		require.ErrorAs(t, try(t, c, r.actions...), &serviceErr, name)
		require.Equal(t, r.message, serviceErr.ErrorMessage(), name)
	}
}

// DynamoDB Local treats the two spellings as two items.
func TestEqualNumbersAreOneItem(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	other := item("pk", &types.AttributeValueMemberN{Value: "1.0"})
	requireCode(t, "ValidationException", try(t, c, on(numbers, put(item("pk", 1))), on(numbers, remove(other))))
}

// Of several errors, the first action's is reported, if the request alone shows it. A missing table
// comes second, a duplicate item third.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	noTable, noCondition := on("nowhere", put(item("pk", "a"))), check(item("pk", "a"), "(")
	tooLarge := put(item("pk", "b", "x", large))
	for _, o := range []struct {
		actions []action
		message string
	}{
		{[]action{noTable, noCondition, tooLarge}, `Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "("`},
		{[]action{noTable, tooLarge, noCondition}, "Item size has exceeded the maximum allowed size"},
		{[]action{noTable, good, good}, "Requested resource not found"},
		{[]action{put(item("pk", 1)), good, good}, "Transaction request cannot include multiple operations on one item"},
		{[]action{put(item("pk", 1)), put(item("pk", ""))}, empty},
		{[]action{when(put(item("pk", "good")), "attribute_exists(pk)"), put(item("pk", ""))}, empty},
		{[]action{check(item("pk", "a"), "attribute_exists(pk.x)"), put(item("pk", ""))}, empty},
		{[]action{check(item("pk", "a"), "attribute_exists(pk.x)"), when(put(item("pk", "good")), "attribute_exists(pk)")}, scalarKey + "Key: pk"},
	} {
		var serviceErr smithy.APIError
		require.ErrorAs(t, try(t, c, o.actions...), &serviceErr)
		require.Equal(t, o.message, serviceErr.ErrorMessage())
	}
}

package item

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// TestErrorsOfWrites checks the error messages. A rejected write changes nothing.
func TestErrorsOfWrites(t *testing.T) {
	t.Parallel()
	const invalid = awserr.CodeValidation
	key := of("pk", "a", "sk", "b")
	large := value.String(strings.Repeat("x", 400<<10))
	nested := value.Value(value.List{})
	for range value.MaxDepth - 1 {
		nested = value.List{nested}
	}
	put := func(item value.Map) Write { return Write{Kind: PutKind, TableName: indexed, Item: item} }
	set := func(update string, pairs ...any) Write {
		return Write{Kind: UpdateKind, TableName: indexed, Item: key, Update: &update, Values: values(pairs...)}
	}
	remove := func(key value.Map) Write { return Write{Kind: DeleteKind, TableName: indexed, Item: key} }
	elsewhere := put(key)
	elsewhere.TableName = "nowhere"
	unused, nameless, absent := put(key), put(key), set("REMOVE x")
	unused.Values = values(":x", 1)
	nameless.Names = map[string]string{"#x": "x"}
	absent.Update, absent.Values = nil, values(":x", 1)
	db := newDB(t)
	was := of("pk", "a", "sk", "b", "n", 1, "deep", nested)
	keep(t, db, indexed, was)
	for _, c := range []struct {
		write         Write
		code, message string
	}{
		{elsewhere, awserr.CodeResourceNotFound, "Requested resource not found"},
		{put(of("pk", "a")), invalid, "One or more parameter values were invalid: Missing the key sk in the item"},
		{put(of("pk", "a", "sk", 1)), invalid, "One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N"},
		{put(of("pk", "a", "sk", "")), invalid, "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"},
		{put(key.With("g", of("x", 1).Get("x"))), invalid, "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: keys"},
		{put(key.With("x", large)), invalid, "Item size has exceeded the maximum allowed size"},
		{put(key.With("x", large[:300<<10]).With("l", of("l", 1).Get("l"))), invalid, "Item size has exceeded the maximum allowed size"},
		{set("SET x = :x", ":x", large), invalid, "Item size to update has exceeded the maximum allowed size"},
		{set("SET x = :x, l = :l", ":x", large[:300<<10], ":l", 1), invalid, "Item size to update has exceeded the maximum allowed size"},
		{set("SET x = deep, deep = :deep, y = :y", ":deep", value.List{nested}, ":y", 1), invalid, "Nesting Levels have exceeded supported limits: Attributes to update cannot be nested more than 32 levels deep"},
		{set("SET sk = :x", ":x", "c"), invalid, "One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"},
		{set("SET g = :x", ":x", 1), invalid, "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: keys"},
		{set("SET x = :x"), invalid, "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :x"},
		{set("SET x = :x", ":x", 1, ":y", 2), invalid, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}"},
		{set("SET n = n + :x", ":x", "1"), invalid, "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S"},
		{set("SET x = nothing"), invalid, "The provided expression refers to an attribute that does not exist in the item"},
		{remove(of("pk", "a")), invalid, "The provided key element does not match the schema"},
		{remove(of("pk", "a", "sk", "b", "x", 1)), invalid, "The provided key element does not match the schema"},
		{unused, invalid, "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"},
		{nameless, invalid, "ExpressionAttributeNames can only be specified when using expressions"},
		{absent, invalid, "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"},
	} {
		if len(c.write.Values) == 0 {
			c.write.Values = nil
		}
		out, err := run(db, c.write, "")
		require.Nil(t, out)
		requireServiceError(t, c.code, c.message, err)
		require.Equal(t, was, stored(t, db, indexed, key))
	}
	for _, kind := range []Kind{PutKind, DeleteKind} {
		for _, mode := range []string{"ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"} {
			_, err := run(db, Write{Kind: kind, TableName: indexed, Item: key}, mode)
			requireServiceError(t, invalid, "ReturnValues can only be ALL_OLD or NONE", err)
		}
	}
	require.Equal(t, was, stored(t, db, indexed, key))
}

// TestErrorsOfReads checks the error messages.
func TestErrorsOfReads(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	for _, c := range []struct {
		in            *api.GetItemInput
		code, message string
	}{
		{&api.GetItemInput{TableName: "nowhere", Key: of("id", 1)}, awserr.CodeResourceNotFound, "Requested resource not found"},
		{&api.GetItemInput{TableName: numbers, Key: of("id", "1")}, awserr.CodeValidation, "The provided key element does not match the schema"},
		{&api.GetItemInput{TableName: numbers, Key: of("id", 1, "x", 1)}, awserr.CodeValidation, "The provided key element does not match the schema"},
		{
			&api.GetItemInput{TableName: numbers, Key: of("id", 1), ExpressionAttributeNames: map[string]string{"#x": "x"}},
			awserr.CodeValidation, "ExpressionAttributeNames can only be specified when using expressions",
		},
		{
			&api.GetItemInput{TableName: numbers, Key: of("id", 1), ProjectionExpression: pointer("y"), ExpressionAttributeNames: map[string]string{"#x": "x"}},
			awserr.CodeValidation, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}",
		},
		{
			&api.GetItemInput{TableName: numbers, Key: of("id", 1), ProjectionExpression: pointer("x, x.y")},
			awserr.CodeValidation, "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [x], path two: [x, y]",
		},
	} {
		out, err := Get(call(db), c.in)
		require.Nil(t, out)
		requireServiceError(t, c.code, c.message, err)
	}
}

// TestCollections checks that each collection is reported once, and only for tables with local
// indexes.
func TestCollections(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	metrics := func(table string, item value.Map, mode string) *api.ItemCollectionMetrics {
		out, err := Put(call(db), &api.PutItemInput{TableName: table, Item: item, Returns: api.Returns{ReturnItemCollectionMetrics: mode}})
		require.NoError(t, err)
		return out.ItemCollectionMetrics
	}
	require.Nil(t, metrics(numbers, of("id", 1), "SIZE"))
	require.Nil(t, metrics(indexed, of("pk", "a", "sk", "b"), ""))
	a, again := metrics(indexed, of("pk", "a", "sk", "b"), "SIZE"), metrics(indexed, of("pk", "a", "sk", "c"), "SIZE")
	b := metrics(indexed, of("pk", "b", "sk", "b"), "SIZE")
	require.Equal(t, of("pk", "a"), a.ItemCollectionKey)
	require.Len(t, a.SizeEstimateRangeGB, 2)
	var all Collections
	all.Add(indexed, nil)
	require.Nil(t, all)
	for _, m := range []*api.ItemCollectionMetrics{a, b, again, nil} {
		all.Add(indexed, m)
	}
	require.Equal(t, Collections{indexed: {a, b}}, all)
}

package ddbtest_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// requireError returns the code of a validation error, which in a transaction may be the reason of
// one action. It returns "" for success.
func requireError(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) {
		return *canceled.CancellationReasons[0].Code
	}
	var apiErr smithy.APIError
	require.ErrorAs(t, err, &apiErr)
	return apiErr.ErrorCode()
}

// requireLimit checks that requests below and at a limit succeed and that those above are invalid.
func requireLimit(t *testing.T, over int, err error, what ...any) {
	t.Helper()
	if over <= 0 {
		require.NoError(t, err, "%v: %+d", what, over)
		return
	}
	require.Contains(t, []string{"ValidationException", "ValidationError"}, requireError(t, err), "%v: %+d", what, over)
}

var around = []int{-1, 0, 1}

const kb = 1 << 10

func TestItemSizeLimit(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	c := limitsClient(t)
	for name, write := range writers {
		for _, over := range around {
			key := fmt.Sprintf("%40s%2d", name, over)
			for kind, item := range map[string]attributes{
				"a text": {"pk": text(key), "x": letters(400*kb - len("pk") - len(key) - len("x") + over)},
				"bytes":  {"pk": text(key), "x": octets(400*kb - len("pk") - len(key) - len("x") + over)},
				"a list": {"pk": text(key), "x": &types.AttributeValueMemberL{Value: []types.AttributeValue{
					letters(400*kb - len("pk") - len(key) - len("x") - 4 + over),
				}}},
				"names": {"pk": text(key), strings.Repeat("n", 60000): letters(400*kb - len("pk") - len(key) - 60000 + over)},
			} {
				requireLimit(t, over, write(t.Context(), c, plain, item, "pk"), name, kind)
				_, err := c.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(plain), Key: attributes{"pk": text(key)}})
				require.NoError(t, err) // an update would keep the previous attributes
			}
		}
	}
}

// TestItemSizeErrors checks that a transaction rejects a put by its size before it
// begins, and an update only after it has read the item.
func TestItemSizeErrors(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for name, want := range map[string]string{
		"PutItem": "ValidationException", "UpdateItem": "ValidationException", "BatchWriteItem": "ValidationException",
		"TransactWriteItems, a put": "ValidationException", "TransactWriteItems, an update": "ValidationError",
	} {
		require.Equal(t, want, requireError(t, writers[name](t.Context(), c, plain, attributes{"pk": text("a"), "x": letters(400 * kb)}, "pk")), name)
	}
}

func TestAttributeNameLimit(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for name, write := range writers {
		for _, over := range around {
			long := strings.Repeat("n", 65535+over)
			requireLimit(t, over, write(t.Context(), c, plain, attributes{"pk": text("a"), long: text("")}, "pk"), name)
			nested := &types.AttributeValueMemberM{Value: attributes{long: text("")}}
			requireLimit(t, over, write(t.Context(), c, plain, attributes{"pk": text("a"), "m": nested}, "pk"), name, "nested")
		}
	}
}

func TestKeyLimits(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for _, over := range around {
		for kind, k := range map[string]struct {
			table string
			key   attributes
		}{
			"a text partition":    {keyed, attributes{"pk": letters(2048 + over), "sk": letters(1)}},
			"a text sort key":     {keyed, attributes{"pk": letters(1), "sk": letters(1024 + over)}},
			"a bytes' partition":  {byBytes, attributes{"pk": octets(2048 + over), "sk": octets(1)}},
			"a bytes' sort key":   {byBytes, attributes{"pk": octets(1), "sk": octets(1024 + over)}},
			"an empty partition":  {keyed, attributes{"pk": letters(max(0, -over)), "sk": letters(1)}},
			"an empty sort key":   {byBytes, attributes{"pk": octets(1), "sk": octets(max(0, -over))}},
			"a key without range": {plain, attributes{"pk": letters(2048 + over)}},
		} {
			if strings.HasPrefix(kind, "an empty") && over == 0 {
				continue // -1 tests the length 1 and +1 tests the length 0
			}
			for name, write := range writers {
				names := slices.Sorted(maps.Keys(k.key))
				requireLimit(t, over, write(t.Context(), c, k.table, k.key, names...), name, kind)
			}
			for name, use := range keyRequests {
				requireLimit(t, over, use(t.Context(), c, k.table, k.key), name, kind)
			}
		}
	}
}

func TestIndexKeyLimits(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for _, over := range around {
		for kind, more := range map[string]attributes{
			"a partition":              {"g": letters(2048 + over), "h": letters(1)},
			"a sort key":               {"g": letters(1), "h": letters(1024 + over)},
			"a partition without sort": {"g": letters(2048 + over)},
			"a local sort key":         {"l": letters(1024 + over)},
			"partitions together":      {"a": letters(1024), "b": letters(1024 + over), "c": letters(1), "d": letters(1)},
			"sort keys together":       {"a": letters(1), "b": letters(1), "c": letters(512), "d": letters(512 + over)},
		} {
			for name, write := range writers {
				item := thingOf(more)
				requireLimit(t, over, write(t.Context(), c, keyed, item, "pk", "sk"), name, kind)
				if over > 0 { // the next write adds the attributes to this item
					require.NoError(t, writers["PutItem"](t.Context(), c, keyed, thingOf(nil)))
				}
			}
		}
	}
	for name, write := range writers {
		for _, v := range []types.AttributeValue{text(""), number(1), octets(1), &types.AttributeValueMemberNULL{Value: true}} {
			requireLimit(t, 1, write(t.Context(), c, keyed, thingOf(attributes{"g": v}), "pk", "sk"), name, v)
		}
	}
}

// thingOf returns an item of the table keyed.
func thingOf(more attributes) attributes {
	item := attributes{"pk": text("a"), "sk": text("b")}
	maps.Copy(item, more)
	return item
}

// nested returns a string inside alternating maps and lists.
func nested(levels int) types.AttributeValue {
	v := text("leaf")
	for i := range levels {
		if i%2 == 0 {
			v = &types.AttributeValueMemberM{Value: attributes{"n": v}}
		} else {
			v = &types.AttributeValueMemberL{Value: []types.AttributeValue{v}}
		}
	}
	return v
}

func TestNestingLimit(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for name, write := range writers {
		for _, over := range around {
			requireLimit(t, over, write(t.Context(), c, plain, attributes{"pk": text("a"), "x": nested(31 + over)}, "pk"), name)
		}
	}
	// an update by a path has one level for x, one for y, and those of the value
	require.NoError(t, writers["PutItem"](t.Context(), c, plain, attributes{"pk": text("a"), "x": &types.AttributeValueMemberM{Value: attributes{}}}))
	for _, over := range around {
		set := &types.Update{
			TableName: aws.String(plain), Key: attributes{"pk": text("a")}, UpdateExpression: aws.String("SET x.y = :v"),
			ExpressionAttributeValues: attributes{":v": nested(30 + over)},
		}
		_, err := c.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: set.TableName, Key: set.Key, UpdateExpression: set.UpdateExpression, ExpressionAttributeValues: set.ExpressionAttributeValues,
		})
		requireLimit(t, over, err)
		requireLimit(t, over, transact(t.Context(), c, types.TransactWriteItem{Update: set}))
	}
}

// some returns keys of the table plain.
func some(prefix string, n int) []attributes {
	list := make([]attributes, n)
	for i := range list {
		list[i] = attributes{"pk": text(fmt.Sprint(prefix, i))}
	}
	return list
}

func TestCountLimits(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for _, over := range around {
		writes := func(n int) (list []types.WriteRequest) {
			for _, key := range some("a", n) {
				list = append(list, types.WriteRequest{PutRequest: &types.PutRequest{Item: key}})
			}
			return list
		}
		_, err := c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{plain: writes(25 + over)}})
		requireLimit(t, over, err, "writes of a table")
		other := []types.WriteRequest{{PutRequest: &types.PutRequest{Item: thingOf(nil)}}}
		_, err = c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{plain: writes(24 + over), keyed: other}})
		requireLimit(t, over, err, "writes of two tables")

		_, err = c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{plain: {Keys: some("a", 100+over)}}})
		requireLimit(t, over, err, "reads of a table")
		_, err = c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			plain: {Keys: some("a", 99+over)}, keyed: {Keys: []attributes{thingOf(nil)}},
		}})
		requireLimit(t, over, err, "reads of two tables")

		var actions []types.TransactWriteItem
		var gets []types.TransactGetItem
		for _, key := range some("a", 100+over) {
			actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: aws.String(plain), Item: key}})
			gets = append(gets, types.TransactGetItem{Get: &types.Get{TableName: aws.String(plain), Key: key}})
		}
		requireLimit(t, over, transact(t.Context(), c, actions...), "actions")
		_, err = c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: gets})
		requireLimit(t, over, err, "gets")
	}
	for what, err := range map[string]error{
		"no writes":  second(c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{plain: {}}})),
		"no reads":   second(c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{plain: {Keys: []attributes{}}}})),
		"no actions": transact(t.Context(), c, []types.TransactWriteItem{}...),
		"no gets":    second(c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{}})),
	} {
		requireLimit(t, 1, err, what)
	}
}

func second[T any](_ T, err error) error { return err }

// parts returns items of the table plain with a total size.
func parts(prefix string, total int) []attributes {
	const largest = 400 * kb
	var list []attributes
	for _, key := range some(prefix, 100) {
		own := len("pk") + len(key["pk"].(*types.AttributeValueMemberS).Value) + len("x")
		size := min(total, largest)
		if rest := total - size; rest > 0 && rest < kb {
			size -= kb // leaves room for the key of the last item
		}
		list = append(list, attributes{"pk": key["pk"], "x": letters(size - own)})
		if total -= size; total == 0 {
			break
		}
	}
	return list
}

// onlyKeys returns the keys of items of the table plain.
func onlyKeys(items []attributes) []attributes {
	keys := make([]attributes, len(items))
	for i, item := range items {
		keys[i] = attributes{"pk": item["pk"]}
	}
	return keys
}

func TestTransactionSizeLimit(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	c := limitsClient(t)
	for _, over := range around {
		items := parts(fmt.Sprint("of", over, "-"), 4<<20+over)
		var puts, updates []types.TransactWriteItem
		var gets []types.TransactGetItem
		spare := 0
		for i, item := range items {
			key := attributes{"pk": item["pk"]}
			puts = append(puts, types.TransactWriteItem{Put: &types.Put{TableName: aws.String(plain), Item: item}})
			gets = append(gets, types.TransactGetItem{Get: &types.Get{TableName: aws.String(plain), Key: key}})
			u := setAll(plain, item, []string{"pk"})
			// the expression counts; a placeholder for a name counts only by that name
			spare += len(*u.UpdateExpression)
			if i == len(items)-1 {
				full := u.ExpressionAttributeValues[":1"].(*types.AttributeValueMemberS).Value
				u.ExpressionAttributeValues[":1"] = letters(len(full) - spare)
			}
			updates = append(updates, types.TransactWriteItem{Update: u})
			require.NoError(t, writers["PutItem"](t.Context(), c, plain, item))
		}
		requireLimit(t, over, transact(t.Context(), c, puts...), "puts")
		_, err := c.TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: gets})
		requireLimit(t, over, err, "gets")
		requireLimit(t, over, transact(t.Context(), c, updates...), "updates")
	}
}

func TestBatchReadLimit(t *testing.T) {
	t.Parallel()
	testsize.SkipRace(t)
	c := limitsClient(t)
	for _, over := range around {
		items := parts(fmt.Sprint("of", over, "-"), 16<<20+over)
		for _, item := range items {
			require.NoError(t, writers["PutItem"](t.Context(), c, plain, item))
		}
		out, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			plain: {Keys: onlyKeys(items), ProjectionExpression: aws.String("pk")},
		}})
		require.NoError(t, err)
		left := max(0, over)
		require.Len(t, out.Responses[plain], len(items)-left)
		require.Len(t, out.UnprocessedKeys[plain].Keys, left)
	}
}

func TestBatchReadLimitOfPartition(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	for _, over := range around {
		var keys []attributes
		for i, size := range []int{400 * kb, 400 * kb, 224*kb + over} {
			item := attributes{"pk": text(fmt.Sprint("of", over)), "sk": text(fmt.Sprint(i))}
			own := len("pk") + len(fmt.Sprint("of", over)) + len("sk") + 1 + len("x")
			keys = append(keys, maps.Clone(item))
			item["x"] = letters(size - own)
			require.NoError(t, writers["PutItem"](t.Context(), c, keyed, item))
		}
		out, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{keyed: {Keys: keys}}})
		require.NoError(t, err)
		require.Len(t, out.UnprocessedKeys[keyed].Keys, max(0, over))
	}
}

func TestTokenLimits(t *testing.T) {
	t.Parallel()
	c := limitsClient(t)
	send := func(token string) error {
		_, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName: aws.String(plain), Key: attributes{"pk": text(fmt.Sprint(len(token)))}, UpdateExpression: aws.String("ADD n :n"),
				ExpressionAttributeValues: attributes{":n": number(1)},
			}}},
			ClientRequestToken: &token,
		})
		return err
	}
	for _, over := range around {
		requireLimit(t, over, send(strings.Repeat("t", 36+over)))
		requireLimit(t, over, send(strings.Repeat("u", 1-over)), "an empty one")
	}
	db := ddbtest.Of(c)
	for _, step := range []struct {
		wait time.Duration
		want string
	}{{0, "1"}, {9*time.Minute + 59*time.Second, "1"}, {time.Minute, "2"}} {
		db.Advance(step.wait)
		require.NoError(t, send("token"))
		out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(plain), Key: attributes{"pk": text("5")}})
		require.NoError(t, err)
		require.Equal(t, &types.AttributeValueMemberN{Value: step.want}, out.Item["n"])
	}
}

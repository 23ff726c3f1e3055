package transact_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

const mismatch = "The provided key element does not match the schema"

// cancellations are actions that cancel their transaction during evaluation, and the expected
// reasons. There is an item a with the number n, the list l and the string x. It has the largest
// allowed size.
var cancellations = map[string]struct {
	action  action
	code    string
	message string
}{
	"a condition that does not hold": {when(put(item("pk", "a")), "attribute_not_exists(pk)"), "ConditionalCheckFailed", "The conditional request failed"},
	"a check that does not hold":     {check(item("pk", "none"), "attribute_exists(pk)"), "ConditionalCheckFailed", "The conditional request failed"},
	"a key of another type to put": {
		put(item("pk", 5)), "ValidationError",
		"One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
	},
	"a key that is no scalar to put": {
		put(item("pk", &types.AttributeValueMemberL{})), "ValidationError",
		"One or more parameter values were invalid: Type mismatch for key pk expected: S actual: L",
	},
	"no key to put":                   {put(item("x", "1")), "ValidationError", "One or more parameter values were invalid: Missing the key pk in the item"},
	"a key of another type to update": {update(item("pk", 5), "SET y = :y", ":y", 1), "ValidationError", mismatch},
	"a key of another type to delete": {remove(item("pk", 5)), "ValidationError", mismatch},
	"a key of another type to check":  {check(item("pk", 5), "attribute_exists(pk)"), "ValidationError", mismatch},
	"half of a key":                   {on(indexed, remove(item("pk", "a"))), "ValidationError", mismatch},
	"an index key of another type to put": {
		on(indexed, put(item("pk", "a", "sk", "a", "g", 5))), "ValidationError",
		"One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: global",
	},
	"an index key of another type to update": {
		on(indexed, update(item("pk", "a", "sk", "a"), "SET l = :l", ":l", 5)), "ValidationError",
		"One or more parameter values were invalid: Type mismatch for Index Key l Expected: S Actual: N IndexName: local",
	},
	"an index key that is too long to update": {
		on(indexed, update(item("pk", "a", "sk", "a"), "SET l = :l", ":l", strings.Repeat("x", 1025))), "ValidationError",
		"The update expression attempted to update the secondary index key beyond allowed size limits",
	},
	"a key that is too long": {
		put(item("pk", strings.Repeat("x", 2049))), "ValidationError",
		"One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
	},
	"an update of a key": {
		update(item("pk", "a"), "SET pk = :v", ":v", "b"), "ValidationError",
		"One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
	},
	"an item that becomes too large": {
		update(item("pk", "a"), "SET y = :y", ":y", 1), "ValidationError",
		"Item size to update has exceeded the maximum allowed size",
	},
	"an attribute that does not exist": {
		update(item("pk", "a"), "SET y = z"), "ValidationError",
		"The provided expression refers to an attribute that does not exist in the item",
	},
	"an operand of another type": {
		update(item("pk", "a"), "SET n = x + :y", ":y", 1), "ValidationError",
		"An operand in the update expression has an incorrect data type",
	},
	"a path into nothing": {
		update(item("pk", "a"), "SET n.y = :y", ":y", 1), "ValidationError",
		"The document path provided in the update expression is invalid for update",
	},
}

func seed(t *testing.T, c *client) {
	t.Helper()
	a := item("pk", "a", "n", 1, "l", &types.AttributeValueMemberL{})
	size := len("pk") + len("a") + len("n") + 2 + len("l") + 3 + len("x")
	a["x"] = &types.AttributeValueMemberS{Value: large[size:]}
	keep(t, c, texts, a)
}

// Each action has its own reason, at any position, and nothing of the transaction is applied.
func TestCancellations(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	seed(t, c)
	for name, r := range cancellations {
		for place := range 3 {
			actions := []action{put(item("pk", "1")), put(item("pk", "2")), check(item("pk", "3"), "attribute_not_exists(pk)")}
			actions[place] = r.action
			err := try(t, c, actions...)
			want := []string{"None", "None", "None"}
			want[place] = r.code
			require.Equal(t, want, codes(t, err), name)
			var canceled *types.TransactionCanceledException
			require.ErrorAs(t, err, &canceled)
			for i, reason := range canceled.CancellationReasons {
				require.Nil(t, reason.Item)
				if i == place {
					require.Equal(t, r.message, *reason.Message, name)
				} else {
					require.Nil(t, reason.Message)
				}
			}
			//nolint:misspell // the service's spelling
			require.Equal(t, "Transaction cancelled, please refer cancellation reasons for specific reasons ["+strings.Join(want, ", ")+"]", canceled.ErrorMessage())
			require.Empty(t, stored(t, c, texts, item("pk", "1")))
			require.Empty(t, stored(t, c, texts, item("pk", "2")))
		}
	}
}

// Actions are checked against their tables before an item is read. Only the first one that fails
// has a reason. DynamoDB Local also checks the others.
func TestOnlyTheFirstInvalidActionIsReported(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	keep(t, c, texts, item("pk", "a"))
	fails := when(put(item("pk", "a")), "attribute_not_exists(pk)")
	for _, misfit := range []action{
		put(item("pk", 5)), update(item("pk", "b"), "SET pk = :v", ":v", "b"), on(indexed, put(item("pk", "b", "sk", "b", "g", 5))),
	} {
		require.Equal(t, []string{"ValidationError", "None", "None"}, codes(t, try(t, c, misfit, put(item("pk", 6)), fails)))
		require.Equal(t, []string{"None", "None", "ValidationError"}, codes(t, try(t, c, fails, put(item("pk", "c")), misfit)))
		require.Equal(t, []string{"None", "ValidationError"}, codes(t, try(t, c, check(item("pk", "d"), "attribute_exists(pk.x)"), misfit)))
	}
	require.Equal(t, []string{"ConditionalCheckFailed", "ValidationError", "None"},
		codes(t, try(t, c, fails, update(item("pk", "b"), "SET x = y"), put(item("pk", "c")))), "the reasons of all actions are returned")
}

func TestSeveralActionsFail(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		keep(t, c, texts, item("pk", "a", "x", 1), item("pk", "b", "x", 2))
		old := when(put(item("pk", "a")), "attribute_not_exists(pk)")
		old.Put.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
		missing := check(item("pk", "none"), "attribute_exists(pk)")
		missing.ConditionCheck.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
		err := try(t, c,
			old,
			put(item("pk", "new")),
			when(remove(item("pk", "b")), "x = :x", ":x", 3),
			missing,
			when(update(item("pk", "c"), "SET x = :x", ":x", 1), "attribute_not_exists(pk)"),
		)
		require.Equal(t, []string{"ConditionalCheckFailed", "None", "ConditionalCheckFailed", "ConditionalCheckFailed", "None"}, codes(t, err))
		var canceled *types.TransactionCanceledException
		require.ErrorAs(t, err, &canceled)
		require.Equal(t, item("pk", "a", "x", 1), canceled.CancellationReasons[0].Item)
		for _, reason := range canceled.CancellationReasons[1:] {
			require.Empty(t, reason.Item)
		}
		require.Equal(t, item("pk", "a", "x", 1), stored(t, c, texts, item("pk", "a")))
		require.Equal(t, item("pk", "b", "x", 2), stored(t, c, texts, item("pk", "b")))
		require.Empty(t, stored(t, c, texts, item("pk", "new")))
		require.Empty(t, stored(t, c, texts, item("pk", "c")))
	})
}

func TestAllActionsTogether(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, c *client) {
		keep(t, c, texts, item("pk", "a", "x", 1), item("pk", "b"), item("pk", "c"))
		require.NoError(t, try(t, c,
			when(update(item("pk", "a"), "SET x = x + :one", ":one", 1), "attribute_exists(x)"),
			when(remove(item("pk", "b")), "attribute_exists(pk)"),
			check(item("pk", "c"), "attribute_not_exists(x)"),
			remove(item("pk", "none")),
			on(numbers, put(item("pk", 1, "x", "y"))),
			on(indexed, update(item("pk", "a", "sk", "a"), "SET g = :g", ":g", "g")),
		))
		require.Equal(t, item("pk", "a", "x", 2), stored(t, c, texts, item("pk", "a")))
		require.Empty(t, stored(t, c, texts, item("pk", "b")))
		require.Equal(t, item("pk", "c"), stored(t, c, texts, item("pk", "c")))
		require.Equal(t, item("pk", 1, "x", "y"), stored(t, c, numbers, item("pk", 1)))
		require.Equal(t, item("pk", "a", "sk", "a", "g", "g"), stored(t, c, indexed, item("pk", "a", "sk", "a")))
	})
}

func TestBinaryKeys(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	require.Equal(t, []string{"ValidationError"}, codes(t, try(t, c, put(item("pk", bytes(1))))))
	requireCode(t, "ValidationException", try(t, c, put(item("pk", bytes(0)))))
	require.Equal(t, []string{"None", "ValidationError"}, codes(t, try(t, c, put(item("pk", "a")), put(item("pk", large[:2049])))))
}

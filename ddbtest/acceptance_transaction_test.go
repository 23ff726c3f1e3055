package ddbtest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/testsize"
)

// randomAction returns a random action on a row, with a condition and the choice whether a failure
// returns the row.
func (s *session) randomAction(r *rand.Rand, key attributes, condition string, old types.ReturnValuesOnConditionCheckFailure) types.TransactWriteItem {
	switch r.IntN(4) {
	case 0:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: &s.table, Item: key, ConditionExpression: &condition, ReturnValuesOnConditionCheckFailure: old,
		}}
	case 1:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: &s.table, Key: key, ConditionExpression: &condition, ReturnValuesOnConditionCheckFailure: old,
		}}
	case 2:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &s.table, Key: key, ConditionExpression: &condition, ReturnValuesOnConditionCheckFailure: old,
		}}
	default:
		return types.TransactWriteItem{Update: &types.Update{
			TableName: &s.table, Key: key, UpdateExpression: aws.String("SET x = :x"), ExpressionAttributeValues: row(":x", 9),
			ConditionExpression: &condition, ReturnValuesOnConditionCheckFailure: old,
		}}
	}
}

// TestCancellationReasons also checks that a reason has its row if the action asks
// for it and the row exists, and that a canceled transaction changes nothing.
func TestCancellationReasons(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		r := newRand(s)
		rows := []attributes{row("pk", "a", "x", 1), row("pk", "b", "x", 2), row("pk", "c", "m", map[string]any{"x": 3}), row("pk", "d"), row("pk", "e", "x", 5)}
		s.put(rows...)
		before := s.all(view{})
		canceled, reordered, withItem := 0, 0, 0
		for range testsize.Pick(60, 120, 300) {
			var actions []types.TransactWriteItem
			var codes []string
			var items []attributes
			for _, i := range r.Perm(8)[:1+r.IntN(7)] {
				key, is := row("pk", fmt.Sprint("none", i)), attributes(nil)
				condition, code := "attribute_not_exists(pk)", "None"
				if i < len(rows) {
					key, is = attributes{"pk": rows[i]["pk"]}, rows[i]
					condition = "attribute_exists(pk)"
				}
				if i == 0 || r.IntN(3) == 0 {
					condition, code = "NOT "+condition, "ConditionalCheckFailed"
				}
				old := types.ReturnValuesOnConditionCheckFailure([]string{"", "NONE", "ALL_OLD"}[r.IntN(3)])
				if code == "None" || old != "ALL_OLD" {
					is = nil
				}
				actions, codes, items = append(actions, s.randomAction(r, key, condition, old)), append(codes, code), append(items, is)
			}
			if !slices.Contains(codes, "ConditionalCheckFailed") {
				continue // this transaction would succeed
			}
			var exception *types.TransactionCanceledException
			require.ErrorAs(s, s.transact(actions...), &exception)
			var gotCodes []string
			var gotItems []attributes
			for _, reason := range exception.CancellationReasons {
				gotCodes, gotItems = append(gotCodes, *reason.Code), append(gotItems, nilIfEmpty(reason.Item))
				require.Equal(s, *reason.Code == "None", reason.Message == nil)
			}
			require.Equal(s, codes, gotCodes)
			require.Equal(s, items, gotItems)
			canceled++
			reversed := slices.Clone(codes)
			if slices.Reverse(reversed); !slices.Equal(codes, reversed) {
				reordered++
			}
			withItem += len(slices.DeleteFunc(gotItems, func(item attributes) bool { return item == nil }))
		}
		require.ElementsMatch(s, before, s.all(view{}))
		require.Positive(s, canceled)
		require.Positive(s, reordered, "in no other order would they be the same")
		require.Positive(s, withItem)
	})
}

// TestClientRequestToken checks that for ten minutes the same request changes nothing
// again, and that other parameters are rejected.
func TestClientRequestToken(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		adding := func(pk string, n int) types.TransactWriteItem {
			return types.TransactWriteItem{Update: &types.Update{
				TableName: &s.table, Key: row("pk", pk), UpdateExpression: aws.String("ADD n :n"), ExpressionAttributeValues: row(":n", n),
			}}
		}
		send := func(token string, actions ...types.TransactWriteItem) error {
			_, err := s.client.TransactWriteItems(s.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: actions, ClientRequestToken: &token})
			return err
		}
		const mismatch = "IdempotentParameterMismatchException"
		different := func(token string) {
			s.Helper()
			wantCode(s, mismatch, send(token, adding("a", 2), adding("b", 1)), "another value")
			wantCode(s, mismatch, send(token, adding("a", 1), adding("c", 1)), "another row")
			wantCode(s, mismatch, send(token, adding("b", 1), adding("a", 1)), "another order")
			wantCode(s, mismatch, send(token, adding("a", 1)), "an action less")
			wantCode(s, mismatch, send(token, adding("a", 1), adding("b", 1), adding("c", 1)), "an action more")
			other := adding("b", 1)
			other.Update.ReturnValuesOnConditionCheckFailure = "ALL_OLD"
			wantCode(s, mismatch, send(token, adding("a", 1), other), "another wish")
		}
		holds := func(a, b int) {
			s.Helper()
			require.ElementsMatch(s, []attributes{row("pk", "a", "n", a), row("pk", "b", "n", b)}, s.all(view{}))
		}
		require.NoError(s, send("one", adding("a", 1), adding("b", 1)))
		for range 3 {
			require.NoError(s, send("one", adding("a", 1), adding("b", 1)))
			different("one")
		}
		holds(1, 1)
		require.NoError(s, send("two", adding("a", 1), adding("b", 1)))
		holds(2, 2)
		check := types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &s.table, Key: row("pk", "c"), ConditionExpression: aws.String("attribute_exists(pk)"),
		}}
		wantCode(s, "TransactionCanceledException", send("three", adding("a", 1), check))
		require.NoError(s, send("three", adding("a", 5)), "what was canceled leaves its token free")
		holds(7, 2)
		if s.local {
			return // DynamoDB Local has no clock to advance
		}
		db := ddbtest.Of(s.client)
		db.Advance(10*time.Minute - time.Second)
		require.NoError(s, send("one", adding("a", 1), adding("b", 1)))
		different("one")
		holds(7, 2)
		db.Advance(2 * time.Second)
		require.NoError(s, send("one", adding("b", 10)), "the token is forgotten")
		holds(7, 12)
	})
}

// TestConflictsNeedRule checks that the same seed selects the same transactions and writes,
// and that there is no conflict without a rule.
func TestConflictsNeedRule(t *testing.T) {
	t.Parallel()
	conflicts := func(seed uint64, conditions ...ddbtest.RuleOption) (met []int) {
		db := setup(t, ddbtest.Options{Seed: seed})
		if conditions != nil {
			db.Fail(append(conditions, ddbtest.Conflict)...)
		}
		client := db.Client(once)
		for i := range 60 {
			if i%2 == 0 {
				if err := increment(t.Context(), client); err != nil {
					wantCode(t, "TransactionConflictException", err)
					met = append(met, i)
				}
				continue
			}
			if err := transactWrite(t.Context(), client); err != nil {
				require.Contains(t, reasons(t, err), "TransactionConflict")
				met = append(met, i)
			}
		}
		require.Equal(t, 60-len(met), n(t, db), "each other one is applied, and once")
		return met
	}
	require.Empty(t, conflicts(1))
	first := conflicts(1, ddbtest.Rate(0.3))
	require.Equal(t, first, conflicts(1, ddbtest.Rate(0.3)))
	require.NotEqual(t, first, conflicts(2, ddbtest.Rate(0.3)))
	require.NotEmpty(t, first)
}

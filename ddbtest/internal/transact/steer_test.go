package transact_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/transact"
)

// A fault rule cancels a transaction whatever its actions do, with the service's message for each
// code, and without items.
func TestReasonsOfARule(t *testing.T) {
	t.Parallel()
	db := newDB(t, new(clock.Clock))
	in := &api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{
		{Put: &api.TransactPut{TableName: texts, Item: of("a").With("n", num(1))}},
		{ConditionCheck: &api.ConditionCheck{TableName: texts, Key: of("b"), ConditionExpression: ptr("attribute_exists(pk)")}},
		{Delete: &api.TransactDelete{TableName: texts, Key: of("c")}},
	}, ClientRequestToken: ptr("token")}
	for code, message := range map[string]string{
		"ConditionalCheckFailed":          "The conditional request failed",
		"ItemCollectionSizeLimitExceeded": "Collection size exceeded.",
		"TransactionConflict":             "Transaction is ongoing for the item",
		"ProvisionedThroughputExceeded":   "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.",
		"ThrottlingError":                 "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly.",
		"ValidationError":                 "One or more parameter values were invalid.",
		"AnythingElse":                    "",
	} {
		_, err := transact.Write(call(db, engine.Steer{Reasons: map[int]string{0: code, 2: code, 7: code, -1: code}}), in)
		var serviceErr *awserr.Error
		require.ErrorAs(t, err, &serviceErr)
		require.Equal(t, awserr.CodeCanceled, serviceErr.Code)
		require.Equal(t, []awserr.Reason{{Code: code, Message: message}, {Code: "None"}, {Code: code, Message: message}}, serviceErr.Reasons)
		require.Empty(t, read(t, db))
	}
	get := &api.TransactGetItemsInput{TransactItems: []api.TransactGetItem{
		{Get: &api.TransactGet{TableName: texts, Key: of("a")}}, {Get: &api.TransactGet{TableName: texts, Key: of("b")}},
	}}
	_, err := transact.Get(call(db, engine.Steer{Reasons: map[int]string{1: "TransactionConflict"}}), get)
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, []awserr.Reason{{Code: "None"}, {Code: "TransactionConflict", Message: "Transaction is ongoing for the item"}}, serviceErr.Reasons)

	// an invalid request is rejected first
	in.TransactItems[2].Delete.TableName = "nowhere"
	_, err = transact.Write(call(db, engine.Steer{Reasons: map[int]string{0: "TransactionConflict"}}), in)
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, awserr.CodeResourceNotFound, serviceErr.Code)
}

// A fault rule does not cancel the replay of a completed transaction, because the transaction was
// applied.
func TestRuleAfterCompletion(t *testing.T) {
	t.Parallel()
	db := newDB(t, new(clock.Clock))
	in := &api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{
		{Put: &api.TransactPut{TableName: texts, Item: of("a").With("n", num(1))}},
	}, ClientRequestToken: ptr("token")}
	_, err := transact.Write(call(db, engine.Steer{}), in)
	require.NoError(t, err)
	_, err = transact.Write(call(db, engine.Steer{Reasons: map[int]string{0: "TransactionConflict"}}), in)
	require.NoError(t, err)
}

func TestTargets(t *testing.T) {
	t.Parallel()
	require.Equal(t, []engine.Target{
		{Table: texts, Key: of("a").With("n", num(1)), Write: true}, {Table: texts, Key: of("b")},
		{Table: texts, Key: of("c"), Write: true}, {Table: texts, Key: of("d"), Write: true}, {Write: true},
	}, transact.WriteTargets(&api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{
		{Put: &api.TransactPut{TableName: "arn:aws:dynamodb:r:1:table/" + texts, Item: of("a").With("n", num(1))}},
		{ConditionCheck: &api.ConditionCheck{TableName: texts, Key: of("b")}},
		{Delete: &api.TransactDelete{TableName: texts, Key: of("c")}},
		{Update: &api.TransactUpdate{TableName: texts, Key: of("d")}},
		{},
	}}))
	require.Equal(t, []engine.Target{{Table: texts, Key: of("a")}, {}},
		transact.GetTargets(&api.TransactGetItemsInput{TransactItems: []api.TransactGetItem{{Get: &api.TransactGet{TableName: texts, Key: of("a")}}, {}}}))
}

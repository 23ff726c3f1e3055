package op_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
)

func of[T any](v T) *T { return &v }

var full = op.Action{
	Key: op.Item{"PK": number("1")}, Item: op.Item{"PK": number("1"), "n": number("2")},
	Condition: "#n0 = :v0", Update: "SET #n0 = :v0", Projection: "#n0", Strong: true, Return: trestle.AllOld,
	Names: map[string]string{"#n0": "n"}, Values: op.Item{":v0": number("2")},
}

// TestInputs checks that the SDK's input has every field of an action, and nothing else.
func TestInputs(t *testing.T) {
	t.Parallel()
	total, old := types.ReturnConsumedCapacityTotal, types.ReturnValuesOnConditionCheckFailureAllOld
	require.Equal(t, &dynamodb.GetItemInput{
		TableName: of("app"), Key: full.Key, ProjectionExpression: of("#n0"), ExpressionAttributeNames: full.Names,
		ConsistentRead: of(true), ReturnConsumedCapacity: total,
	}, full.GetItemInput("app"))
	require.Equal(t, &dynamodb.PutItemInput{
		TableName: of("app"), Item: full.Item, ConditionExpression: of("#n0 = :v0"), ExpressionAttributeNames: full.Names, ExpressionAttributeValues: full.Values,
		ReturnValues: types.ReturnValueAllOld, ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
	}, full.PutItemInput("app"))
	require.Equal(t, &dynamodb.UpdateItemInput{
		TableName: of("app"), Key: full.Key, UpdateExpression: of("SET #n0 = :v0"), ConditionExpression: of("#n0 = :v0"),
		ExpressionAttributeNames: full.Names, ExpressionAttributeValues: full.Values,
		ReturnValues: types.ReturnValueAllOld, ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
	}, full.UpdateItemInput("app"))
	require.Equal(t, &dynamodb.DeleteItemInput{
		TableName: of("app"), Key: full.Key, ConditionExpression: of("#n0 = :v0"), ExpressionAttributeNames: full.Names, ExpressionAttributeValues: full.Values,
		ReturnValues: types.ReturnValueAllOld, ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
	}, full.DeleteItemInput("app"))
}

// TestBareInputs checks that unset fields are omitted, because DynamoDB rejects empty expressions
// and empty maps of placeholders.
func TestBareInputs(t *testing.T) {
	t.Parallel()
	var bare op.Action
	total := types.ReturnConsumedCapacityTotal
	require.Equal(t, &dynamodb.GetItemInput{TableName: of("app"), ReturnConsumedCapacity: total}, bare.GetItemInput("app"))
	require.Equal(t, &dynamodb.PutItemInput{TableName: of("app"), ReturnConsumedCapacity: total}, bare.PutItemInput("app"))
	require.Equal(t, &dynamodb.UpdateItemInput{TableName: of("app"), ReturnConsumedCapacity: total}, bare.UpdateItemInput("app"))
	require.Equal(t, &dynamodb.DeleteItemInput{TableName: of("app"), ReturnConsumedCapacity: total}, bare.DeleteItemInput("app"))
}

func TestReturns(t *testing.T) {
	t.Parallel()
	for ret, want := range map[op.Return]types.ReturnValue{
		op.Nothing: "", trestle.AllOld: types.ReturnValueAllOld, trestle.AllNew: types.ReturnValueAllNew,
		trestle.UpdatedOld: types.ReturnValueUpdatedOld, trestle.UpdatedNew: types.ReturnValueUpdatedNew,
	} {
		a := op.Action{Return: ret}
		require.Equal(t, want, a.UpdateItemInput("app").ReturnValues)
	}
}

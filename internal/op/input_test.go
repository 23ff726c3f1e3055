package op_test

import (
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/op"
)

func of[T any](v T) *T { return &v }

var full = op.Action{
	Key: op.Item{"PK": number("1")}, Item: op.NewContent(op.Item{"PK": number("1"), "n": number("2")}),
	Clauses: []clause.Clause{{Pred: clause.Value("n", number("2"))}}, Changes: settingN(), Projection: "#n0", Strong: true, Return: trestle.AllOld,
	Names: map[string]string{"#n0": "n"},
}

func settingN() *expr.Update {
	u := expr.NewUpdate()
	u.ChangeAttribute(expr.Set, "n", number("1"))
	return u
}

// withoutChanges is the action as an update that changes nothing.
func withoutChanges() op.Action {
	a := full
	a.Change()
	a.Changes = nil
	return a
}

// TestInputs checks that the SDK's input has every field of an action, and nothing else.
func TestInputs(t *testing.T) {
	t.Parallel()
	update, full := full, withoutChanges()
	values := op.Item{":v0": number("2")}
	total, old := types.ReturnConsumedCapacityTotal, types.ReturnValuesOnConditionCheckFailureAllOld
	require.Equal(t, &dynamodb.GetItemInput{
		TableName: of("app"), Key: full.Key, ProjectionExpression: of("#n0"), ExpressionAttributeNames: full.Names,
		ConsistentRead: of(true), ReturnConsumedCapacity: total,
	}, full.GetItemInput("app"))
	require.Equal(t, &dynamodb.PutItemInput{
		TableName: of("app"), Item: full.Item.Map(), ConditionExpression: of("#n0 = :v0"), ExpressionAttributeNames: full.Names, ExpressionAttributeValues: values,
		ReturnValues: types.ReturnValueAllOld, ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
	}, full.PutItemInput("app"))
	require.Equal(t, &dynamodb.UpdateItemInput{
		TableName: of("app"), Key: full.Key, UpdateExpression: of("SET #n0 = :v0"), ConditionExpression: of("#n0 = :v1"),
		ExpressionAttributeNames: full.Names, ExpressionAttributeValues: op.Item{":v0": number("1"), ":v1": number("2")},
		ReturnValues: types.ReturnValueAllOld, ReturnValuesOnConditionCheckFailure: old, ReturnConsumedCapacity: total,
	}, update.UpdateItemInput("app"))
	require.Equal(t, &dynamodb.DeleteItemInput{
		TableName: of("app"), Key: full.Key, ConditionExpression: of("#n0 = :v0"), ExpressionAttributeNames: full.Names, ExpressionAttributeValues: values,
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

// TestTransactionMembers checks that a member of a transaction has every field of the input of the
// same action. A condition check has the fields of a deletion.
func TestTransactionMembers(t *testing.T) {
	t.Parallel()
	for _, a := range []op.Action{full, {}} {
		for verb, test := range map[op.Verb]struct {
			member func(types.TransactWriteItem) any
			input  any
		}{
			op.Put:    {func(m types.TransactWriteItem) any { return m.Put }, a.PutItemInput("app")},
			op.Update: {func(m types.TransactWriteItem) any { return m.Update }, a.UpdateItemInput("app")},
			op.Delete: {func(m types.TransactWriteItem) any { return m.Delete }, a.DeleteItemInput("app")},
			op.Check:  {func(m types.TransactWriteItem) any { return m.ConditionCheck }, a.DeleteItemInput("app")},
		} {
			a.Verb = verb
			item := a.TransactWriteItem("app")
			requireSameFields(t, test.input, test.member(item))
			require.Equal(t, 1, setFields(item), "a member has exactly one action")
		}
		requireSameFields(t, a.GetItemInput("app"), a.TransactGetItem("app").Get)
	}
	bare, unchanged := withoutChanges(), withoutChanges()
	unchanged.Verb = op.Update
	requireSameFields(t, bare.DeleteItemInput("app"), unchanged.TransactWriteItem("app").ConditionCheck)
	require.Zero(t, (&op.Action{Verb: op.Get}).TransactWriteItem("app"), "a read is no member of a transaction that writes")
}

// requireSameFields checks that each exported field of a member equals the field of the same name
// in the input.
func requireSameFields(t *testing.T, input, member any) {
	t.Helper()
	in, m := reflect.ValueOf(input).Elem(), reflect.ValueOf(member).Elem()
	for _, f := range reflect.VisibleFields(m.Type()) {
		if f.IsExported() {
			require.Equal(t, in.FieldByName(f.Name).Interface(), m.FieldByIndex(f.Index).Interface(), f.Name)
		}
	}
}

// setFields returns the number of fields of a struct that are not zero.
func setFields(v any) (n int) {
	for i := range reflect.TypeOf(v).NumField() {
		if !reflect.ValueOf(v).Field(i).IsZero() {
			n++
		}
	}
	return n
}

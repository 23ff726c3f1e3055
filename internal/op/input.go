package op

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
)

// GetItemInput returns the input of a Get.
func (a *Action) GetItemInput(table string) *dynamodb.GetItemInput {
	in := &struct { // one allocation
		dynamodb.GetItemInput
		table string
	}{table: table}
	in.TableName, in.Key, in.ReturnConsumedCapacity = &in.table, a.Key, types.ReturnConsumedCapacityTotal
	in.ProjectionExpression, in.ExpressionAttributeNames = text(a.Projection), a.Names
	if a.Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	return &in.GetItemInput
}

// PutItemInput returns the input of a Put.
func (a *Action) PutItemInput(table string) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{
		TableName:                           &table,
		Item:                                a.Item,
		ConditionExpression:                 text(a.Condition),
		ExpressionAttributeNames:            a.Names,
		ExpressionAttributeValues:           a.Values,
		ReturnValues:                        returnValues[a.Return],
		ReturnValuesOnConditionCheckFailure: a.onFailure(),
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
}

// UpdateItemInput returns the input of an Update.
func (a *Action) UpdateItemInput(table string) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName:                           &table,
		Key:                                 a.Key,
		UpdateExpression:                    text(a.Update),
		ConditionExpression:                 text(a.Condition),
		ExpressionAttributeNames:            a.Names,
		ExpressionAttributeValues:           a.Values,
		ReturnValues:                        returnValues[a.Return],
		ReturnValuesOnConditionCheckFailure: a.onFailure(),
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
}

// DeleteItemInput returns the input of a Delete.
func (a *Action) DeleteItemInput(table string) *dynamodb.DeleteItemInput {
	return &dynamodb.DeleteItemInput{
		TableName:                           &table,
		Key:                                 a.Key,
		ConditionExpression:                 text(a.Condition),
		ExpressionAttributeNames:            a.Names,
		ExpressionAttributeValues:           a.Values,
		ReturnValues:                        returnValues[a.Return],
		ReturnValuesOnConditionCheckFailure: a.onFailure(),
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
}

// onFailure requests the stored item if the conditional check fails. The item costs no read units
// and determines the meaning of the failure.
func (a *Action) onFailure() types.ReturnValuesOnConditionCheckFailure {
	if a.Condition == "" {
		return ""
	}
	return types.ReturnValuesOnConditionCheckFailureAllOld
}

var returnValues = [...]types.ReturnValue{
	trestle.AllOld: types.ReturnValueAllOld, trestle.AllNew: types.ReturnValueAllNew,
	trestle.UpdatedOld: types.ReturnValueUpdatedOld, trestle.UpdatedNew: types.ReturnValueUpdatedNew,
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

package op

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
)

// GetItemInput returns the input of a Get.
func (a *Action) GetItemInput(table string) *dynamodb.GetItemInput {
	in := &dynamodb.GetItemInput{
		TableName:                &table,
		Key:                      a.Key,
		ProjectionExpression:     text(a.Projection),
		ExpressionAttributeNames: a.Names,
		ReturnConsumedCapacity:   types.ReturnConsumedCapacityTotal,
	}
	if a.Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	return in
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

// TransactGetItem returns a Get as a member of a transaction.
func (a *Action) TransactGetItem(table string) types.TransactGetItem {
	return types.TransactGetItem{Get: &types.Get{
		TableName:                &table,
		Key:                      a.Key,
		ProjectionExpression:     text(a.Projection),
		ExpressionAttributeNames: a.Names,
	}}
}

// TransactWriteItem returns a Put, Update, Delete or Check as a member of a transaction. A member
// cannot return attributes, so Return has no effect.
func (a *Action) TransactWriteItem(table string) types.TransactWriteItem {
	switch a.Verb {
	case Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName:                           &table,
			Item:                                a.Item,
			ConditionExpression:                 text(a.Condition),
			ExpressionAttributeNames:            a.Names,
			ExpressionAttributeValues:           a.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	case Update:
		return types.TransactWriteItem{Update: &types.Update{
			TableName:                           &table,
			Key:                                 a.Key,
			UpdateExpression:                    text(a.Update),
			ConditionExpression:                 text(a.Condition),
			ExpressionAttributeNames:            a.Names,
			ExpressionAttributeValues:           a.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	case Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName:                           &table,
			Key:                                 a.Key,
			ConditionExpression:                 text(a.Condition),
			ExpressionAttributeNames:            a.Names,
			ExpressionAttributeValues:           a.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	case Check:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName:                           &table,
			Key:                                 a.Key,
			ConditionExpression:                 text(a.Condition),
			ExpressionAttributeNames:            a.Names,
			ExpressionAttributeValues:           a.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	default:
		return types.TransactWriteItem{}
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

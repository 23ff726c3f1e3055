package op

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
)

// texts are the texts of an input, which the SDK wants as pointers. They are in one allocation with
// the input.
type texts struct{ table, condition, update, projection string }

// present returns a pointer to a text, or nil for none.
func present(s *string) *string {
	if *s == "" {
		return nil
	}
	return s
}

// GetItemInput returns the input of a Get.
func (a *Action) GetItemInput(table string) *dynamodb.GetItemInput {
	in := &struct {
		dynamodb.GetItemInput
		texts
	}{texts: texts{table: table, projection: a.Projection}}
	in.GetItemInput = dynamodb.GetItemInput{
		TableName:                &in.table,
		Key:                      a.Key,
		ProjectionExpression:     present(&in.projection),
		ExpressionAttributeNames: a.Names,
		ReturnConsumedCapacity:   types.ReturnConsumedCapacityTotal,
	}
	if a.Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	return &in.GetItemInput
}

// PutItemInput returns the input of a Put. Its item is empty if it is JSON.
func (a *Action) PutItemInput(table string) *dynamodb.PutItemInput {
	e := a.Expressions()
	in := &struct {
		dynamodb.PutItemInput
		texts
	}{texts: texts{table: table, condition: e.Condition}}
	in.PutItemInput = dynamodb.PutItemInput{
		TableName:                           &in.table,
		Item:                                a.Item.inInput(),
		ConditionExpression:                 present(&in.condition),
		ExpressionAttributeNames:            e.Names,
		ExpressionAttributeValues:           e.Values,
		ReturnValues:                        returnValues[a.Return],
		ReturnValuesOnConditionCheckFailure: a.onFailure(),
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
	return &in.PutItemInput
}

// UpdateItemInput returns the input of an Update.
func (a *Action) UpdateItemInput(table string) *dynamodb.UpdateItemInput {
	e := a.Expressions()
	in := &struct {
		dynamodb.UpdateItemInput
		texts
	}{texts: texts{table: table, condition: e.Condition, update: e.Update}}
	in.UpdateItemInput = dynamodb.UpdateItemInput{
		TableName:                           &in.table,
		Key:                                 a.Key,
		UpdateExpression:                    present(&in.update),
		ConditionExpression:                 present(&in.condition),
		ExpressionAttributeNames:            e.Names,
		ExpressionAttributeValues:           e.Values,
		ReturnValues:                        returnValues[a.Return],
		ReturnValuesOnConditionCheckFailure: a.onFailure(),
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
	return &in.UpdateItemInput
}

// DeleteItemInput returns the input of a Delete.
func (a *Action) DeleteItemInput(table string) *dynamodb.DeleteItemInput {
	e := a.Expressions()
	in := &struct {
		dynamodb.DeleteItemInput
		texts
	}{texts: texts{table: table, condition: e.Condition}}
	in.DeleteItemInput = dynamodb.DeleteItemInput{
		TableName:                           &in.table,
		Key:                                 a.Key,
		ConditionExpression:                 present(&in.condition),
		ExpressionAttributeNames:            e.Names,
		ExpressionAttributeValues:           e.Values,
		ReturnValues:                        returnValues[a.Return],
		ReturnValuesOnConditionCheckFailure: a.onFailure(),
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}
	return &in.DeleteItemInput
}

// onFailure requests the stored item if the conditional check fails. The item costs no read units
// and determines the meaning of the failure.
func (a *Action) onFailure() types.ReturnValuesOnConditionCheckFailure {
	if !a.conditional() {
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

package op

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Transacted reports whether actions are sent as a transaction. The SDK has no request for a single
// condition check.
func Transacted(actions []Action, token string) bool {
	return len(actions) > 1 || token != "" || actions[0].Verb == Check
}

// TransactGetInput returns the input of a transaction that reads. The table is that of actions that
// name none.
func TransactGetInput(actions []Action, table string) *dynamodb.TransactGetItemsInput {
	in := &dynamodb.TransactGetItemsInput{
		TransactItems:          make([]types.TransactGetItem, len(actions)),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	for i := range actions {
		in.TransactItems[i] = actions[i].TransactGetItem(actions[i].TableOr(table))
	}
	return in
}

// TransactWriteInput returns the input of a transaction that writes. Without a token, the SDK
// chooses one.
func TransactWriteInput(actions []Action, table, token string) *dynamodb.TransactWriteItemsInput {
	in := &dynamodb.TransactWriteItemsInput{
		TransactItems:          make([]types.TransactWriteItem, len(actions)),
		ClientRequestToken:     text(token),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	for i := range actions {
		in.TransactItems[i] = actions[i].TransactWriteItem(actions[i].TableOr(table))
	}
	return in
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
// cannot return attributes, so Return has no effect. An update that turned out to change nothing is
// a Check, because a transaction accepts no update without an expression. The item of a Put is
// empty if it is JSON.
func (a *Action) TransactWriteItem(table string) types.TransactWriteItem {
	verb, e := a.Verb, a.Expressions()
	if verb == Update && e.Update == "" && e.Condition != "" {
		verb = Check
	}
	switch verb {
	case Put:
		return types.TransactWriteItem{Put: &types.Put{
			TableName:                           &table,
			Item:                                a.Item.inInput(),
			ConditionExpression:                 text(e.Condition),
			ExpressionAttributeNames:            e.Names,
			ExpressionAttributeValues:           e.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	case Update:
		return types.TransactWriteItem{Update: &types.Update{
			TableName:                           &table,
			Key:                                 a.Key,
			UpdateExpression:                    text(e.Update),
			ConditionExpression:                 text(e.Condition),
			ExpressionAttributeNames:            e.Names,
			ExpressionAttributeValues:           e.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	case Delete:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName:                           &table,
			Key:                                 a.Key,
			ConditionExpression:                 text(e.Condition),
			ExpressionAttributeNames:            e.Names,
			ExpressionAttributeValues:           e.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	case Check:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName:                           &table,
			Key:                                 a.Key,
			ConditionExpression:                 text(e.Condition),
			ExpressionAttributeNames:            e.Names,
			ExpressionAttributeValues:           e.Values,
			ReturnValuesOnConditionCheckFailure: a.onFailure(),
		}}
	default:
		return types.TransactWriteItem{}
	}
}

package transact

import (
	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/item"
)

// writeOf returns the write of an action. It returns an error unless exactly one member is set.
func writeOf(action api.TransactWriteItem) (w item.Write, err error) {
	count := 0
	if check := action.ConditionCheck; check != nil {
		count++
		w = item.Write{
			Kind: item.CheckKind, TableName: check.TableName, Item: check.Key, Condition: check.ConditionExpression,
			Names: check.ExpressionAttributeNames, Values: check.ExpressionAttributeValues, OnFailure: check.ReturnValuesOnConditionCheckFailure,
		}
	}
	if put := action.Put; put != nil {
		count++
		w = item.Write{
			Kind: item.PutKind, TableName: put.TableName, Item: put.Item, Condition: put.ConditionExpression,
			Names: put.ExpressionAttributeNames, Values: put.ExpressionAttributeValues, OnFailure: put.ReturnValuesOnConditionCheckFailure,
		}
	}
	if del := action.Delete; del != nil {
		count++
		w = item.Write{
			Kind: item.DeleteKind, TableName: del.TableName, Item: del.Key, Condition: del.ConditionExpression,
			Names: del.ExpressionAttributeNames, Values: del.ExpressionAttributeValues, OnFailure: del.ReturnValuesOnConditionCheckFailure,
		}
	}
	if update := action.Update; update != nil {
		count++
		w = item.Write{
			Kind: item.UpdateKind, TableName: update.TableName, Item: update.Key, Update: update.UpdateExpression, Condition: update.ConditionExpression,
			Names: update.ExpressionAttributeNames, Values: update.ExpressionAttributeValues, OnFailure: update.ReturnValuesOnConditionCheckFailure,
		}
	}
	switch {
	case count == 0:
		err = awserr.Validation("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request")
	case count > 1:
		err = awserr.Validation("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	return w, err
}

package op

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// BatchSize is the maximum number of writes in a BatchWriteItem request. Its limit of 16 MB cannot
// be reached: 25 items of at most 400 KB have 10 MB.
const BatchSize = 25

// Batchable reports whether an operation can be part of a BatchWriteItem request: a single put or
// delete without a condition, a token, a read before it, and attributes to return.
func (o *Operation) Batchable() bool {
	if o.PreRead != nil || len(o.Actions) != 1 || o.Token != "" {
		return false
	}
	act := &o.Actions[0]
	return (act.Verb == Put || act.Verb == Delete) && !act.conditional() && act.Return == Nothing
}

// BatchWriteInput returns the input of puts and deletes of one table.
func BatchWriteInput(table string, actions []*Action) *dynamodb.BatchWriteItemInput {
	writes := make([]types.WriteRequest, len(actions))
	for i, a := range actions {
		writes[i] = a.writeRequest()
	}
	return &dynamodb.BatchWriteItemInput{
		RequestItems:           map[string][]types.WriteRequest{table: writes},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
}

// writeRequest returns a Put or Delete as a member of a BatchWriteItem request. The item of a Put
// is empty if it is JSON.
func (a *Action) writeRequest() types.WriteRequest {
	if a.Verb == Put {
		return types.WriteRequest{PutRequest: &types.PutRequest{Item: a.Item.inInput()}}
	}
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: a.Key}}
}

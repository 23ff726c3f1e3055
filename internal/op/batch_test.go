package op_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/clause"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/write"
)

// Only a put or a delete that a BatchWriteItem request can express is part of one.
func TestBatchable(t *testing.T) {
	t.Parallel()
	one := func(a op.Action) op.Operation { return op.Operation{Actions: []op.Action{a}} }
	for name, c := range map[string]struct {
		o    op.Operation
		want bool
	}{
		"put":                      {one(op.Action{Verb: op.Put}), true},
		"delete":                   {one(op.Action{Verb: op.Delete}), true},
		"get":                      {one(op.Action{Verb: op.Get}), false},
		"update":                   {one(op.Action{Verb: op.Update}), false},
		"check":                    {one(op.Action{Verb: op.Check}), false},
		"put with a condition":     {one(op.Action{Verb: op.Put, Clauses: []clause.Clause{aItem}}), false},
		"delete with a condition":  {one(op.Action{Verb: op.Delete, Clauses: []clause.Clause{aItem}}), false},
		"put that returns an item": {one(op.Action{Verb: op.Put, Return: trestle.AllOld}), false},
		"put with a token":         {op.Operation{Actions: []op.Action{{Verb: op.Put}}, Token: "t"}, false},
		"put after a read":         {op.Operation{Actions: []op.Action{{Verb: op.Put}}, PreRead: &op.PreRead{}}, false},
		"read first":               {op.Operation{PreRead: &op.PreRead{}}, false},
		"two puts":                 {op.Operation{Actions: []op.Action{{Verb: op.Put}, {Verb: op.Put}}}, false},
	} {
		require.Equal(t, c.want, c.o.Batchable(), name)
	}
}

func TestBatchWriteInput(t *testing.T) {
	t.Parallel()
	put, remove := op.Action{Verb: op.Put, Item: full.Item}, op.Action{Verb: op.Delete, Key: full.Key}
	require.Equal(t, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{"app": {
			{PutRequest: &types.PutRequest{Item: full.Item.Map()}}, {DeleteRequest: &types.DeleteRequest{Key: full.Key}},
		}},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, op.BatchWriteInput("app", []*op.Action{&put, &remove}))
}

// A request of valid items is never larger than the 16 MB that DynamoDB accepts.
func TestBatchIsSmallerThanALimit(t *testing.T) {
	t.Parallel()
	require.Less(t, op.BatchSize*write.MaxItem, 16<<20)
}

package costtest

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/codec"
)

// TransactGetItems sends and records the request.
func (m *Meter) TransactGetItems(
	ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...func(*dynamodb.Options),
) (*dynamodb.TransactGetItemsOutput, error) {
	r := request{op: transactGetItems}
	for _, action := range in.TransactItems {
		read := target{table: *action.Get.TableName, key: action.Get.Key}
		stored, err := m.stored(ctx, read)
		if err != nil {
			return nil, err
		}
		read.size, r.table = codec.ItemSize(stored), read.table
		r.targets = append(r.targets, read)
	}
	out, err := m.client.TransactGetItems(ctx, in, o...)
	if err == nil {
		for i := range out.ConsumedCapacity {
			r.units += units(&out.ConsumedCapacity[i])
		}
	}
	m.record(r, err)
	return out, err
}

// TransactWriteItems sends and records the request.
func (m *Meter) TransactWriteItems(
	ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options),
) (*dynamodb.TransactWriteItemsOutput, error) {
	r := request{op: transactWriteItems}
	for _, action := range in.TransactItems {
		op, table, given := partsOf(action)
		w, err := m.startWrite(ctx, op, *table, given)
		if err != nil {
			return nil, err
		}
		r.table, r.actions = w.table, append(r.actions, &w)
	}
	out, err := m.client.TransactWriteItems(ctx, in, o...)
	if err == nil {
		for i := range out.ConsumedCapacity {
			r.units += units(&out.ConsumedCapacity[i])
		}
		for _, w := range r.actions {
			after, err := m.stored(ctx, w.targets[0])
			if err != nil {
				return nil, err
			}
			w.after = after
		}
	}
	m.record(r, err)
	return out, err
}

// partsOf returns what an action does, its table, and its item or key.
func partsOf(action types.TransactWriteItem) (op string, table *string, given item) {
	switch {
	case action.Put != nil:
		return putItem, action.Put.TableName, action.Put.Item
	case action.Update != nil:
		return updateItem, action.Update.TableName, action.Update.Key
	case action.Delete != nil:
		return deleteItem, action.Delete.TableName, action.Delete.Key
	default:
		return checkItem, action.ConditionCheck.TableName, action.ConditionCheck.Key
	}
}

package costtest

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// PutItem sends and records the request.
func (m *Meter) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	w, err := m.startWrite(ctx, putItem, *in.TableName, in.Item)
	if err != nil {
		return nil, err
	}
	out, err := m.client.PutItem(ctx, in, o...)
	if err == nil {
		w.units, w.after = units(out.ConsumedCapacity), in.Item
	}
	m.record(w, err)
	return out, err
}

// UpdateItem sends and records the request.
func (m *Meter) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	w, err := m.startWrite(ctx, updateItem, *in.TableName, in.Key)
	if err != nil {
		return nil, err
	}
	out, err := m.client.UpdateItem(ctx, in, o...)
	if err == nil {
		w.units = units(out.ConsumedCapacity)
		after, err := m.stored(ctx, w.targets[0])
		if err != nil {
			return nil, err
		}
		w.after = after
	}
	m.record(w, err)
	return out, err
}

// DeleteItem sends and records the request.
func (m *Meter) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	w, err := m.startWrite(ctx, deleteItem, *in.TableName, in.Key)
	if err != nil {
		return nil, err
	}
	out, err := m.client.DeleteItem(ctx, in, o...)
	if err == nil {
		w.units = units(out.ConsumedCapacity)
	}
	m.record(w, err)
	return out, err
}

// startWrite starts to measure a write of an item. The given item has at least the key.
func (m *Meter) startWrite(ctx context.Context, op, name string, given item) (request, error) {
	t, err := m.describe(ctx, name)
	if err != nil {
		return request{}, err
	}
	at := target{table: name, key: item{}}
	for _, attribute := range t.key {
		at.key[attribute] = given[attribute]
	}
	before, err := m.stored(ctx, at)
	return request{op: op, table: name, targets: []target{at}, before: before, indexes: t.indexes}, err
}

// BatchWriteItem sends and records the request.
func (m *Meter) BatchWriteItem(
	ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options),
) (*dynamodb.BatchWriteItemOutput, error) {
	r := request{op: batchWriteItem}
	for table, list := range in.RequestItems {
		r.table = table
		for _, one := range list {
			op, given := batchedWrite(one)
			w, err := m.startWrite(ctx, op, table, given)
			if err != nil {
				return nil, err
			}
			if op == putItem {
				w.after = given
			}
			r.actions = append(r.actions, &w)
		}
	}
	out, err := m.client.BatchWriteItem(ctx, in, o...)
	if err == nil {
		for i := range out.ConsumedCapacity {
			r.units += units(&out.ConsumedCapacity[i])
		}
		r.actions = slices.DeleteFunc(r.actions, func(w *request) bool {
			return slices.ContainsFunc(out.UnprocessedItems[w.table], func(one types.WriteRequest) bool {
				_, given := batchedWrite(one)
				return has([]item{w.targets[0].key}, keyIn(given, w.targets[0].key))
			})
		})
	}
	m.record(r, err)
	return out, err
}

// batchedWrite returns what a write of a batch does, and its item or key.
func batchedWrite(one types.WriteRequest) (op string, given item) {
	if one.PutRequest != nil {
		return putItem, one.PutRequest.Item
	}
	return deleteItem, one.DeleteRequest.Key
}

// keyIn returns the attributes of an item that a key has.
func keyIn(given, key item) item {
	own := item{}
	for name := range key {
		own[name] = given[name]
	}
	return own
}

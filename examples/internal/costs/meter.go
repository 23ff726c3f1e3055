package costs

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/entity"
)

// meter is a client that notes what each request asks for, what it passes and what that costs. To see what a request passes it reads the same again
// beside it, without filter and projection.
type meter struct {
	*dynamodb.Client
	heard []request
}

// request is one that was answered.
type request struct {
	parts []part // one, but of a batch one for each key
	units entity.Capacity
}

// part is an input as the SDK has it, and the number and the average size of the items that it passed.
type part struct {
	input  any
	passed entity.Assumption
}

// one is what a request passed that is about one item.
func one(size int) entity.Assumption { return entity.Assumption{Items: 1, ItemSize: max(1, size)} }

func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

func (m *meter) read(units float64, parts ...part) {
	m.heard = append(m.heard, request{parts, entity.Capacity{Read: units}})
}

func (m *meter) wrote(c *types.ConsumedCapacity, input any, size int) {
	m.heard = append(m.heard, request{[]part{{input, one(size)}}, entity.Capacity{Write: units(c)}})
}

func (m *meter) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	size, err := m.stored(ctx, in.TableName, in.Key)
	if err != nil {
		return nil, err
	}
	out, err := m.Client.GetItem(ctx, in, o...)
	if err == nil {
		m.read(units(out.ConsumedCapacity), part{in, one(size)})
	}
	return out, err
}

func (m *meter) BatchGetItem(
	ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options),
) (*dynamodb.BatchGetItemOutput, error) {
	var parts []part
	untold := 0.0
	for table, keys := range in.RequestItems {
		for _, key := range keys.Keys {
			size, left, err := m.looked(ctx, table, key)
			if err != nil {
				return nil, err
			}
			untold += left
			parts = append(parts, part{&dynamodb.GetItemInput{TableName: &table, Key: key}, one(size)})
		}
	}
	out, err := m.Client.BatchGetItem(ctx, in, o...)
	if err == nil && len(out.ConsumedCapacity) == 1 { // the programs have one table each
		m.read(units(&out.ConsumedCapacity[0])+untold, parts...)
	}
	return out, err
}

func (m *meter) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := m.Client.Query(ctx, in, o...)
	if err != nil {
		return nil, err
	}
	whole, err := m.Client.Query(ctx, unfiltered(in))
	if err != nil {
		return nil, err
	}
	if len(whole.Items) != int(out.ScannedCount) {
		return nil, errors.New("what a query passes is not what it passes without its filter")
	}
	passed := one(0) // a read that meets nothing costs the least there is
	if n := len(whole.Items); n > 0 {
		size := 0
		for _, item := range whole.Items {
			size += itemSize(item)
		}
		passed = entity.Assumption{Items: n, ItemSize: (size + n/2) / n}
	}
	m.read(units(out.ConsumedCapacity), part{in, passed})
	return out, nil
}

func (m *meter) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	out, err := m.Client.PutItem(ctx, in, o...)
	if err == nil {
		m.wrote(out.ConsumedCapacity, in, itemSize(in.Item))
	}
	return out, err
}

func (m *meter) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	before, err := m.stored(ctx, in.TableName, in.Key)
	if err != nil {
		return nil, err
	}
	out, err := m.Client.UpdateItem(ctx, in, o...)
	if err != nil {
		return nil, err
	}
	after, err := m.stored(ctx, in.TableName, in.Key)
	m.wrote(out.ConsumedCapacity, in, max(before, after))
	return out, err
}

func (m *meter) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	size, err := m.stored(ctx, in.TableName, in.Key)
	if err != nil {
		return nil, err
	}
	out, err := m.Client.DeleteItem(ctx, in, o...)
	if err == nil {
		m.wrote(out.ConsumedCapacity, in, size)
	}
	return out, err
}

// stored is the size of the item under a key; 0: there is none.
func (m *meter) stored(ctx context.Context, table *string, key map[string]types.AttributeValue) (int, error) {
	out, err := m.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return 0, err
	}
	return itemSize(out.Item), nil
}

// looked is the size of the item under a key, and what the engine leaves out of the cost of a batch where there is none: DynamoDB Local all of the
// half unit.
func (m *meter) looked(ctx context.Context, table string, key map[string]types.AttributeValue) (size int, untold float64, err error) {
	if size, err = m.stored(ctx, &table, key); err != nil || size > 0 {
		return size, 0, err
	}
	out, err := m.Client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems:           map[string]types.KeysAndAttributes{table: {Keys: []map[string]types.AttributeValue{key}}},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return 0, 0, err
	}
	told := 0.0
	for _, c := range out.ConsumedCapacity {
		told += units(&c)
	}
	return 0, 0.5 - told, nil
}

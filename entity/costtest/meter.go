package costtest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/codec"
)

type (
	item   = map[string]types.AttributeValue
	client = dynamodb.Client
)

// Meter is a client of DynamoDB that records each request, what it read, and what it consumed.
// [NewMeter] makes it, [entity.Schema.Open] takes it in place of the SDK's client, and
// [Meter.Check] compares what it recorded with explanations. It is safe for concurrent use. Each
// test needs its own meter.
type Meter struct {
	*client // what is not measured goes straight through, such as CreateTable

	mu     sync.Mutex
	sent   []*request
	tables map[string]*table
}

var _ entity.Client = (*Meter)(nil)

// NewMeter makes a meter in front of the SDK's client.
func NewMeter(c *dynamodb.Client) *Meter {
	if c == nil {
		c = dynamodb.New(dynamodb.Options{}) // Schema.Open says what it lacks
	}
	return &Meter{client: c, tables: map[string]*table{}}
}

// Reset forgets the requests that were sent so far, such as those that filled the table.
func (m *Meter) Reset() { m.take() }

// take returns the requests that were sent since the last call of it.
func (m *Meter) take() []*request {
	m.mu.Lock()
	defer m.mu.Unlock()
	sent := m.sent
	m.sent = nil
	return sent
}

// record adds a request; err is the error that it ended with.
func (m *Meter) record(r request, err error) {
	r.failed = err != nil
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, &r)
}

// GetItem is the client's, recorded.
func (m *Meter) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	read := target{table: *in.TableName, key: in.Key, strong: aws.ToBool(in.ConsistentRead)}
	before, err := m.stored(ctx, read)
	if err != nil {
		return nil, err
	}
	read.size = codec.ItemSize(before)
	out, err := m.client.GetItem(ctx, in, o...)
	r := request{op: getItem, table: read.table, targets: []target{read}}
	if err == nil {
		r.units = units(out.ConsumedCapacity)
	}
	m.record(r, err)
	return out, err
}

// BatchGetItem is the client's, recorded.
func (m *Meter) BatchGetItem(
	ctx context.Context, in *dynamodb.BatchGetItemInput, o ...func(*dynamodb.Options),
) (*dynamodb.BatchGetItemOutput, error) {
	out, err := m.client.BatchGetItem(ctx, in, o...)
	r := request{op: batchGetItem}
	for name, asked := range in.RequestItems {
		r.table = name
		for _, key := range asked.Keys {
			if out != nil && has(out.UnprocessedKeys[name].Keys, key) {
				continue
			}
			read := target{table: name, key: key, strong: aws.ToBool(asked.ConsistentRead)}
			stored, err := m.stored(ctx, read)
			if err != nil {
				return nil, err
			}
			read.size = codec.ItemSize(stored)
			r.targets = append(r.targets, read)
		}
	}
	if err == nil {
		for i := range out.ConsumedCapacity {
			r.units += units(&out.ConsumedCapacity[i])
		}
	}
	m.record(r, err)
	return out, err
}

// Query is the client's, recorded.
func (m *Meter) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := m.client.Query(ctx, in, o...)
	r := request{op: queryOp, table: *in.TableName, index: aws.ToString(in.IndexName), strong: aws.ToBool(in.ConsistentRead), query: essenceOf(in)}
	if err == nil {
		whole, err := m.client.Query(ctx, unfiltered(in))
		if err != nil {
			return nil, beside(err)
		}
		r.units = units(out.ConsumedCapacity)
		if err := r.pass(whole.Items, out.ScannedCount); err != nil {
			return nil, err
		}
	}
	m.record(r, err)
	return out, err
}

// Scan is the client's, recorded.
func (m *Meter) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := m.client.Scan(ctx, in, o...)
	r := request{op: scanOp, table: *in.TableName, index: aws.ToString(in.IndexName), strong: aws.ToBool(in.ConsistentRead)}
	if err == nil {
		whole, err := m.client.Scan(ctx, &dynamodb.ScanInput{
			TableName: in.TableName, IndexName: in.IndexName, ConsistentRead: in.ConsistentRead, Limit: in.Limit, ExclusiveStartKey: in.ExclusiveStartKey,
			Segment: in.Segment, TotalSegments: in.TotalSegments,
		})
		if err != nil {
			return nil, beside(err)
		}
		r.units = units(out.ConsumedCapacity)
		if err := r.pass(whole.Items, out.ScannedCount); err != nil {
			return nil, err
		}
	}
	m.record(r, err)
	return out, err
}

// stored is the item under a key; nil: there is none.
func (m *Meter) stored(ctx context.Context, at target) (item, error) {
	out, err := m.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &at.table, Key: at.key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, beside(err)
	}
	return out.Item, nil
}

// beside says that a request of the meter's own failed, and not one of the code under test.
func beside(err error) error { return fmt.Errorf("costtest: measuring a request: %w", err) }

func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

func has(keys []item, key item) bool {
	return slices.ContainsFunc(keys, func(other item) bool { return reflect.DeepEqual(key, other) })
}

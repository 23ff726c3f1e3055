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

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/codec"
)

type (
	item   = map[string]types.AttributeValue
	client = dynamodb.Client
)

// Meter is a DynamoDB client that records each request, the items that it read, and the units that
// it consumed. [NewMeter] returns it, [entity.Schema.Open] accepts it, and [Meter.Check] compares
// the recorded requests with explanations. It is safe for concurrent use. Each test needs its own
// meter.
type Meter struct {
	*client // has the calls that are not measured, such as CreateTable

	mu     sync.Mutex
	sent   []*request
	tables map[string]*table
}

var _ trestle.Client = (*Meter)(nil)

// NewMeter returns a meter that sends its requests with the given client.
func NewMeter(c *dynamodb.Client) *Meter {
	if c == nil {
		c = dynamodb.New(dynamodb.Options{}) // Schema.Open reports the missing Region
	}
	return &Meter{client: c, tables: map[string]*table{}}
}

// Reset discards the recorded requests, such as those that filled the table.
func (m *Meter) Reset() { m.take() }

// take returns and removes the recorded requests.
func (m *Meter) take() []*request {
	m.mu.Lock()
	defer m.mu.Unlock()
	sent := m.sent
	m.sent = nil
	return sent
}

// record adds a request with its error.
func (m *Meter) record(r request, err error) {
	r.failed = err != nil
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, &r)
}

// GetItem sends and records the request.
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

// BatchGetItem sends and records the request.
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

// Query sends and records the request.
func (m *Meter) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := m.client.Query(ctx, in, o...)
	r := request{op: queryOp, table: *in.TableName, index: aws.ToString(in.IndexName), strong: aws.ToBool(in.ConsistentRead), query: selectionOf(in)}
	if err == nil {
		whole, err := m.client.Query(ctx, unfiltered(in))
		if err != nil {
			return nil, measureError(err)
		}
		r.units = units(out.ConsumedCapacity)
		if err := r.addItems(whole.Items, out.ScannedCount); err != nil {
			return nil, err
		}
	}
	m.record(r, err)
	return out, err
}

// Scan sends and records the request.
func (m *Meter) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := m.client.Scan(ctx, in, o...)
	r := request{op: scanOp, table: *in.TableName, index: aws.ToString(in.IndexName), strong: aws.ToBool(in.ConsistentRead)}
	if err == nil {
		whole, err := m.client.Scan(ctx, &dynamodb.ScanInput{
			TableName: in.TableName, IndexName: in.IndexName, ConsistentRead: in.ConsistentRead, Limit: in.Limit, ExclusiveStartKey: in.ExclusiveStartKey,
			Segment: in.Segment, TotalSegments: in.TotalSegments,
		})
		if err != nil {
			return nil, measureError(err)
		}
		r.units = units(out.ConsumedCapacity)
		if err := r.addItems(whole.Items, out.ScannedCount); err != nil {
			return nil, err
		}
	}
	m.record(r, err)
	return out, err
}

// stored returns the stored item, or nil.
func (m *Meter) stored(ctx context.Context, at target) (item, error) {
	out, err := m.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &at.table, Key: at.key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, measureError(err)
	}
	return out.Item, nil
}

// measureError marks the error of a request that the meter itself sent.
func measureError(err error) error { return fmt.Errorf("costtest: measuring a request: %w", err) }

func units(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

func has(keys []item, key item) bool {
	return slices.ContainsFunc(keys, func(other item) bool { return reflect.DeepEqual(key, other) })
}

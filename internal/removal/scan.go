package removal

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/reserved"
)

// scan reads the whole table, strongly consistent, in parallel segments. It calls take for the
// items of the tenant in each page.
func (r *run) scan(ctx context.Context, take func(context.Context, []op.Item) error) error {
	segments := make([]int32, r.Concurrency)
	for i := range segments {
		segments[i] = int32(i) //nolint:gosec // at most maxConcurrency
	}
	return parallel(ctx, r.Concurrency, segments, func(ctx context.Context, segment int32) error {
		return r.scanSegment(ctx, segment, take)
	})
}

func (r *run) scanSegment(ctx context.Context, segment int32, take func(context.Context, []op.Item) error) error {
	s := r.Schema
	call := exec.NewCall(r.Whole, trestle.OperationInfo{Operation: r.name, Table: r.Whole.Table}, nil, trestle.NoWrite)
	in := &dynamodb.ScanInput{
		TableName: &r.Whole.Table, ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		Segment: &segment, TotalSegments: aws.Int32(int32(r.Concurrency)), //nolint:gosec // at most maxConcurrency
		FilterExpression: aws.String("begins_with(#p, :start)"), ExpressionAttributeNames: map[string]string{"#p": s.Partition.Name},
		ExpressionAttributeValues: op.Item{":start": core.KeyValue(s.Partition.Type, s.TenantKey(s.Partition.Name).Start(r.ID))},
	}
	return call.Observe(ctx, func(ctx context.Context) error {
		for more := true; more; more = len(in.ExclusiveStartKey) > 0 {
			page := r.Whole.Page(ctx, nil, in)
			err := r.took(ctx, &call, &page, func(ctx context.Context, items []op.Item) error { return take(ctx, r.own(items)) })
			if err != nil {
				return err
			}
			in.ExclusiveStartKey = page.Last
		}
		return nil
	})
}

// own returns the items of the tenant. The tenants "1" and "10" start alike.
func (r *run) own(items []op.Item) (list []op.Item) {
	for _, item := range items {
		if r.Schema.TenantOf(item) == r.ID {
			list = append(list, item)
		}
	}
	return list
}

func (r *run) isGuard(item op.Item) bool { return reserved.IsGuard(r.ownPartition(item)) }

// ownPartition returns the partition key of an item without the tenant.
func (r *run) ownPartition(item op.Item) string { return r.Schema.CutTenant(r.partitionOf(item)) }

func (r *run) partitionOf(item op.Item) string {
	text, _ := core.KeyText(r.Schema.Partition.Type, item[r.Schema.Partition.Name])
	return text
}

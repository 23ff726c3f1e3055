package read

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// queryInput is an input and everything that it points to, in one allocation.
type queryInput struct {
	dynamodb.QueryInput
	table, index, condition string
	limit                   int32
	forward, strong         bool
}

// QueryInput returns one request for a partition of the plan. It starts at the beginning of the
// partition, or after the key in after. It reads at most limit items; 0 is no limit.
func (p *Plan) QueryInput(table string, part *Partition, after op.Item, limit int) *dynamodb.QueryInput {
	in := &queryInput{table: table, condition: part.KeyCondition, strong: true}
	in.TableName, in.KeyConditionExpression = &in.table, &in.condition
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = part.Names, part.Values
	in.ExclusiveStartKey = after
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	if limit > 0 {
		in.limit = int32(min(limit, math.MaxInt32)) //nolint:gosec // bounded here
		in.Limit = &in.limit
	}
	if p.Index != nil {
		in.index = p.Index.Name
		in.IndexName = &in.index
	}
	switch {
	case p.Counts:
		in.Select = types.SelectCount
	case p.Projection != "":
		in.ProjectionExpression = aws.String(p.Projection)
	}
	if p.Desc {
		in.ScanIndexForward = &in.forward
	}
	if p.Filter != "" {
		in.FilterExpression = aws.String(p.Filter)
	}
	if p.Strong {
		in.ConsistentRead = &in.strong
	}
	return &in.QueryInput
}

// ScanInput returns one request for a segment. It starts at the beginning of the segment, or after
// the key in after. It reads at most limit items; 0 is no limit.
func (p *Plan) ScanInput(table string, segment int, after op.Item, limit int) *dynamodb.ScanInput {
	q := p.QueryInput(table, p.Partition(segment), after, limit)
	in := &dynamodb.ScanInput{
		TableName:                 q.TableName,
		IndexName:                 q.IndexName,
		FilterExpression:          q.FilterExpression,
		ExpressionAttributeNames:  q.ExpressionAttributeNames,
		ExpressionAttributeValues: q.ExpressionAttributeValues,
		ExclusiveStartKey:         q.ExclusiveStartKey,
		Limit:                     q.Limit,
		ConsistentRead:            q.ConsistentRead,
		ReturnConsumedCapacity:    q.ReturnConsumedCapacity,
	}
	if p.Segments > 1 {
		in.Segment, in.TotalSegments = aws.Int32(int32(segment)), aws.Int32(int32(p.Segments)) //nolint:gosec // bounded by the builder
	}
	return in
}

package read

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// queryInput is an input with all that it points to, in one piece of memory.
type queryInput struct {
	dynamodb.QueryInput
	table, index, condition string
	limit                   int32
	forward, strong         bool
}

// QueryInput compiles one request for one of the plan's partitions: from its beginning or after the key of an item, and for so many
// items at the most; 0 is as many as a page holds.
func (p *Plan) QueryInput(table string, partition int, after op.Item, limit int) *dynamodb.QueryInput {
	part := p.Part(partition)
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

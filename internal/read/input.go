package read

import (
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// QueryInput compiles one request for one of the plan's partitions: from its beginning or after the key of an item, and for so many
// items at the most; 0 is as many as a page holds.
func (p *Plan) QueryInput(table string, partition int, after op.Item, limit int) *dynamodb.QueryInput {
	part := &p.Partitions[partition]
	in := &dynamodb.QueryInput{
		TableName:                 &table,
		KeyConditionExpression:    &part.KeyCondition,
		ExpressionAttributeNames:  part.Names,
		ExpressionAttributeValues: part.Values,
		ExclusiveStartKey:         after,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if limit > 0 {
		in.Limit = aws.Int32(int32(min(limit, math.MaxInt32))) //nolint:gosec // bounded here
	}
	if p.Index != nil {
		in.IndexName = aws.String(p.Index.Name)
	}
	switch {
	case p.Counts:
		in.Select = types.SelectCount
	case p.Projection != "":
		in.ProjectionExpression = &p.Projection
	}
	if p.Desc {
		in.ScanIndexForward = aws.Bool(false)
	}
	if p.Filter != "" {
		in.FilterExpression = &p.Filter
	}
	if p.Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	return in
}

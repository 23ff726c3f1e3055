package read

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/op"
)

// QueryInput compiles the read of one of the plan's partitions, from its beginning or after the key of an item.
func (p *Plan) QueryInput(table string, partition int, after op.Item) *dynamodb.QueryInput {
	part := &p.Partitions[partition]
	in := &dynamodb.QueryInput{
		TableName:                 &table,
		KeyConditionExpression:    &part.KeyCondition,
		ExpressionAttributeNames:  part.Names,
		ExpressionAttributeValues: part.Values,
		ExclusiveStartKey:         after,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	if p.Index != nil {
		in.IndexName = &p.Index.Name
	}
	if p.Filter != "" {
		in.FilterExpression = &p.Filter
	}
	if p.Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	return in
}

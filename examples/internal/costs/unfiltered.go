package costs

import (
	"regexp"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// unfiltered is a query that passes the same items and sends all of them.
func unfiltered(in *dynamodb.QueryInput) *dynamodb.QueryInput {
	key := aws.ToString(in.KeyConditionExpression)
	return &dynamodb.QueryInput{
		TableName: in.TableName, IndexName: in.IndexName, KeyConditionExpression: in.KeyConditionExpression,
		ExpressionAttributeNames: only(in.ExpressionAttributeNames, key), ExpressionAttributeValues: only(in.ExpressionAttributeValues, key),
		ScanIndexForward: in.ScanIndexForward, ConsistentRead: in.ConsistentRead, Limit: in.Limit, ExclusiveStartKey: in.ExclusiveStartKey,
	}
}

var placeholder = regexp.MustCompile(`[#:]\w+`)

// only are the placeholders that an expression has: the service refuses others.
func only[V any](all map[string]V, expression string) map[string]V {
	var used map[string]V
	for _, name := range placeholder.FindAllString(expression, -1) {
		if v, ok := all[name]; ok {
			if used == nil {
				used = map[string]V{}
			}
			used[name] = v
		}
	}
	return used
}

package costs

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// alike reports whether two inputs ask for the same items: how many of them at a time, and what of each is sent, does not change what they cost.
func alike(a, b any) bool { return reflect.DeepEqual(essence(a), essence(b)) }

// essence is what of an input decides which items are passed.
func essence(input any) any {
	switch in := input.(type) {
	case *dynamodb.QueryInput:
		expressions := aws.ToString(in.KeyConditionExpression) + " " + aws.ToString(in.FilterExpression)
		return dynamodb.QueryInput{
			TableName: in.TableName, IndexName: in.IndexName, KeyConditionExpression: in.KeyConditionExpression, FilterExpression: in.FilterExpression,
			ExpressionAttributeNames:  only(in.ExpressionAttributeNames, expressions),
			ExpressionAttributeValues: only(in.ExpressionAttributeValues, expressions),
			ScanIndexForward:          aws.Bool(in.ScanIndexForward == nil || *in.ScanIndexForward), ConsistentRead: aws.Bool(aws.ToBool(in.ConsistentRead)),
		}
	case *dynamodb.GetItemInput:
		return dynamodb.GetItemInput{TableName: in.TableName, Key: in.Key, ConsistentRead: aws.Bool(aws.ToBool(in.ConsistentRead))}
	default:
		return input
	}
}

package costtest

import (
	"reflect"
	"regexp"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// selection is the part of a query that selects the items to read. It excludes the number of items
// per request and the returned attributes.
type selection struct {
	table, index string
	strong, desc bool
	key          string // condition, with attribute names
	values       []types.AttributeValue
	filter       string // with attribute names; its values may depend on the time
}

func selectionOf(in *dynamodb.QueryInput) selection {
	e := selection{
		table: aws.ToString(in.TableName), index: aws.ToString(in.IndexName),
		strong: aws.ToBool(in.ConsistentRead), desc: in.ScanIndexForward != nil && !*in.ScanIndexForward,
	}
	e.key = named(in, in.KeyConditionExpression, func(mark string) { e.values = append(e.values, in.ExpressionAttributeValues[mark]) })
	e.filter = named(in, in.FilterExpression, func(string) {})
	return e
}

// named returns an expression with attribute names, and calls value for each placeholder of a
// value.
func named(in *dynamodb.QueryInput, expression *string, value func(mark string)) string {
	return placeholder.ReplaceAllStringFunc(aws.ToString(expression), func(mark string) string {
		if name, ok := in.ExpressionAttributeNames[mark]; ok {
			return name
		}
		value(mark)
		return "?"
	})
}

func (e selection) equal(other selection) bool { return reflect.DeepEqual(e, other) }

var placeholder = regexp.MustCompile(`[#:]\w+`)

// unfiltered returns a query that reads the same items and returns all of them.
func unfiltered(in *dynamodb.QueryInput) *dynamodb.QueryInput {
	key := aws.ToString(in.KeyConditionExpression)
	return &dynamodb.QueryInput{
		TableName: in.TableName, IndexName: in.IndexName, KeyConditionExpression: in.KeyConditionExpression,
		ExpressionAttributeNames: usedIn(in.ExpressionAttributeNames, key), ExpressionAttributeValues: usedIn(in.ExpressionAttributeValues, key),
		ScanIndexForward: in.ScanIndexForward, ConsistentRead: in.ConsistentRead, Limit: in.Limit, ExclusiveStartKey: in.ExclusiveStartKey,
	}
}

// usedIn returns the placeholders that an expression uses, because the service rejects unused ones.
func usedIn[V any](all map[string]V, expression string) map[string]V {
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

package costtest

import (
	"reflect"
	"regexp"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// essence is the part of a query that selects the items to read. It excludes the number of items
// per request and the returned attributes.
type essence struct {
	table, index string
	strong, desc bool
	text         string // key condition and filter, with attribute names
	values       []types.AttributeValue
}

func essenceOf(in *dynamodb.QueryInput) essence {
	e := essence{
		table: aws.ToString(in.TableName), index: aws.ToString(in.IndexName),
		strong: aws.ToBool(in.ConsistentRead), desc: in.ScanIndexForward != nil && !*in.ScanIndexForward,
	}
	expressions := aws.ToString(in.KeyConditionExpression) + "; " + aws.ToString(in.FilterExpression)
	e.text = placeholder.ReplaceAllStringFunc(expressions, func(mark string) string {
		if name, ok := in.ExpressionAttributeNames[mark]; ok {
			return name
		}
		e.values = append(e.values, in.ExpressionAttributeValues[mark])
		return "?"
	})
	return e
}

func (e essence) equal(other essence) bool { return reflect.DeepEqual(e, other) }

var placeholder = regexp.MustCompile(`[#:]\w+`)

// unfiltered returns a query that reads the same items and returns all of them.
func unfiltered(in *dynamodb.QueryInput) *dynamodb.QueryInput {
	key := aws.ToString(in.KeyConditionExpression)
	return &dynamodb.QueryInput{
		TableName: in.TableName, IndexName: in.IndexName, KeyConditionExpression: in.KeyConditionExpression,
		ExpressionAttributeNames: only(in.ExpressionAttributeNames, key), ExpressionAttributeValues: only(in.ExpressionAttributeValues, key),
		ScanIndexForward: in.ScanIndexForward, ConsistentRead: in.ConsistentRead, Limit: in.Limit, ExclusiveStartKey: in.ExclusiveStartKey,
	}
}

// only returns the placeholders that an expression uses, because the service rejects unused ones.
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

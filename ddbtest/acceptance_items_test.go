package ddbtest_test

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// These types stand for types of values in row, in addition to string, int, bool, []byte, nil,
// []any and map[string]any.
type (
	num   string   // a number with its spelling
	texts []string // a string set
	nums  []string // a number set
)

// row makes an item. The pairs alternate between names and values.
func row(pairs ...any) attributes {
	item := attributes{}
	for i := 0; i < len(pairs); i += 2 {
		item[pairs[i].(string)] = attr(pairs[i+1])
	}
	return item
}

func attr(v any) types.AttributeValue {
	switch v := v.(type) {
	case nil:
		return &types.AttributeValueMemberNULL{Value: true}
	case string:
		return text(v)
	case int:
		return number(v)
	case num:
		return &types.AttributeValueMemberN{Value: string(v)}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case []byte:
		return &types.AttributeValueMemberB{Value: v}
	case texts:
		return &types.AttributeValueMemberSS{Value: v}
	case nums:
		return &types.AttributeValueMemberNS{Value: v}
	case []any:
		list := make([]types.AttributeValue, len(v))
		for i, element := range v {
			list[i] = attr(element)
		}
		return &types.AttributeValueMemberL{Value: list}
	case map[string]any:
		m := attributes{}
		for name, element := range v {
			m[name] = attr(element)
		}
		return &types.AttributeValueMemberM{Value: m}
	case types.AttributeValue:
		return v
	default:
		return text(fmt.Sprintf("no value is made of a %T", v))
	}
}

// ptr returns a pointer to v, or nil for the zero value.
func ptr[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// ix is an index of a table.
type ix struct {
	name  string
	key   string // in the format of tableOf
	local bool
	holds string // "" is KEYS_ONLY, "*" is ALL, otherwise the projected names
}

// tableOf describes a table. A key has the format "pk:S sk:N", or "a:S b:S | c:N d:N" if it has
// several partition or sort attributes.
func tableOf(key string, indexes ...ix) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: aws.String("rows"), BillingMode: types.BillingModePayPerRequest}
	defined := map[string]bool{}
	in.KeySchema = keyOf(in, defined, key)
	for _, i := range indexes {
		projection := &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
		switch i.holds {
		case "":
		case "*":
			projection.ProjectionType = types.ProjectionTypeAll
		default:
			projection.ProjectionType, projection.NonKeyAttributes = types.ProjectionTypeInclude, strings.Fields(i.holds)
		}
		schema := keyOf(in, defined, i.key)
		if i.local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{IndexName: ptr(i.name), KeySchema: schema, Projection: projection})
			continue
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{IndexName: ptr(i.name), KeySchema: schema, Projection: projection})
	}
	return in
}

// keyOf returns a key schema and defines its attributes.
func keyOf(in *dynamodb.CreateTableInput, defined map[string]bool, key string) []types.KeySchemaElement {
	partition, sort, several := strings.Cut(key, "|")
	if !several {
		partition, sort, _ = strings.Cut(key, " ")
	}
	var schema []types.KeySchemaElement
	for i, part := range []string{partition, sort} {
		for _, field := range strings.Fields(part) {
			name, kind, _ := strings.Cut(field, ":")
			schema = append(schema, types.KeySchemaElement{AttributeName: &name, KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
			if !defined[name] {
				defined[name] = true
				in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeType(kind)})
			}
		}
	}
	return schema
}

// Package table has the operations on whole tables: creating one, and comparing it and its items
// with a schema.
package table

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

// Definition returns the input of CreateTable for a schema and a table name.
func Definition(s *core.Schema, name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keySchema(s.PartitionKey(), s.SortKey()),
	}
	for _, a := range s.KeyAttributes() {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: &a.Name, AttributeType: types.ScalarAttributeType(a.Type),
		})
	}
	for _, x := range s.Indexes {
		if x.Kind == trestle.LocalIndex {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
				IndexName: &x.Name, KeySchema: keySchema(x.Partition, x.Sort), Projection: projection(x),
			})
			continue
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: &x.Name, KeySchema: keySchema(x.Partition, x.Sort), Projection: projection(x),
		})
	}
	return in
}

func keySchema(partition, sort []core.Attribute) []types.KeySchemaElement {
	var out []types.KeySchemaElement
	for i := range partition {
		out = append(out, types.KeySchemaElement{AttributeName: &partition[i].Name, KeyType: types.KeyTypeHash})
	}
	for i := range sort {
		out = append(out, types.KeySchemaElement{AttributeName: &sort[i].Name, KeyType: types.KeyTypeRange})
	}
	return out
}

func projection(x *core.Index) *types.Projection {
	switch {
	case x.KeysOnly:
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	case len(x.Include) > 0:
		return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: x.Include}
	default:
		return &types.Projection{ProjectionType: types.ProjectionTypeAll}
	}
}

// Package table creates tables: it has the definition of the table of a schema.
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
		KeySchema:   KeySchema(s.PartitionKey(), s.SortKey()),
	}
	for _, a := range s.KeyAttributes() {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: &a.Name, AttributeType: types.ScalarAttributeType(a.Type),
		})
	}
	for _, x := range s.Indexes {
		if x.Kind == trestle.LocalIndex {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
				IndexName: &x.Name, KeySchema: KeySchema(x.Partition, x.Sort), Projection: Projection(x),
			})
			continue
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: &x.Name, KeySchema: KeySchema(x.Partition, x.Sort), Projection: Projection(x),
		})
	}
	return in
}

// KeySchema returns the key of a table or an index.
func KeySchema(partition, sort []core.Attribute) []types.KeySchemaElement {
	var out []types.KeySchemaElement
	for i := range partition {
		out = append(out, types.KeySchemaElement{AttributeName: &partition[i].Name, KeyType: types.KeyTypeHash})
	}
	for i := range sort {
		out = append(out, types.KeySchemaElement{AttributeName: &sort[i].Name, KeyType: types.KeyTypeRange})
	}
	return out
}

// Projection returns what an index projects.
func Projection(x *core.Index) *types.Projection {
	switch {
	case x.KeysOnly:
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	case len(x.Include) > 0:
		return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: x.Include}
	default:
		return &types.Projection{ProjectionType: types.ProjectionTypeAll}
	}
}

package maintain

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/table"
)

// indexOf returns an index of a schema, or nil.
func indexOf(s *core.Schema, name string) *core.Index {
	i := slices.IndexFunc(s.Indexes, func(x *core.Index) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return s.Indexes[i]
}

// createIndex returns the request that creates a global index.
func createIndex(of string, x *core.Index) *dynamodb.UpdateTableInput {
	in := updateIndex(of, types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{
		IndexName: &x.Name, KeySchema: table.KeySchema(x.Partition, x.Sort), Projection: table.Projection(x),
	}})
	for _, a := range slices.Concat(x.Partition, x.Sort) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &a.Name, AttributeType: types.ScalarAttributeType(a.Type)})
	}
	return in
}

// updateIndex returns a request that changes one global index of a table.
func updateIndex(of string, u types.GlobalSecondaryIndexUpdate) *dynamodb.UpdateTableInput {
	return &dynamodb.UpdateTableInput{TableName: &of, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{u}}
}

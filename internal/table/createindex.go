package table

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
)

// missingIndexes returns a request for each global index of the schema that a table lacks.
func (t Table) missingIndexes(got *types.TableDescription) (create []*dynamodb.UpdateTableInput) {
	if got == nil {
		return nil
	}
	there := globalIndexes(got)
	for _, x := range t.Schema.Indexes {
		if _, ok := there[x.Name]; !ok && x.Kind != trestle.LocalIndex {
			create = append(create, t.createIndex(x))
		}
	}
	return create
}

// createIndex returns the request that creates a global index.
func (t Table) createIndex(x *core.Index) *dynamodb.UpdateTableInput {
	in := t.update(types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{
		IndexName: &x.Name, KeySchema: keySchema(x.Partition, x.Sort), Projection: projection(x),
	}})
	for _, a := range slices.Concat(x.Partition, x.Sort) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &a.Name, AttributeType: types.ScalarAttributeType(a.Type)})
	}
	return in
}

// update returns a request that changes one global index.
func (t Table) update(u types.GlobalSecondaryIndexUpdate) *dynamodb.UpdateTableInput {
	return &dynamodb.UpdateTableInput{TableName: &t.Config.Table, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{u}}
}

package table

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/api"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// newCall returns a call on an empty database. It may be reused for several operations.
func newCall() *engine.Call {
	return &engine.Call{DB: store.NewDB(&clock.Clock{}), Config: &engine.Config{Region: "us-east-1", Account: "123456789012"}}
}

// key returns a key schema with HASH and RANGE attributes.
func key(partition []string, sorted ...string) []api.KeySchemaElement {
	var elements []api.KeySchemaElement
	for _, name := range partition {
		elements = append(elements, api.KeySchemaElement{AttributeName: name, KeyType: hashKey})
	}
	for _, name := range sorted {
		elements = append(elements, api.KeySchemaElement{AttributeName: name, KeyType: rangeKey})
	}
	return elements
}

func by(names ...string) []string { return names }

// texts returns definitions of attributes of type S.
func texts(names ...string) []api.AttributeDefinition {
	var defs []api.AttributeDefinition
	for _, name := range names {
		defs = append(defs, api.AttributeDefinition{AttributeName: name, AttributeType: "S"})
	}
	return defs
}

var all = &api.Projection{ProjectionType: "ALL"}

// simple returns a request for a table with the key a and b.
func simple(name string) *api.CreateTableInput {
	return &api.CreateTableInput{TableName: name, AttributeDefinitions: texts("a", "b"), KeySchema: key(by("a"), "b"), BillingMode: payPerRequest}
}

func global(name string, schema []api.KeySchemaElement) api.GlobalSecondaryIndex {
	return api.GlobalSecondaryIndex{IndexName: name, KeySchema: schema, Projection: all}
}

func local(name string, schema []api.KeySchemaElement) api.LocalSecondaryIndex {
	return api.LocalSecondaryIndex{IndexName: name, KeySchema: schema, Projection: all}
}

func units(read, write int64) *api.ProvisionedThroughput {
	return &api.ProvisionedThroughput{ReadCapacityUnits: &read, WriteCapacityUnits: &write}
}

// requireServiceError checks the code and the message of an error.
func requireServiceError(t *testing.T, err error, code, message string) {
	t.Helper()
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, code, serviceErr.Code)
	require.Equal(t, message, serviceErr.Message)
}

const invalidValues = "One or more parameter values were invalid: "

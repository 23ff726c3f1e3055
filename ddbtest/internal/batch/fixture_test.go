package batch_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }

func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

type (
	client = dynamodb.Client
	object = map[string]types.AttributeValue
)

// everywhere runs f on this engine and on the other available engines, each with the test tables.
func everywhere(t *testing.T, f func(t *testing.T, c *client)) {
	t.Helper()
	t.Run("ddbtest", func(t *testing.T) {
		t.Parallel()
		c := ddbtest.Client(t)
		createTables(t, c)
		f(t, c)
	})
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c := e.Client(t)
		createTables(t, c)
		f(t, c)
	})
}

// The test tables: a string key, a number key, and a sort key with indexes.
const (
	texts   = "texts"
	numbers = "numbers"
	indexed = "indexed"
)

func createTables(t *testing.T, c *client) {
	t.Helper()
	for _, in := range []*dynamodb.CreateTableInput{
		{TableName: aws.String(texts), AttributeDefinitions: definitions("pk:S"), KeySchema: schema("pk")},
		{TableName: aws.String(numbers), AttributeDefinitions: definitions("pk:N"), KeySchema: schema("pk")},
		{
			TableName: aws.String(indexed), AttributeDefinitions: definitions("pk:S", "sk:S", "l:S", "g:S"), KeySchema: schema("pk", "sk"),
			LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
				IndexName: aws.String("local"), KeySchema: schema("pk", "l"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			}},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
				IndexName: aws.String("global"), KeySchema: schema("g"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			}},
		},
	} {
		in.BillingMode = types.BillingModePayPerRequest
		_, err := c.CreateTable(t.Context(), in)
		require.NoError(t, err)
	}
}

func definitions(list ...string) []types.AttributeDefinition {
	var d []types.AttributeDefinition
	for _, text := range list {
		name, kind, _ := strings.Cut(text, ":")
		d = append(d, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeType(kind)})
	}
	return d
}

func schema(names ...string) []types.KeySchemaElement {
	var k []types.KeySchemaElement
	for i, name := range names {
		k = append(k, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
	}
	return k
}

// text makes an item from alternating names and string values.
func text(pairs ...string) object {
	o := object{}
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i]] = &types.AttributeValueMemberS{Value: pairs[i+1]}
	}
	return o
}

func number(n string) object { return object{"pk": &types.AttributeValueMemberN{Value: n}} }

func put(item object) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
}

func remove(key object) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
}

type writes map[string][]types.WriteRequest

func write(t *testing.T, c *client, w writes) {
	t.Helper()
	out, err := c.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: w})
	require.NoError(t, err)
	require.Empty(t, out.UnprocessedItems)
}

type reads map[string]types.KeysAndAttributes

func keys(list ...object) types.KeysAndAttributes {
	return types.KeysAndAttributes{Keys: list, ConsistentRead: aws.Bool(true)}
}

func read(t *testing.T, c *client, r reads) map[string][]object {
	t.Helper()
	out, err := c.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: r})
	require.NoError(t, err)
	require.Empty(t, out.UnprocessedKeys)
	return out.Responses
}

// numbered returns n items with a string key, each of the given size in bytes.
func numbered(n, size int) []object {
	list := make([]object, n)
	for i := range list {
		name := fmt.Sprintf("%03d", i)
		list[i] = text("pk", name)
		if size > 0 {
			list[i] = text("pk", name, "x", strings.Repeat("x", size-len("pk")-len(name)-len("x")))
		}
	}
	return list
}

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var serviceErr smithy.APIError
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, code, serviceErr.ErrorCode(), "%v", err)
}

func requireServiceError(t *testing.T, code string, err error) {
	t.Helper()
	var serviceErr *awserr.Error
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, code, serviceErr.Code)
}

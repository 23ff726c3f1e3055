package engines_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle/internal/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }

// tableName is the same in every test, because each test has databases of its own.
const tableName = "things"

func createTable(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:            aws.String(tableName),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
	})
	require.NoError(t, err)
}

func item(pk string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: pk}}
}

func put(t *testing.T, client *dynamodb.Client, pk string) {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(tableName), Item: item(pk)})
	require.NoError(t, err)
}

func get(t *testing.T, client *dynamodb.Client, pk string) map[string]types.AttributeValue {
	t.Helper()
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String(tableName), Key: item(pk), ConsistentRead: aws.Bool(true),
	})
	require.NoError(t, err)
	return out.Item
}

func TestEachPutsAndGets(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		createTable(t, client)
		put(t, client, "a")
		require.Equal(t, item("a"), get(t, client, "a"))
		require.Empty(t, get(t, client, "b"))
	})
}

func TestClientsOfOneEngineSeeTwoDatabases(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		one, two := e.Client(t), e.Client(t)
		createTable(t, one)
		put(t, one, "a")

		var unknown *types.ResourceNotFoundException
		_, err := two.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(tableName)})
		require.ErrorAs(t, err, &unknown, "the second client sees the first one's table")

		createTable(t, two)
		require.Empty(t, get(t, two, "a"))
	})
}

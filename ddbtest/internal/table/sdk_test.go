package table_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

const things = "things"

func thingsInput() *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: aws.String(things),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: "S"},
			{AttributeName: aws.String("sk"), AttributeType: "N"},
			{AttributeName: aws.String("lk"), AttributeType: "B"},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("sk"), KeyType: "RANGE"}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName:  aws.String("local"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("lk"), KeyType: "RANGE"}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
		BillingMode: types.BillingModePayPerRequest,
	}
}

// indexInput adds an index "owners" with the partition key owner and team, and the sort key age and
// name.
func indexInput() *dynamodb.UpdateTableInput {
	create := &types.CreateGlobalSecondaryIndexAction{
		IndexName: aws.String("owners"),
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("owner"), KeyType: "HASH"}, {AttributeName: aws.String("team"), KeyType: "HASH"},
			{AttributeName: aws.String("age"), KeyType: "RANGE"}, {AttributeName: aws.String("name"), KeyType: "RANGE"},
		},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"color"}},
	}
	return &dynamodb.UpdateTableInput{
		TableName: aws.String(things),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("owner"), AttributeType: "S"}, {AttributeName: aws.String("team"), AttributeType: "S"},
			{AttributeName: aws.String("age"), AttributeType: "N"}, {AttributeName: aws.String("name"), AttributeType: "S"},
		},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: create}},
	}
}

func thing(pk, age string) map[string]types.AttributeValue {
	s := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	return map[string]types.AttributeValue{
		"pk": s(pk), "sk": &types.AttributeValueMemberN{Value: "1"}, "owner": s("o"), "team": s("t"), "age": &types.AttributeValueMemberN{Value: age},
		"name": s("n" + pk), "color": s("red"), "other": s("not projected"),
	}
}

// TestWaiters creates, updates and deletes a table with a delay, and waits with the SDK's waiters,
// in fake time.
func TestWaiters(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{TableDelay: 5 * time.Minute})
		client := db.Client()
		described := &dynamodb.DescribeTableInput{TableName: aws.String(things)}
		exists, gone := dynamodb.NewTableExistsWaiter(client), dynamodb.NewTableNotExistsWaiter(client)

		_, err := client.CreateTable(t.Context(), thingsInput())
		require.NoError(t, err)
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing("a", "1")})
		require.ErrorAs(t, err, new(*types.ResourceNotFoundException))
		require.NoError(t, exists.Wait(t.Context(), described, time.Hour))
		for pk, age := range map[string]string{"a": "10", "b": "9", "c": "-1"} {
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(things), Item: thing(pk, age)})
			require.NoError(t, err)
		}

		_, err = client.UpdateTable(t.Context(), indexInput())
		require.NoError(t, err)
		query := &dynamodb.QueryInput{
			TableName: aws.String(things), IndexName: aws.String("owners"), KeyConditionExpression: aws.String("#o = :o AND team = :t AND age > :a"),
			ExpressionAttributeNames: map[string]string{"#o": "owner"},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":o": &types.AttributeValueMemberS{Value: "o"}, ":t": &types.AttributeValueMemberS{Value: "t"}, ":a": &types.AttributeValueMemberN{Value: "0"},
			},
		}
		_, err = client.Query(t.Context(), query)
		requireCode(t, err, "ValidationException")
		require.NoError(t, exists.Wait(t.Context(), described, time.Hour))
		out, err := client.Query(t.Context(), query)
		require.NoError(t, err)
		require.Len(t, out.Items, 2)
		require.Equal(t, &types.AttributeValueMemberS{Value: "b"}, out.Items[0]["pk"], "9 is less than 10")
		require.Len(t, out.Items[0], 7)

		_, err = client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(things)})
		require.NoError(t, err)
		require.NoError(t, gone.Wait(t.Context(), described, time.Hour))
	})
}

func requireCode(t *testing.T, err error, code string) {
	t.Helper()
	var api smithy.APIError
	require.ErrorAs(t, err, &api)
	require.Equal(t, code, api.ErrorCode())
}

// TestTablesThroughTheSDK checks a description and the tags as the client decodes them.
func TestTablesThroughTheSDK(t *testing.T) {
	t.Parallel()
	client := ddbtest.Client(t)
	in := thingsInput()
	in.Tags = []types.Tag{{Key: aws.String("team"), Value: aws.String("a")}}
	in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeKeysOnly}
	created, err := client.CreateTable(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, types.TableStatusCreating, created.TableDescription.TableStatus)
	_, err = client.UpdateTable(t.Context(), indexInput())
	require.NoError(t, err)

	out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: created.TableDescription.TableArn})
	require.NoError(t, err)
	d := out.Table
	require.Equal(t, types.TableStatusActive, d.TableStatus)
	require.Equal(t, in.KeySchema, d.KeySchema)
	require.Len(t, d.AttributeDefinitions, 7)
	require.Equal(t, in.StreamSpecification, d.StreamSpecification)
	require.Equal(t, in.LocalSecondaryIndexes[0].Projection, d.LocalSecondaryIndexes[0].Projection)
	require.Equal(t, types.IndexStatusActive, d.GlobalSecondaryIndexes[0].IndexStatus)
	require.Equal(t, []string{"color"}, d.GlobalSecondaryIndexes[0].Projection.NonKeyAttributes)
	require.Equal(t, types.BillingModePayPerRequest, d.BillingModeSummary.BillingMode)
	require.Equal(t, *d.CreationDateTime, *d.BillingModeSummary.LastUpdateToPayPerRequestDateTime)
	require.WithinDuration(t, time.Now(), *d.CreationDateTime, time.Minute)

	tags, err := client.ListTagsOfResource(t.Context(), &dynamodb.ListTagsOfResourceInput{ResourceArn: d.TableArn})
	require.NoError(t, err)
	require.Equal(t, in.Tags, tags.Tags)

	_, err = client.CreateTable(t.Context(), in)
	require.ErrorAs(t, err, new(*types.ResourceInUseException))
	_, err = client.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("none")})
	require.ErrorAs(t, err, new(*types.ResourceNotFoundException))
}

// TestExpiryThroughTheSDK checks that expired items are gone from the table and its indexes.
func TestExpiryThroughTheSDK(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t, ddbtest.Options{TTLDelay: time.Hour})
		client := db.Client()
		db.CreateTable(t, thingsInput())
		_, err := client.UpdateTable(t.Context(), indexInput())
		require.NoError(t, err)
		_, err = client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
			TableName: aws.String(things), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("age"), Enabled: aws.Bool(true)},
		})
		require.NoError(t, err)
		// About a minute after the start of the fake clock.
		for pk, age := range map[string]string{"a": "946684860", "b": "946684861", "c": "0"} {
			db.Load(t, things, thing(pk, age))
		}
		left := func(index *string) int32 {
			out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(things), IndexName: index})
			require.NoError(t, err)
			return out.Count
		}
		for _, step := range []struct {
			d    time.Duration
			left int32
		}{{time.Minute, 3}, {time.Hour - time.Second, 3}, {time.Second, 2}, {time.Second, 1}, {24 * time.Hour, 1}} {
			db.Advance(step.d)
			require.Equal(t, step.left, left(nil))
			require.Equal(t, step.left, left(aws.String("owners")))
		}
	})
}

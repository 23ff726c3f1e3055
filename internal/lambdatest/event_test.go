package lambdatest

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

type attributes = map[string]types.AttributeValue

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }

// allTypes has a value of each type.
var allTypes = attributes{
	"id": text("a"), "s": text(""), "n": number("1.5"), "b": &types.AttributeValueMemberB{Value: []byte{0, 255}},
	"bool": &types.AttributeValueMemberBOOL{Value: true}, "null": &types.AttributeValueMemberNULL{Value: true},
	"l":  &types.AttributeValueMemberL{Value: []types.AttributeValue{text("x"), &types.AttributeValueMemberL{Value: []types.AttributeValue{}}}},
	"m":  &types.AttributeValueMemberM{Value: attributes{"in": number("-2"), "empty": &types.AttributeValueMemberM{Value: attributes{}}}},
	"ss": &types.AttributeValueMemberSS{Value: []string{"x", "y"}}, "ns": &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
	"bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
}

// TestEvent decodes the events of an insertion, an update, a deletion and an expiry.
func TestEvent(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t, ddbtest.Options{Region: "eu-north-1"})
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName:            aws.String("orders"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: "HASH"}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	client := db.Client()
	_, err := client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("orders"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("until"), Enabled: aws.Bool(true)},
	})
	require.NoError(t, err)
	began := db.Now()
	db.Load(t, "orders", allTypes)
	db.Load(t, "orders", attributes{"id": text("a"), "n": number("2")})
	_, err = client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("orders"), Key: attributes{"id": text("a")}})
	require.NoError(t, err)
	db.Load(t, "orders", attributes{"id": text("b"), "until": number(strconv.FormatInt(began.Add(time.Hour).Unix(), 10))})
	db.Advance(2 * time.Hour)

	records := db.Records("orders")
	var event events.DynamoDBEvent
	require.NoError(t, json.Unmarshal(records.LambdaEvent(), &event))
	require.Len(t, event.Records, 5)
	var names []string
	for i, r := range event.Records {
		names = append(names, r.EventName)
		require.Equal(t, []string{"aws:dynamodb", "1.1", "eu-north-1"}, []string{r.EventSource, r.EventVersion, r.AWSRegion})
		require.Equal(t, records[i].Stream, r.EventSourceArn)
		require.Contains(t, r.EventSourceArn, "arn:aws:dynamodb:eu-north-1:123456789012:table/orders/stream/")
		require.Equal(t, records[i].ID, r.EventID)
		require.Equal(t, records[i].Sequence, r.Change.SequenceNumber)
		require.Equal(t, records[i].Size, r.Change.SizeBytes)
		require.Positive(t, r.Change.SizeBytes)
		require.Equal(t, "NEW_AND_OLD_IMAGES", r.Change.StreamViewType)
		require.WithinDuration(t, began, r.Change.ApproximateCreationDateTime.Time, 2*time.Hour)
		require.Equal(t, i == 4, r.UserIdentity != nil)
	}
	require.Equal(t, []string{"INSERT", "MODIFY", "REMOVE", "INSERT", "REMOVE"}, names)
	require.Equal(t, &events.DynamoDBUserIdentity{Type: "Service", PrincipalID: "dynamodb.amazonaws.com"}, event.Records[4].UserIdentity)

	inserted := event.Records[0].Change
	require.Nil(t, inserted.OldImage)
	require.Equal(t, "a", inserted.Keys["id"].String())
	require.Len(t, inserted.NewImage, len(allTypes))
	got := inserted.NewImage
	require.Equal(t, "1.5", got["n"].Number())
	require.Equal(t, []byte{0, 255}, got["b"].Binary())
	require.True(t, got["bool"].Boolean())
	require.True(t, got["null"].IsNull())
	require.Equal(t, "x", got["l"].List()[0].String())
	require.Equal(t, "-2", got["m"].Map()["in"].Number())
	require.Equal(t, []string{"x", "y"}, got["ss"].StringSet())
	require.Equal(t, []string{"1", "2"}, got["ns"].NumberSet())
	require.Equal(t, [][]byte{{1}, {2}}, got["bs"].BinarySet())

	updated := event.Records[1].Change
	require.Equal(t, []string{"1.5", "2"}, []string{updated.OldImage["n"].Number(), updated.NewImage["n"].Number()})
	removed := event.Records[2].Change
	require.Nil(t, removed.NewImage)
	require.Equal(t, "2", removed.OldImage["n"].Number())
}

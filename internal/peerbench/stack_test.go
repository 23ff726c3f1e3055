package peerbench

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// stackCalls are calls of the SDK alone, with the requests of Trestle, on replies without items. So
// they cost what every call costs that uses the SDK, without encoding and decoding.
func stackCalls(tb testing.TB) []writer {
	tb.Helper()
	client := clientOf(noReply(tb))
	table := aws.String("bench")
	key := map[string]types.AttributeValue{"PK": avS("CUS#c001"), "SK": avS("ORD#000007")}
	o := orderOf(0)
	item, err := sdkOrder(&o)
	require.NoError(tb, err)
	return []writer{
		{"get", func(ctx context.Context) error {
			_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
			return err
		}},
		{"put", func(ctx context.Context) error {
			_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: item, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
			return err
		}},
		{"update", func(ctx context.Context) error {
			_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: table, Key: key,
				UpdateExpression: aws.String("SET #s = :s, #t = :t"), ConditionExpression: aws.String("attribute_exists(PK) AND #p = :p"),
				ExpressionAttributeNames: map[string]string{"#s": "status", "#t": "total", "#p": "paid"},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":s": avS("returned"), ":t": &types.AttributeValueMemberN{Value: "7"}, ":p": &types.AttributeValueMemberBOOL{Value: true},
				},
				ReturnValues: types.ReturnValueAllNew, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			})
			return err
		}},
	}
}

// BenchmarkStack measures the SDK's part of a call, below which no library on it can go.
func BenchmarkStack(b *testing.B) {
	for _, c := range stackCalls(b) {
		b.Run(c.name, func(b *testing.B) {
			cpu := cpuTime(b)
			measure(b, c.write)
			b.ReportMetric(float64(cpuTime(b)-cpu)/float64(b.N), "cpu-ns/op")
		})
	}
}

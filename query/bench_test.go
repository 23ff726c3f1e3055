package query_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/query"
)

var inputSink *dynamodb.QueryInput

// Building a query's request, beside the same request written by hand.
func BenchmarkBuild(b *testing.B) {
	table, err := schema.Open(silent{}, "people")
	require.NoError(b, err)
	es := employees.In(table)
	b.Run("trestle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			inputSink, err = query.On(es, "by-hire", employee{CompanyID: "c001"}).Where(hiredAt.Ge(day(2))).Limit(25).Input()
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			id := "c001"
			inputSink = &dynamodb.QueryInput{
				TableName: aws.String("people"), IndexName: aws.String("GSI1"), Limit: aws.Int32(25),
				KeyConditionExpression:   aws.String("#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2"),
				ExpressionAttributeNames: map[string]string{"#n0": "GSI1PK", "#n1": "GSI1SK"},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":v0": &types.AttributeValueMemberS{Value: "COM#" + id},
					":v1": &types.AttributeValueMemberS{Value: "HIRED#" + day(2).Format("2006-01-02")},
					":v2": &types.AttributeValueMemberS{Value: "HIRED$"},
				},
				ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			}
		}
	})
	b.Run("condition only", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			condSink = hiredAt.Ge(day(2))
		}
	})
}

var condSink any

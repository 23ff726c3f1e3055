package peerbench

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/trestledb/trestle/query"
)

var (
	inputSink *dynamodb.QueryInput
	peerSink  *dynamo.Query
)

// BenchmarkBuild builds the request of a query with Trestle, by hand, and with guregu/dynamo. That
// library builds its request when it sends it, so its last step is not measured.
func BenchmarkBuild(b *testing.B) {
	since := epoch.Truncate(24 * time.Hour)
	b.Run("trestle", func(b *testing.B) {
		repo := orders.In(tableOn(b, clientOf(nil)))
		b.ReportAllocs()
		for b.Loop() {
			in, err := query.On(repo, "by-day", Order{Customer: "c001"}).Where(placedAt.Ge(since)).Limit(25).Input()
			if err != nil {
				b.Fatal(err)
			}
			inputSink = in
		}
	})
	b.Run("hand", func(b *testing.B) {
		b.ReportAllocs()
		customer := "c001"
		for b.Loop() {
			inputSink = &dynamodb.QueryInput{
				TableName: aws.String("bench"), IndexName: aws.String("GSI1"), Limit: aws.Int32(25),
				KeyConditionExpression:   aws.String("#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2"),
				ExpressionAttributeNames: map[string]string{"#n0": "GSI1PK", "#n1": "GSI1SK"},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":v0": avS("CUS#" + customer),
					":v1": avS("DAY#" + since.Format(time.DateOnly)),
					":v2": avS("DAY#9999-12-31$"),
				},
				ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			}
		}
	})
	b.Run("guregu", func(b *testing.B) {
		table := dynamo.NewFromIface(clientOf(nil)).Table("bench")
		b.ReportAllocs()
		for b.Loop() {
			peerSink = table.Get("GSI1PK", "CUS#"+"c001").Index("GSI1").Range("GSI1SK", dynamo.Between, "DAY#"+since.Format(time.DateOnly), "DAY#9999-12-31$").Limit(25)
		}
	})
}

package query_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/testsize"
	"github.com/trestledb/trestle/query"
)

var (
	inputSink *dynamodb.QueryInput
	condSink  any
)

func build(es *entity.Repo[employee]) (*dynamodb.QueryInput, error) {
	return query.On(es, "by-hire", employee{CompanyID: "c001"}).Where(hiredAt.Ge(day(2))).Limit(25).Input()
}

func buildByHand(company string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: aws.String("people"), IndexName: aws.String("GSI1"), Limit: aws.Int32(25),
		KeyConditionExpression:   aws.String("#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2"),
		ExpressionAttributeNames: map[string]string{"#n0": "GSI1PK", "#n1": "GSI1SK"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":v0": &types.AttributeValueMemberS{Value: "COM#" + company},
			":v1": &types.AttributeValueMemberS{Value: "HIRED#" + day(2).Format("2006-01-02")},
			":v2": &types.AttributeValueMemberS{Value: "HIRED#9999-12-31$"},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
}

// BenchmarkBuild compares building a query's request with the same request written by hand.
func BenchmarkBuild(b *testing.B) {
	table, err := schema.Open(silent{}, "people")
	require.NoError(b, err)
	es := employees.In(table)
	b.Run("trestle", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if inputSink, err = build(es); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			inputSink = buildByHand("c001")
		}
	})
	b.Run("condition only", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			condSink = hiredAt.Ge(day(2))
		}
	})
}

// Building a query's request allocates little more than a handwritten request, and both are equal.
func TestBuildAllocations(t *testing.T) {
	table, err := schema.Open(silent{}, "people")
	require.NoError(t, err)
	es := employees.In(table)
	in, err := build(es)
	require.NoError(t, err)
	require.Equal(t, buildByHand("c001"), in)
	if testsize.Race {
		t.Skip("the race detector allocates too")
	}
	ours := testing.AllocsPerRun(1000, func() { inputSink, err = build(es) })
	hand := testing.AllocsPerRun(1000, func() { inputSink = buildByHand("c001") })
	require.LessOrEqual(t, ours, hand+10)
}

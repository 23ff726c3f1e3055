package write

import (
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/attr"
	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/op"
)

// Each benchmark compares the library with a handwritten program that makes the same request.

func putByHand(e employee, now time.Time) (*dynamodb.PutItemInput, error) {
	old := e.Version
	e.Version, e.UpdatedAt = old+1, now
	item, err := attributevalue.MarshalMap(e)
	if err != nil {
		return nil, err
	}
	item["_type"] = text("employee")
	item["PK"], item["SK"] = text("COM#"+e.CompanyID), text("EMP#"+e.ID)
	item["GSI1PK"], item["GSI1SK"] = text("COM#"+e.CompanyID), text("HIRED#"+e.HiredAt.Format("2006-01-02")+"#"+e.ID)
	item["GSI2PK"], item["GSI2SK"] = text("RANK#"+e.Status), text("000"+strconv.FormatInt(e.Level, 10)+"#"+e.HiredAt.Format(time.RFC3339))
	return &dynamodb.PutItemInput{
		TableName: aws.String("app"), Item: item, ConditionExpression: aws.String("#n0 = :v0"),
		ExpressionAttributeNames:            map[string]string{"#n0": "version"},
		ExpressionAttributeValues:           op.Item{":v0": number(strconv.FormatInt(old, 10))},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}, nil
}

func putPlanned(args PutArgs) (*dynamodb.PutItemInput, error) {
	o, _, err := Put(args)
	return o.Actions[0].PutItemInput("app"), err
}

func updateByHand(e employee, status string, now time.Time) (*dynamodb.UpdateItemInput, error) {
	hired, err := attributevalue.Marshal(e.HiredAt)
	if err != nil {
		return nil, err
	}
	at, err := attributevalue.Marshal(now)
	if err != nil {
		return nil, err
	}
	return &dynamodb.UpdateItemInput{
		TableName: aws.String("app"), Key: op.Item{"PK": text("COM#" + e.CompanyID), "SK": text("EMP#" + e.ID)},
		UpdateExpression:    aws.String("SET #n0 = :v0, #n1 = :v1, #n2 = :v2, #n3 = :v3, #n4 = :v4"),
		ConditionExpression: aws.String("#n1 = :v5 AND #n5 = :v6 AND #n6 = :v7"),
		ExpressionAttributeNames: map[string]string{
			"#n0": "status", "#n1": "version", "#n2": "updated_at", "#n3": "GSI2PK", "#n4": "GSI2SK", "#n5": "level", "#n6": "hired_at",
		},
		ExpressionAttributeValues: op.Item{
			":v5": number(strconv.FormatInt(e.Version, 10)), ":v0": text(status), ":v1": number(strconv.FormatInt(e.Version+1, 10)), ":v2": at,
			":v3": text("RANK#" + status), ":v4": text("000" + strconv.FormatInt(e.Level, 10) + "#" + e.HiredAt.Format(time.RFC3339)),
			":v6": number(strconv.FormatInt(e.Level, 10)), ":v7": hired,
		},
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}, nil
}

func updatePlanned(args UpdateArgs) (*dynamodb.UpdateItemInput, error) {
	o, err := Update(args)
	return o.Actions[0].UpdateItemInput("app"), err
}

// TestHandwrittenRequestsAreEqual checks that both sides of a benchmark make the same request.
func TestHandwrittenRequestsAreEqual(t *testing.T) {
	t.Parallel()
	p := planOf[employee](t, twoIndexes)
	e := anna
	planned, err := putPlanned(putArgs(p, &e))
	require.NoError(t, err)
	hand, err := putByHand(anna, noon)
	require.NoError(t, err)
	require.Equal(t, hand, planned)

	update, err := updatePlanned(updateArgs(p, anna, status.Set("left")))
	require.NoError(t, err)
	updateHand, err := updateByHand(anna, "left", noon)
	require.NoError(t, err)
	require.Equal(t, updateHand, update)
}

func BenchmarkPut(b *testing.B) {
	p := planOf[employee](b, twoIndexes)
	b.Run("planned", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e := anna
			if _, err := putPlanned(PutArgs{Plan: p, Entity: codec.PtrTo(&e), Now: noon}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := putByHand(anna, noon); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkUpdate(b *testing.B) {
	p := planOf[employee](b, twoIndexes)
	b.Run("planned", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := updatePlanned(updateArgs(p, anna, status.Set("left"))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("no index", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := updatePlanned(updateArgs(p, anna, attr.Add(logins, 1))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := updateByHand(anna, "left", noon); err != nil {
				b.Fatal(err)
			}
		}
	})
}

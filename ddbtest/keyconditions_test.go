package ddbtest_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/engines"
)

// TestKeyConditionsWithoutEqualities checks the messages for an index whose keys have several
// attributes: partition key h and i, sort key a, b, c and d.
func TestKeyConditionsWithoutEqualities(t *testing.T) {
	t.Parallel()
	const hash = " must have equality conditions specified in the query"
	const because = hash + " because a condition is present on key attribute "
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		client := e.Client(t)
		in := &dynamodb.CreateTableInput{
			TableName: aws.String(things), BillingMode: types.BillingModePayPerRequest,
			KeySchema:              []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash}},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("several"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}},
		}
		for i, name := range []string{"pk", "h", "i", "a", "b", "c", "d"} {
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: "S"})
			element := types.KeySchemaElement{AttributeName: aws.String(name), KeyType: types.KeyTypeRange}
			if i < 3 {
				element.KeyType = types.KeyTypeHash
			}
			if i > 0 {
				in.GlobalSecondaryIndexes[0].KeySchema = append(in.GlobalSecondaryIndexes[0].KeySchema, element)
			}
		}
		_, err := client.CreateTable(t.Context(), in)
		require.NoError(t, err)
		for condition, want := range map[string]string{
			"h = :v":                       "HASH key attributes i" + hash,
			"i = :v AND a = :v":            "HASH key attributes h" + hash,
			"a = :v":                       "HASH key attributes h, i" + hash,
			"h > :v AND i = :v":            "HASH key attributes h" + hash,
			"h = :v AND i = :v AND b = :v": "RANGE key attributes a" + because + "b",
			"h = :v AND i = :v AND d = :v AND c = :v":  "RANGE key attributes a, b" + because + "c",
			"h = :v AND i = :v AND d > :v":             "RANGE key attributes a, b, c" + because + "d",
			"h = :v AND i = :v AND b = :v AND x = :v":  "RANGE key attributes a" + because + "b",
			"h = :v AND i = :v AND a > :v AND c = :v":  "RANGE key attributes b" + because + "c",
			"h = :v AND i = :v AND a > :v AND b = :v":  "RANGE key attributes a" + because + "b",
			"h=:v AND i=:v AND a>:v AND b=:v AND c=:v": "RANGE key attributes a" + because + "c",
			"h=:v AND i=:v AND a>:v AND b>:v AND c=:v": "RANGE key attributes a, b" + because + "c",
			"b > :v AND i = :v AND a = :v AND h = :v":  "",
		} {
			_, err := client.Query(t.Context(), &dynamodb.QueryInput{
				TableName: aws.String(things), IndexName: aws.String("several"), KeyConditionExpression: aws.String(condition),
				ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberS{Value: "v"}},
			})
			if want == "" {
				require.NoError(t, err)
				continue
			}
			var rejected smithy.APIError
			require.ErrorAs(t, err, &rejected, condition)
			require.Equal(t, want, rejected.ErrorMessage(), condition)
		}
	})
}

package attr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/expr"
)

// At every limit, the library rejects exactly the conditions that DynamoDB rejects.
func TestLimitsMatchDynamoDB(t *testing.T) {
	t.Parallel()
	client := newTable(t)
	joined := func(n int, clause string) string {
		return strings.TrimSuffix(strings.Repeat(clause+" AND ", n), " AND ")
	}
	in := func(n int) string { return "#n IN (" + strings.TrimSuffix(strings.Repeat(":v, ", n), ", ") + ")" }
	for text, taken := range map[string]bool{
		joined(150, "#n = :v"):                      true, // 299 operators
		joined(151, "#n = :v"):                      false,
		joined(150, "#n BETWEEN :v AND :v"):         true,
		joined(151, "#n BETWEEN :v AND :v"):         false,
		joined(150, "#n IN (:v)"):                   true,
		joined(151, "#n IN (:v)"):                   false,
		joined(100, "NOT #n < :v"):                  true,
		joined(101, "NOT #n < :v"):                  false,
		joined(100, "size(#n) = :v"):                true,
		joined(101, "size(#n) = :v"):                false,
		joined(149, "#n = :v") + " AND NOT #n = :v": true, // 300
		"#n = :v" + strings.Repeat(" ", 4096-7):     true,
		"#n = :v" + strings.Repeat(" ", 4097-7):     false,
		in(100):                                     true,
	} {
		_, err := client.Scan(t.Context(), &dynamodb.ScanInput{
			TableName: aws.String(tableName), FilterExpression: &text, ExpressionAttributeNames: map[string]string{"#n": "n"},
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberN{Value: "1"}},
		})
		name := fmt.Sprintf("%d bytes of %.20s", len(text), text)
		require.Equal(t, taken, err == nil, "the service: %s: %v", name, err)
		require.Equal(t, taken, expr.CheckCondition(text) == nil, name)
	}
	_, err := client.Scan(t.Context(), &dynamodb.ScanInput{
		TableName: aws.String(tableName), FilterExpression: aws.String(in(101)), ExpressionAttributeNames: map[string]string{"#n": "n"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberN{Value: "1"}},
	})
	require.Error(t, err, "In refuses 101 operands by itself")
}

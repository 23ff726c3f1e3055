package costs

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
)

// Two rulers agree.
func TestItemSize(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"0", "7", "42", "100", "1000000", "12345"} {
		item := map[string]types.AttributeValue{
			"number": &types.AttributeValueMemberN{Value: number},
			"text":   &types.AttributeValueMemberS{Value: "ü and more"},
			"flag":   &types.AttributeValueMemberBOOL{Value: true},
			"none":   &types.AttributeValueMemberNULL{Value: true},
			"deep": &types.AttributeValueMemberL{Value: []types.AttributeValue{
				&types.AttributeValueMemberS{Value: "x"},
				&types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"y": &types.AttributeValueMemberN{Value: number}}},
			}},
		}
		require.Equal(t, codec.ItemSize(item), itemSize(item), number)
	}
}

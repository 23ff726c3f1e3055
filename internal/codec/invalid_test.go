package codec

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

// Encoding refuses a set that holds a value twice, which DynamoDB refuses. It refuses text that is
// not UTF-8, which the SDK would store as another text. attributevalue encodes both.
func TestInvalidSetsAndTexts(t *testing.T) {
	t.Parallel()
	type named string
	type T struct {
		Text  string                          `dynamodbav:",omitempty"`
		Texts []string                        `dynamodbav:",omitempty"`
		Map   map[string]string               `dynamodbav:",omitempty"`
		Any   map[string]any                  `dynamodbav:",omitempty"`
		Keys  map[named]int                   `dynamodbav:",omitempty"`
		SS    []string                        `dynamodbav:",stringset,omitempty"`
		Named []named                         `dynamodbav:",stringset,omitempty"`
		NS    []float64                       `dynamodbav:",numberset,omitempty"`
		Nums  []json.Number                   `dynamodbav:",numberset,omitempty"`
		BS    [][]byte                        `dynamodbav:",omitempty"`
		Raw   types.AttributeValue            `dynamodbav:",omitempty"`
		Rest  map[string]types.AttributeValue `dynamodbav:",omitempty"`
	}
	var long []string
	for i := range 40 {
		long = append(long, strconv.Itoa(i))
	}
	bad := "a\xffb"
	for _, v := range []T{
		{Text: bad}, {Texts: []string{"a", bad}}, {Map: map[string]string{"a": bad}}, {Map: map[string]string{bad: "a"}}, {Any: map[string]any{"a": []any{bad}}},
		{Any: map[string]any{bad: 1}}, {Keys: map[named]int{named(bad): 1}}, {SS: []string{bad}}, {Named: []named{named(bad)}}, {Raw: text(bad)},
		{Raw: &types.AttributeValueMemberSS{Value: []string{bad}}}, {Rest: Item{"a": &types.AttributeValueMemberM{Value: Item{bad: text("a")}}}},
		{SS: []string{"a", "b", "a"}}, {Named: []named{"a", "a"}}, {SS: append(slices.Clip(long), "7")}, {NS: []float64{1, 2, 1}}, {Nums: []json.Number{"1", "1.0"}},
		{BS: [][]byte{{1}, {2}, {1}}},
	} {
		_, err := encodeOf(t, v)
		var at *FieldError
		require.ErrorAs(t, err, &at, "%+q", v)
		require.NotContains(t, err.Error(), bad)
		_, err = oracleEncode(&v)
		require.NoError(t, err)
	}
	_, err := encodeOf(t, T{Text: "a\ufffdb", SS: append([]string{""}, long...), NS: []float64{1, 2}, BS: [][]byte{{1}, {}}})
	require.NoError(t, err)
}

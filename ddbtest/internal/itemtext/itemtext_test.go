package itemtext

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// values has values with their plain and their typed JSON.
var values = []struct {
	value        types.AttributeValue
	plain, typed string
}{
	{text("a<\"é\n"), `"a<\"é\n"`, `{"S":"a<\"é\n"}`},
	{text("\xff"), `"\ufffd"`, `{"S":"\ufffd"}`},
	{&types.AttributeValueMemberN{Value: "-1.50"}, `-1.50`, `{"N":"-1.50"}`},
	{&types.AttributeValueMemberN{Value: "+1"}, `"+1"`, `{"N":"+1"}`},
	{&types.AttributeValueMemberN{Value: "1 "}, `"1 "`, `{"N":"1 "}`},
	{&types.AttributeValueMemberN{Value: "true"}, `"true"`, `{"N":"true"}`},
	{&types.AttributeValueMemberN{Value: "null"}, `"null"`, `{"N":"null"}`},
	{&types.AttributeValueMemberN{Value: `"1"`}, `"\"1\""`, `{"N":"\"1\""}`},
	{&types.AttributeValueMemberN{Value: "invalid"}, `"invalid"`, `{"N":"invalid"}`},
	{&types.AttributeValueMemberB{Value: []byte{0, 255}}, `"AP8="`, `{"B":"AP8="}`},
	{&types.AttributeValueMemberBOOL{Value: true}, `true`, `{"BOOL":true}`},
	{&types.AttributeValueMemberBOOL{}, `false`, `{"BOOL":false}`},
	{&types.AttributeValueMemberNULL{Value: true}, `null`, `{"NULL":true}`},
	{&types.AttributeValueMemberL{Value: []types.AttributeValue{text("b"), text("a")}}, `["b","a"]`, `{"L":[{"S":"b"},{"S":"a"}]}`},
	{&types.AttributeValueMemberL{}, `[]`, `{"L":[]}`},
	{&types.AttributeValueMemberM{Value: Item{"y": text("1"), "x": text("2")}}, `{"x":"2","y":"1"}`, `{"M":{"x":{"S":"2"},"y":{"S":"1"}}}`},
	{&types.AttributeValueMemberSS{Value: []string{"b", "a"}}, `["a","b"]`, `{"SS":["a","b"]}`},
	{&types.AttributeValueMemberNS{Value: []string{"2", "1"}}, `[1,2]`, `{"NS":["1","2"]}`},
	{&types.AttributeValueMemberBS{Value: [][]byte{{2}, {1}}}, `["AQ==","Ag=="]`, `{"BS":["AQ==","Ag=="]}`},
	{nil, `null`, `null`},
	{(*types.AttributeValueMemberS)(nil), `null`, `null`},
	{&types.UnknownUnionMember{}, `null`, `null`},
}

func TestValues(t *testing.T) {
	t.Parallel()
	for _, v := range values {
		require.Equal(t, v.plain, string(appendPlain(nil, v.value)))
		require.Equal(t, v.typed, string(appendTyped(nil, v.value)))
		require.True(t, json.Valid([]byte(v.plain)))
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[]\n", Plain(nil))
	require.Equal(t, "[\n  {}\n]\n", Plain([]Item{{}}))
	// The order of the names matters, so JSONEq does not do.
	for got, want := range map[string]string{
		Plain([]Item{{"b": text("2"), "a": text("1")}, {"c": nil}}): "[\n  {\n    \"a\": \"1\",\n    \"b\": \"2\"\n  },\n  {\n    \"c\": null\n  }\n]\n",
		string(Typed(Item{"b": text("2"), "a": text("1")})):         `{"a":{"S":"1"},"b":{"S":"2"}}`,
		string(PlainItem(Item{"b": text("2"), "a": text("1")})):     `{"a":"1","b":"2"}`,
	} {
		require.Equal(t, want, got)
	}
}

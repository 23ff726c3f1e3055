package sdkvalue_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/sdkvalue"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

type item = map[string]types.AttributeValue

// TestKey checks that a key survives the conversion to a value and back.
func TestKey(t *testing.T) {
	t.Parallel()
	key := item{
		"s": &types.AttributeValueMemberS{Value: "a"}, "n": &types.AttributeValueMemberN{Value: "1.5"}, "b": &types.AttributeValueMemberB{Value: []byte{1}},
	}
	m, err := sdkvalue.Key(key)
	require.NoError(t, err)
	require.Equal(t, key, sdkvalue.Attributes(m))
	for name, v := range key {
		require.NoError(t, sdkvalue.Check(v))
		require.Equal(t, m.Get(name).Kind(), sdkvalue.Kind(v))
	}
	require.Equal(t, value.Kind(0), sdkvalue.Kind(nil))
	for _, v := range []types.AttributeValue{nil, &types.AttributeValueMemberBOOL{}, &types.AttributeValueMemberN{Value: "x"}} {
		_, err := sdkvalue.Key(item{"k": v})
		require.Error(t, err)
	}
}

// TestCheck covers the deepest nesting, and sets.
func TestCheck(t *testing.T) {
	t.Parallel()
	nested := func(depth int) types.AttributeValue {
		var v types.AttributeValue = &types.AttributeValueMemberS{}
		for range depth {
			v = &types.AttributeValueMemberL{Value: []types.AttributeValue{v}}
		}
		return v
	}
	require.NoError(t, sdkvalue.Check(nested(32)))
	require.Error(t, sdkvalue.Check(nested(33)))
	require.Error(t, sdkvalue.Check((*types.AttributeValueMemberS)(nil)))
	require.Error(t, sdkvalue.Check(&types.AttributeValueMemberNS{Value: []string{"x"}}))
	set := &types.AttributeValueMemberSS{Value: []string{"b", "a", "ab"}}
	require.NoError(t, sdkvalue.Check(set))
	require.Equal(t, []string{"b", "a", "ab"}, set.Value, "the set is unchanged")
	require.Error(t, sdkvalue.Check(&types.AttributeValueMemberSS{Value: []string{"b", "a", "b"}}))
	require.NoError(t, sdkvalue.Check(&types.AttributeValueMemberBS{Value: [][]byte{{2}, {1}}}))
	require.Error(t, sdkvalue.Check(&types.AttributeValueMemberBS{Value: [][]byte{{2}, {1}, {2}}}))
}

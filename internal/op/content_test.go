package op_test

import (
	"maps"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/codec"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/keys"
)

// Both forms of an item have the same attributes, size and identity.
func TestContent(t *testing.T) {
	t.Parallel()
	item := op.Item{
		"N": number("10.0"), "text": &types.AttributeValueMemberS{Value: "a\"b"}, "list": &types.AttributeValueMemberL{Value: []types.AttributeValue{number("-1.5")}},
	}
	json, err := itemjson.Append(nil, item)
	require.NoError(t, err)
	others := maps.Clone(item)
	delete(others, "N")
	rest, err := itemjson.Append(nil, others)
	require.NoError(t, err)
	schema := &core.Schema{Partition: core.Attribute{Name: "N", Type: keys.N}, Position: []core.Attribute{{Name: "N", Type: keys.N}}}
	const key = `{"N":{"N":"10.0"}`
	for name, content := range map[string]*op.Content{
		"map": op.NewContent(item), "JSON": op.JSONContent(json, 0), "JSON after the key": op.JSONContent([]byte(key+","+string(rest[1:])), len(key)),
	} {
		var several sync.WaitGroup
		for range 3 {
			several.Go(func() {
				require.Equal(t, item, content.Map(), name)
				require.Equal(t, codec.ItemSize(item), content.Size(), name)
				require.Equal(t, op.Item{"N": number("10.0")}, schema.KeyOf(content.Row()), name)
				require.Equal(t, op.Item{"N": number("10.0")}, schema.KeyOf(content.KeyRow()), name)
				require.GreaterOrEqual(t, content.MaxSize(), content.Size(), name)
			})
		}
		several.Wait()
		a := op.Action{Verb: op.Put, Plan: &core.Plan{Schema: schema}, Item: content}
		require.Equal(t, "3:app3:1e1", a.Identity("app"), name)
		require.Equal(t, name != "map", content.JSON() != nil, name)
	}
	for _, none := range []*op.Content{nil, op.NewContent(nil)} {
		require.Nil(t, none)
		require.Nil(t, none.Map())
		require.Nil(t, none.JSON())
		require.True(t, none.Row().Empty())
		require.True(t, none.KeyRow().Empty())
		require.Zero(t, none.Size())
	}
}

// The item of an input is empty, not nil, if it is JSON: the SDK requires it.
func TestInputsOfJSON(t *testing.T) {
	t.Parallel()
	a := op.Action{Verb: op.Put, Item: op.JSONContent([]byte(`{"PK":{"S":"a"}}`), 0)}
	require.Equal(t, op.Item{}, a.PutItemInput("app").Item)
	require.Equal(t, op.Item{}, op.TransactWriteInput([]op.Action{a}, "app", "t").TransactItems[0].Put.Item)
	require.Equal(t, op.Item{}, op.BatchWriteInput("app", []*op.Action{&a}).RequestItems["app"][0].PutRequest.Item)
}

package exec

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/testjson"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// keysInput returns the input of a batch read with those keys, or without keys.
func keysInput(keys []op.Item) *dynamodb.BatchGetItemInput {
	return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"Keys": {
		Keys: keys, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("#Keys"), ExpressionAttributeNames: map[string]string{"#Keys": "Keys"},
	}}}
}

// listOf returns keys as JSON.
func listOf(r *rand.Rand, keys []op.Item) *KeyList {
	json := []byte("[")
	for i, key := range keys {
		if i > 0 {
			json = append(json, ',')
		}
		json = append(json, bytes.TrimSpace(testjson.Append(r, nil, key))...)
	}
	return &KeyList{JSON: append(json, ']'), Maps: func() []op.Item { return keys }}
}

// randomKeys returns some keys, which may have any attributes.
func randomKeys(r *rand.Rand) []op.Item {
	keys := make([]op.Item, 1+r.IntN(5))
	for i := range keys {
		keys[i] = randomAttributes(r, 0)
	}
	return keys
}

// A batch read has the same body whether its keys are maps or JSON, also if the SDK gets maps. The
// negative control is a list of other keys.
func TestKeysInJSON(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	differ := 0
	for range testsize.Pick(200, 2000, 20_000) {
		var list []sent
		c := newEnv(&script{replies: []reply{requests(t, &list, says(200, `{"Responses":{}}`))}})
		keys := randomKeys(r)
		send := func(in *dynamodb.BatchGetItemInput, keys *KeyList) {
			r := c.BatchGet(t.Context(), in, keys)
			require.NoError(t, r.err)
		}
		send(keysInput(keys), nil)
		send(keysInput(nil), listOf(r, keys)) // the client is asked for the maps
		c.JSON = SendsJSON(c.Client)
		require.True(t, c.JSON)
		send(keysInput(nil), listOf(r, keys))
		send(keysInput(nil), listOf(r, randomKeys(r)))
		require.Len(t, list, 4)
		require.Equal(t, list[0].body, list[1].body)
		require.Equal(t, list[0].body, list[2].body)
		if !reflect.DeepEqual(list[0].body, list[3].body) {
			differ++
		}
	}
	require.Positive(t, differ)
}

// A middleware finds the keys in the input.
func TestOptionsOfABatchRead(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	keys := randomKeys(r)
	var list []sent
	var seen []op.Item
	c := newEnv(&script{replies: []reply{requests(t, &list, says(200, `{"Responses":{}}`))}})
	c.JSON, c.SDK = true, []func(*dynamodb.Options){looking(&seen)}
	reply := c.BatchGet(t.Context(), keysInput(nil), listOf(r, keys))
	require.NoError(t, reply.err)
	require.Equal(t, keys, seen)
	c.SDK = nil
	require.NoError(t, func() error { r := c.BatchGet(t.Context(), keysInput(keys), nil); return r.err }())
	require.Equal(t, list[1].body, list[0].body)
}

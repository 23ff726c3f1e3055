package exec

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/op"
)

// otherClient is a client that uses its inputs in its own way and runs no options.
type otherClient struct {
	trestle.Client
	items []op.Item
}

func (c *otherClient) PutItem(_ context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c.items = append(c.items, in.Item)
	return &dynamodb.PutItemOutput{}, nil
}

func (c *otherClient) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	c.items = append(c.items, in.RequestItems["app"].Keys...)
	return &dynamodb.BatchGetItemOutput{}, nil
}

// A client gets items and keys as attribute maps, unless JSON may be sent and is not switched off.
func TestInputsOfOtherClients(t *testing.T) {
	t.Parallel()
	key := op.Item{"PK": text("a")}
	json := []byte(`{"PK":{"S":"a"}}`)
	for _, c := range []struct{ json, switchedOff, maps bool }{{false, false, true}, {true, true, true}, {true, false, false}} {
		client := &otherClient{}
		config := &Config{Table: "app", Client: client, JSON: c.json, AttributeValues: c.switchedOff}
		put := config.action(t.Context(), &op.Action{Verb: op.Put, Plan: plainPlan, Item: op.JSONContent(json, 0)})
		require.NoError(t, put.err)
		read := config.BatchGet(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"app": {}}},
			&KeyList{JSON: []byte("[" + string(json) + "]"), Maps: func() []op.Item { return []op.Item{key} }})
		require.NoError(t, read.err)
		if c.maps {
			require.Equal(t, []op.Item{key, key}, client.items)
		} else { // the negative control
			require.Equal(t, []op.Item{{}, {}}, client.items)
		}
	}
}

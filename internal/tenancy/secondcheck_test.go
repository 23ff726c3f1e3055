package tenancy_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	sdk "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/expr"
	"github.com/trestledb/trestle/internal/hooks"
	"github.com/trestledb/trestle/internal/itemjson"
	"github.com/trestledb/trestle/internal/op"
)

// The executor refuses each request of a plan that is for another tenant, and sends nothing.
func TestSecondCheck(t *testing.T) {
	t.Parallel()
	w := newWorld(t, engines.Engine{Name: engines.InProcess}, layouts()[0], "a", "ab")
	require.NoError(t, w.b.albums.Create(t.Context(), &album{ID: "1"}))
	w.record.take()
	bound := hooks.TableOf(w.a.table)
	item, err := w.types.albums.Encode(&album{Tenant: "ab", ID: "1"})
	require.NoError(t, err)
	key := op.Item{"PK": item["PK"], "SK": item["SK"]}
	json, err := itemjson.Append(nil, item)
	require.NoError(t, err)
	config := *bound.Config
	config.JSON, bound.Config = true, &config
	plan := bound.Schema.Plans[0]
	do := func(token string, actions ...op.Action) func(context.Context) error {
		for i := range actions {
			actions[i].Plan = plan
		}
		return func(ctx context.Context) error {
			return exec.Do(ctx, bound.Config, &op.Operation{Name: "x", Plan: plan, Actions: actions, Token: token}, func(op.Reply) error { return nil })
		}
	}
	respond := func(f func(ctx context.Context) exec.Response) func(context.Context) error {
		return func(ctx context.Context) error {
			call, r := exec.NewCall(bound.Config, trestle.OperationInfo{Operation: "x"}, plan, trestle.NoWrite), f(ctx)
			return call.Account(&r)
		}
	}
	remove := op.Action{Verb: op.Update, Key: key}
	remove.Change().ChangeAttribute(expr.Remove, "title", nil)
	requests := map[string]func(context.Context) error{
		"get":               do("", op.Action{Verb: op.Get, Key: key}),
		"put":               do("", op.Action{Verb: op.Put, Item: op.NewContent(item)}),
		"put of JSON":       do("", op.Action{Verb: op.Put, Item: op.JSONContent(json, 0)}),
		"puts of JSON":      do("token", op.Action{Verb: op.Put, Item: op.JSONContent(json, 0)}),
		"update":            do("", remove),
		"delete":            do("", op.Action{Verb: op.Delete, Key: key}),
		"transaction":       do("token", op.Action{Verb: op.Delete, Key: key}),
		"read transaction":  do("", op.Action{Verb: op.Get, Key: key}, op.Action{Verb: op.Get, Key: key}),
		"several deletions": do("", op.Action{Verb: op.Delete, Key: key}, remove),
		"query": respond(func(ctx context.Context) exec.Response {
			return bound.Config.Page(ctx, &dynamodb.QueryInput{
				TableName: aws.String("photos"), KeyConditionExpression: aws.String("#p = :p"), ExpressionAttributeNames: map[string]string{"#p": "PK"},
				ExpressionAttributeValues: op.Item{":p": key["PK"]},
			}, nil)
		}),
		"scan": respond(func(ctx context.Context) exec.Response {
			return bound.Config.Page(ctx, nil, &dynamodb.ScanInput{TableName: aws.String("photos")})
		}),
		"batch get": respond(func(ctx context.Context) exec.Response {
			return bound.Config.BatchGet(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]sdk.KeysAndAttributes{"photos": {Keys: []map[string]sdk.AttributeValue{key}}}}, nil)
		}),
		"batch get of JSON": respond(func(ctx context.Context) exec.Response {
			keys, err := itemjson.Append([]byte("["), key)
			require.NoError(t, err)
			list := &exec.KeyList{JSON: append(keys, ']'), Maps: func() []op.Item { return []op.Item{key} }}
			return bound.Config.BatchGet(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]sdk.KeysAndAttributes{"photos": {}}}, list)
		}),
		"batch write of JSON": respond(func(ctx context.Context) exec.Response {
			return bound.Config.BatchWrite(ctx, "photos", []*op.Action{{Verb: op.Put, Plan: plan, Item: op.JSONContent(json, 0)}})
		}),
		"batch write": respond(func(ctx context.Context) exec.Response {
			return bound.Config.BatchWrite(ctx, "photos", []*op.Action{{Verb: op.Delete, Key: key}})
		}),
	}
	for name, request := range requests {
		err := request(t.Context())
		require.ErrorIs(t, err, trestle.ErrTenant, name)
		var failed *trestle.OpError
		require.ErrorAs(t, err, &failed, name)
		require.Equal(t, trestle.ErrTenant, failed.Kind, name)
		require.NotEqual(t, trestle.Applied, trestle.OutcomeOf(err), name)
		require.NotEqual(t, trestle.Unknown, trestle.OutcomeOf(err), name)
	}
	inputs, _, _ := w.record.take()
	require.Empty(t, inputs)

	// The keys in JSON of its own tenant are not refused.
	own := *hooks.TableOf(w.b.table).Config
	own.JSON = true
	keys, err := itemjson.Append([]byte("["), key)
	require.NoError(t, err)
	list := &exec.KeyList{JSON: append(keys, ']'), Maps: func() []op.Item { return []op.Item{key} }}
	reply := own.BatchGet(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]sdk.KeysAndAttributes{"photos": {}}}, list)
	call := exec.NewCall(&own, trestle.OperationInfo{Operation: "x"}, plan, trestle.NoWrite)
	require.NoError(t, call.Account(&reply))
	rows := reply.Tables["photos"]
	require.Equal(t, 1, rows.Len())
	_, err = w.b.albums.Get(t.Context(), album{ID: "1"})
	require.NoError(t, err)
}

package transact_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/internal/engines"
	"github.com/trestledb/trestle/internal/testrand"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Main(m)) }

func newRand(t *testing.T) *rand.Rand {
	t.Helper()
	return testrand.New(t)
}

func ptr[T any](v T) *T { return &v }

type (
	client = dynamodb.Client
	object = map[string]types.AttributeValue
	action = types.TransactWriteItem
)

// everywhere runs f on this engine and on the other available engines, each with the test tables.
func everywhere(t *testing.T, f func(t *testing.T, c *client)) {
	t.Helper()
	t.Run("ddbtest", func(t *testing.T) {
		t.Parallel()
		f(t, newClient(t))
	})
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		c := e.Client(t)
		createTables(t, c)
		f(t, c)
	})
}

func newClient(t *testing.T) *client {
	t.Helper()
	c := ddbtest.Client(t)
	createTables(t, c)
	return c
}

// The test tables: a string key, a number key, and a sort key with indexes.
const (
	texts   = "texts"
	numbers = "numbers"
	indexed = "indexed"
)

func createTables(t *testing.T, c *client) {
	t.Helper()
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	for _, in := range []*dynamodb.CreateTableInput{
		{TableName: ptr(texts), AttributeDefinitions: definitions("pk:S"), KeySchema: schema("pk")},
		{TableName: ptr(numbers), AttributeDefinitions: definitions("pk:N"), KeySchema: schema("pk")},
		{
			TableName: ptr(indexed), AttributeDefinitions: definitions("pk:S", "sk:S", "l:S", "g:S"), KeySchema: schema("pk", "sk"),
			LocalSecondaryIndexes:  []types.LocalSecondaryIndex{{IndexName: ptr("local"), KeySchema: schema("pk", "l"), Projection: all}},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: ptr("global"), KeySchema: schema("g"), Projection: all}},
		},
	} {
		in.BillingMode = types.BillingModePayPerRequest
		_, err := c.CreateTable(t.Context(), in)
		require.NoError(t, err)
	}
}

func definitions(list ...string) []types.AttributeDefinition {
	var d []types.AttributeDefinition
	for _, text := range list {
		name, kind, _ := strings.Cut(text, ":")
		d = append(d, types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeType(kind)})
	}
	return d
}

func schema(names ...string) []types.KeySchemaElement {
	var k []types.KeySchemaElement
	for i, name := range names {
		k = append(k, types.KeySchemaElement{AttributeName: &name, KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
	}
	return k
}

// item makes an item from alternating names and values: a string, an int, or an attribute value.
func item(pairs ...any) object {
	o := object{}
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		switch v := pairs[i+1].(type) {
		case string:
			o[name] = &types.AttributeValueMemberS{Value: v}
		case int:
			o[name] = &types.AttributeValueMemberN{Value: fmt.Sprint(v)}
		case types.AttributeValue:
			o[name] = v
		}
	}
	return o
}

// The functions below make actions on the table texts; see on for others. The values of a condition
// or an update are passed as to item.

func put(o object) action { return action{Put: &types.Put{TableName: ptr(texts), Item: o}} }

func remove(key object) action {
	return action{Delete: &types.Delete{TableName: ptr(texts), Key: key}}
}

func update(key object, expression string, values ...any) action {
	u := &types.Update{TableName: ptr(texts), Key: key, UpdateExpression: &expression}
	if len(values) > 0 {
		u.ExpressionAttributeValues = item(values...)
	}
	return action{Update: u}
}

func check(key object, condition string, values ...any) action {
	c := &types.ConditionCheck{TableName: ptr(texts), Key: key, ConditionExpression: &condition}
	if len(values) > 0 {
		c.ExpressionAttributeValues = item(values...)
	}
	return action{ConditionCheck: c}
}

func on(table string, a action) action {
	a = copied(a)
	switch {
	case a.Put != nil:
		a.Put.TableName = &table
	case a.Delete != nil:
		a.Delete.TableName = &table
	case a.Update != nil:
		a.Update.TableName = &table
	default:
		a.ConditionCheck.TableName = &table
	}
	return a
}

// when adds a condition to a put, update or delete. The condition of an update shares the values of
// the update.
func when(a action, condition string, values ...any) action {
	a = copied(a)
	var v object
	if len(values) > 0 {
		v = item(values...)
	}
	switch {
	case a.Put != nil:
		a.Put.ConditionExpression, a.Put.ExpressionAttributeValues = &condition, v
	case a.Delete != nil:
		a.Delete.ConditionExpression, a.Delete.ExpressionAttributeValues = &condition, v
	default:
		a.Update.ConditionExpression = &condition
	}
	return a
}

func copied(a action) action {
	return action{Put: clone(a.Put), Delete: clone(a.Delete), Update: clone(a.Update), ConditionCheck: clone(a.ConditionCheck)}
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func try(t *testing.T, c *client, actions ...action) error {
	t.Helper()
	_, err := c.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	return err
}

func stored(t *testing.T, c *client, table string, key object) object {
	t.Helper()
	out, err := c.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: ptr(true)})
	require.NoError(t, err)
	return out.Item
}

func keep(t *testing.T, c *client, table string, items ...object) {
	t.Helper()
	for _, o := range items {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: o})
		require.NoError(t, err)
	}
}

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var serviceErr smithy.APIError
	require.ErrorAs(t, err, &serviceErr)
	require.Equal(t, code, serviceErr.ErrorCode(), "%.500v", err)
}

// codes returns the codes of the cancellation reasons.
func codes(t *testing.T, err error) []string {
	t.Helper()
	var canceled *types.TransactionCanceledException
	require.ErrorAs(t, err, &canceled)
	var list []string
	for _, r := range canceled.CancellationReasons {
		list = append(list, *r.Code)
	}
	return list
}

package ddbtest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// The tables of these tests. The key of plain is pk, keyed has pk, sk and indexes, and bytes has a
// binary key.
const (
	plain   = "plain"
	keyed   = "keyed"
	byBytes = "bytes"
)

func limitsClient(t *testing.T) *dynamodb.Client {
	t.Helper()
	db := ddbtest.Start(t)
	define := func(kind types.ScalarAttributeType, names ...string) (list []types.AttributeDefinition) {
		for _, name := range names {
			list = append(list, types.AttributeDefinition{AttributeName: &name, AttributeType: kind})
		}
		return list
	}
	key := func(hash []string, sort ...string) (list []types.KeySchemaElement) {
		for _, name := range hash {
			list = append(list, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeHash})
		}
		for _, name := range sort {
			list = append(list, types.KeySchemaElement{AttributeName: &name, KeyType: types.KeyTypeRange})
		}
		return list
	}
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	db.CreateTable(t, &dynamodb.CreateTableInput{TableName: aws.String(plain), AttributeDefinitions: define("S", "pk"), KeySchema: key([]string{"pk"})})
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName: aws.String(byBytes), AttributeDefinitions: define("B", "pk", "sk"), KeySchema: key([]string{"pk"}, "sk"),
	})
	db.CreateTable(t, &dynamodb.CreateTableInput{
		TableName: aws.String(keyed), AttributeDefinitions: define("S", "pk", "sk", "l", "g", "h", "a", "b", "c", "d"), KeySchema: key([]string{"pk"}, "sk"),
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{IndexName: aws.String("local"), KeySchema: key([]string{"pk"}, "l"), Projection: all}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("global"), KeySchema: key([]string{"g"}, "h"), Projection: all},
			{IndexName: aws.String("several"), KeySchema: key([]string{"a", "b"}, "c", "d"), Projection: all},
		},
	})
	return db.Client()
}

func letters(n int) types.AttributeValue { return text(strings.Repeat("x", n)) }

func octets(n int) types.AttributeValue { return &types.AttributeValueMemberB{Value: make([]byte, n)} }

// writers lists all ways to store an item. The names of its key attributes are in key.
var writers = map[string]func(ctx context.Context, c *dynamodb.Client, table string, item attributes, key ...string) error{
	"PutItem": func(ctx context.Context, c *dynamodb.Client, table string, item attributes, _ ...string) error {
		_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item})
		return err
	},
	"UpdateItem": func(ctx context.Context, c *dynamodb.Client, table string, item attributes, key ...string) error {
		u := setAll(table, item, key)
		_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression,
			ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues,
		})
		return err
	},
	"BatchWriteItem": func(ctx context.Context, c *dynamodb.Client, table string, item attributes, _ ...string) error {
		_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			table: {{PutRequest: &types.PutRequest{Item: item}}},
		}})
		return err
	},
	"TransactWriteItems, a put": func(ctx context.Context, c *dynamodb.Client, table string, item attributes, _ ...string) error {
		return transact(ctx, c, types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}})
	},
	"TransactWriteItems, an update": func(ctx context.Context, c *dynamodb.Client, table string, item attributes, key ...string) error {
		return transact(ctx, c, types.TransactWriteItem{Update: setAll(table, item, key)})
	},
}

func transact(ctx context.Context, c *dynamodb.Client, actions ...types.TransactWriteItem) error {
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	return err
}

// setAll returns an update that sets all attributes of an item.
func setAll(table string, item attributes, key []string) *types.Update {
	u := &types.Update{TableName: &table, Key: attributes{}}
	var clauses []string
	for i, name := range slices.Sorted(maps.Keys(item)) {
		if slices.Contains(key, name) {
			u.Key[name] = item[name]
			continue
		}
		if u.ExpressionAttributeNames == nil {
			u.ExpressionAttributeNames, u.ExpressionAttributeValues = map[string]string{}, attributes{}
		}
		n, v := fmt.Sprint("#", i), fmt.Sprint(":", i)
		u.ExpressionAttributeNames[n], u.ExpressionAttributeValues[v] = name, item[name]
		clauses = append(clauses, n+" = "+v)
	}
	if len(clauses) == 0 {
		u.UpdateExpression = aws.String("REMOVE nothing")
		return u
	}
	u.UpdateExpression = aws.String("SET " + strings.Join(clauses, ", "))
	return u
}

// keyRequests lists all requests with a key, except those that store the item.
var keyRequests = map[string]func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error{
	"GetItem": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		_, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key})
		return err
	},
	"DeleteItem": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key})
		return err
	},
	"BatchGetItem": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{table: {Keys: []attributes{key}}}})
		return err
	},
	"BatchWriteItem, a delete": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			table: {{DeleteRequest: &types.DeleteRequest{Key: key}}},
		}})
		return err
	},
	"TransactGetItems": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		_, err := c.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: &table, Key: key}}}})
		return err
	},
	"TransactWriteItems, a delete": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		return transact(ctx, c, types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: key}})
	},
	"TransactWriteItems, a check": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		return transact(ctx, c, types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: &table, Key: key, ConditionExpression: aws.String("attribute_not_exists(nothing)"),
		}})
	},
	"Query": func(ctx context.Context, c *dynamodb.Client, table string, key attributes) error {
		condition, values := "pk = :pk", attributes{":pk": key["pk"]}
		if sk, ok := key["sk"]; ok {
			condition, values[":sk"] = "pk = :pk AND sk = :sk", sk
		}
		_, err := c.Query(ctx, &dynamodb.QueryInput{TableName: &table, KeyConditionExpression: &condition, ExpressionAttributeValues: values})
		return err
	},
}

// around returns the distances from a limit to test. For DynamoDB Local, which is slow, it omits
// the first.
func (s *session) around() []int {
	if s.local {
		return around[1:]
	}
	return around
}

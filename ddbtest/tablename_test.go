package ddbtest_test

import (
	"context"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// tableRequests lists requests about a table.
var tableRequests = map[string]func(ctx context.Context, c *dynamodb.Client, table string) error{
	"DescribeTable": func(ctx context.Context, c *dynamodb.Client, table string) error {
		_, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		return err
	},
	"DeleteTable": func(ctx context.Context, c *dynamodb.Client, table string) error {
		_, err := c.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &table})
		return err
	},
	"UpdateTable": func(ctx context.Context, c *dynamodb.Client, table string) error {
		_, err := c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &table, BillingMode: "PAY_PER_REQUEST"})
		return err
	},
	"DescribeTimeToLive": func(ctx context.Context, c *dynamodb.Client, table string) error {
		_, err := c.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &table})
		return err
	},
	"Scan": func(ctx context.Context, c *dynamodb.Client, table string) error {
		_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: &table})
		return err
	},
}

// TestShortTableName names a table with two letters in every request. A name has at least three, so
// the request is invalid, and it is not that there is no such table.
func TestShortTableName(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, tableOf("pk:S"), func(s *session) {
		requests := maps.Clone(tableRequests)
		for name, send := range keyRequests {
			requests[name] = func(ctx context.Context, c *dynamodb.Client, table string) error {
				return send(ctx, c, table, row("pk", "a"))
			}
		}
		for name, store := range writers {
			requests[name] = func(ctx context.Context, c *dynamodb.Client, table string) error {
				return store(ctx, c, table, row("pk", "a"), "pk")
			}
		}
		for name, send := range requests {
			if s.local && name == "TransactGetItems" {
				continue // it looks for the table first
			}
			requireCode(s.T, "ValidationException", send(s.Context(), s.client, "xx"), name)
			requireCode(s.T, "ResourceNotFoundException", send(s.Context(), s.client, "xxx"), name)
		}
	})
}

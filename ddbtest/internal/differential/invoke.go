package differential

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// invoke sends a request with the right method.
func invoke(ctx context.Context, c *dynamodb.Client, input any) (any, error) {
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		return c.PutItem(ctx, in)
	case *dynamodb.GetItemInput:
		return c.GetItem(ctx, in)
	case *dynamodb.UpdateItemInput:
		return c.UpdateItem(ctx, in)
	case *dynamodb.DeleteItemInput:
		return c.DeleteItem(ctx, in)
	case *dynamodb.QueryInput:
		return c.Query(ctx, in)
	case *dynamodb.ScanInput:
		return c.Scan(ctx, in)
	case *dynamodb.BatchGetItemInput:
		return c.BatchGetItem(ctx, in)
	case *dynamodb.BatchWriteItemInput:
		return c.BatchWriteItem(ctx, in)
	case *dynamodb.TransactGetItemsInput:
		return c.TransactGetItems(ctx, in)
	case *dynamodb.TransactWriteItemsInput:
		sent := *in // a copy, because the SDK would set its token
		return c.TransactWriteItems(ctx, &sent)
	default:
		return invokeOnTable(ctx, c, input)
	}
}

func invokeOnTable(ctx context.Context, c *dynamodb.Client, input any) (any, error) {
	switch in := input.(type) {
	case *dynamodb.CreateTableInput:
		return c.CreateTable(ctx, in)
	case *dynamodb.DescribeTableInput:
		return c.DescribeTable(ctx, in)
	case *dynamodb.UpdateTableInput:
		return c.UpdateTable(ctx, in)
	case *dynamodb.DeleteTableInput:
		return c.DeleteTable(ctx, in)
	case *dynamodb.UpdateTimeToLiveInput:
		return c.UpdateTimeToLive(ctx, in)
	case *dynamodb.DescribeTimeToLiveInput:
		return c.DescribeTimeToLive(ctx, in)
	default:
		return nil, fmt.Errorf("differential: no call takes %T", input)
	}
}

package differential

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// form is how an operation runs on each engine.
type form int

const (
	plainCall      form = iota
	firstPage           // a read that opens a slot for its next pages
	nextPage            // the next page of a slot's read, on each engine
	deleteAtCursor      // deletes the last item of a slot's last page
	allSegments         // a parallel scan of all segments, to their ends
)

// operation is one operation to run on both engines.
type operation struct {
	form    form
	input   any      // pointer to a request of the SDK, never modified
	slot    int      // of a paginated read; 0 is none
	token   int      // of a transaction; 0 is none
	invalid string   // why the request is invalid; "" if it is valid
	marks   []string // what it uses, for the coverage
	legacy  []string // the legacy parameters that it uses, for the coverage of their outcomes
}

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

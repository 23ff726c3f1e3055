package services

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// outbox stores an event with each order, in one transaction. A relay sends the events to a feed
// that ignores an event that it has. The bug: the relay marks an event as sent before it sends it.
type outbox struct {
	client *dynamodb.Client
	mended bool
}

func (o *outbox) order(ctx context.Context, order string) error {
	return transact(ctx, o.client,
		types.TransactWriteItem{Put: &types.Put{TableName: aws.String("orders"), Item: key("order", order)}},
		types.TransactWriteItem{Put: &types.Put{
			TableName: aws.String("orders"), Item: pendingEvent(order),
		}},
	)
}

// pendingEvent is the event of an order that is not sent.
func pendingEvent(order string) item {
	return with(key("outbox", order), item{"pending": str("yes")})
}

// relay sends the events that are not sent.
func (o *outbox) relay(ctx context.Context) error {
	out, err := o.client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("orders"), ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("pk = :outbox"),
		FilterExpression: aws.String("attribute_exists(pending)"), ExpressionAttributeValues: item{":outbox": str("outbox")},
	})
	if err != nil {
		return err
	}
	for _, event := range out.Items {
		steps := []func(context.Context, string) error{o.mark, o.send}
		if o.mended {
			steps = []func(context.Context, string) error{o.send, o.mark}
		}
		for _, step := range steps {
			if err := step(ctx, text(event, "sk")); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *outbox) mark(ctx context.Context, order string) error {
	_, err := o.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("orders"), Key: key("outbox", order), UpdateExpression: aws.String("REMOVE pending"),
	})
	return err
}

func (o *outbox) send(ctx context.Context, order string) error {
	_, err := o.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: key("feed", order)})
	return err
}

// outboxService has an order, a shop that takes another one, and two relays.
var outboxService = service{
	name:   "outbox",
	setup:  table("orders", partitions, key("order", "1"), pendingEvent("1")),
	faults: explore.Faults{explore.Crash: 1, explore.LostReply: 1}, few: 1,
	scene: func(mended bool) *scene {
		order := func(ctx context.Context, client *dynamodb.Client) {
			o := &outbox{client, mended}
			_ = o.order(ctx, "2")
		}
		relay := func(ctx context.Context, client *dynamodb.Client) { _ = (&outbox{client, mended}).relay(ctx) }
		return &scene{
			actors: []actor{
				{name: "shop", run: order},
				{name: "relay-1", run: relay, again: relay},
				{name: "relay-2", run: relay, again: relay},
			},
			check: func(db *ddbtest.DB) error {
				for _, i := range db.Dump("orders") {
					order := text(i, "sk")
					switch event := find(db, "orders", key("outbox", order)); {
					case event == nil:
						return fmt.Errorf("the order %s has no event", order)
					case event["pending"] == nil && find(db, "orders", key("feed", order)) == nil:
						return fmt.Errorf("the event of order %s is lost: it is marked as sent, but was not sent", order)
					}
				}
				return nil
			},
		}
	},
}

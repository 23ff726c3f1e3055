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

// counters counts visits. The bug: the SDK repeats an update whose reply is lost, and the visit is
// counted twice. A transaction has a token, so that it is applied once.
type counters struct {
	client *dynamodb.Client
	mended bool
}

func (c *counters) visit(ctx context.Context, page string) error {
	add := &types.Update{
		TableName: aws.String("pages"), Key: id(page), UpdateExpression: aws.String("ADD visits :one"),
		ExpressionAttributeValues: item{":one": num(1)},
	}
	if c.mended {
		return transact(ctx, c.client, types.TransactWriteItem{Update: add})
	}
	_, err := c.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: add.TableName, Key: add.Key, UpdateExpression: add.UpdateExpression,
		ExpressionAttributeValues: add.ExpressionAttributeValues,
	})
	return err
}

// counterService has two clients that visit the same page, twice each.
var counterService = service{
	name:   "counter",
	setup:  table("pages", single),
	faults: explore.Faults{explore.LostReply: 2, explore.LateRequest: 1}, maxFaults: 2,
	scene: func(mended bool) *scene {
		var results [4]result
		visit := func(calls ...int) clientFunc {
			return func(ctx context.Context, client *dynamodb.Client) {
				c := &counters{client, mended}
				for _, n := range calls {
					results[n] = resultOf(c.visit(ctx, "home"))
				}
			}
		}
		return &scene{
			actors: []actor{{name: "alice", run: visit(0, 1)}, {name: "bob", run: visit(2, 3)}},
			check: func(db *ddbtest.DB) error {
				var visits tally
				for _, r := range results {
					visits.add(r, 1)
				}
				if n := number(find(db, "pages", id("home")), "visits"); !visits.includes(n) {
					return fmt.Errorf("%d visits were counted, not %s", n, &visits)
				}
				return nil
			},
		}
	},
}

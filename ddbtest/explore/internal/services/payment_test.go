package services

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// payments charges a card. A client that does not know whether its payment was made repeats it with
// the same key. The bug: the key is stored after the charge, so a repeated payment charges twice.
type payments struct {
	client *dynamodb.Client // does not repeat requests, because its callers repeat payments
	mended bool
}

var errLimit = errors.New("the limit is exceeded")

const limit = 100

func (p *payments) pay(ctx context.Context, paymentKey string, amount int) error {
	charge := &types.Update{
		TableName: aws.String("payments"), Key: id("card"), UpdateExpression: aws.String("ADD charged :amount"),
		ConditionExpression:       aws.String("attribute_not_exists(charged) OR charged <= :max"),
		ExpressionAttributeValues: item{":amount": num(amount), ":max": num(limit - amount)},
	}
	if p.mended {
		err := transact(ctx, p.client,
			types.TransactWriteItem{Put: &types.Put{
				TableName: aws.String("payments"), Item: id("key#" + paymentKey), ConditionExpression: aws.String("attribute_not_exists(id)"),
			}},
			types.TransactWriteItem{Update: charge},
		)
		switch {
		case refusedBy(err, 0): // this payment was made
			return nil
		case refusedBy(err, 1):
			return errLimit
		default:
			return err
		}
	}
	out, err := p.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("payments"), Key: id("key#" + paymentKey), ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item != nil {
		return err
	}
	_, err = p.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: charge.TableName, Key: charge.Key, UpdateExpression: charge.UpdateExpression,
		ConditionExpression: charge.ConditionExpression, ExpressionAttributeValues: charge.ExpressionAttributeValues,
	})
	if refused(err) {
		return errLimit
	}
	if err != nil {
		return err
	}
	_, err = p.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("payments"), Item: id("key#" + paymentKey)})
	return err
}

// paymentService has two clients that charge the same card, above its limit. Each pays again with
// the same key after an error, and after a crash.
var paymentService = service{
	name:   "payment",
	setup:  table("payments", single),
	faults: explore.Faults{explore.Crash: 2, explore.LostReply: 2, explore.LateRequest: 1}, maxFaults: 3,
	scene: func(mended bool) *scene {
		amounts := []int{30, 80}
		var first, again [2]result // again is what is known after a crash
		pay := func(n int, results *[2]result) clientFunc {
			return func(ctx context.Context, client *dynamodb.Client) {
				p := &payments{client, mended}
				for range 2 {
					err := p.pay(ctx, fmt.Sprint(n), amounts[n])
					if errors.Is(err, errLimit) {
						results[n] = not
						return
					}
					if results[n] = resultOf(err); results[n] == done {
						return
					}
				}
			}
		}
		return &scene{
			actors: []actor{
				{name: "alice", run: pay(0, &first), again: pay(0, &again), option: once},
				{name: "bob", run: pay(1, &first), again: pay(1, &again), option: once},
			},
			check: func(db *ddbtest.DB) error {
				var charges tally
				for n, amount := range amounts {
					charges.add(max(first[n], again[n]), amount)
				}
				if charged := number(find(db, "payments", id("card")), "charged"); !charges.includes(charged) {
					return fmt.Errorf("the card was charged %d, not %s", charged, &charges)
				}
				return nil
			},
		}
	},
}

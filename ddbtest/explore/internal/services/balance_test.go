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

// accounts withdraws money. The bug: it writes the balance that it has computed from the one that
// it has read, although another client may have written in between.
type accounts struct {
	client *dynamodb.Client
	mended bool
}

func (a *accounts) withdraw(ctx context.Context, account string, amount int) error {
	for {
		out, err := a.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("accounts"), Key: id(account)})
		if err != nil {
			return err
		}
		balance := number(out.Item, "balance")
		if !a.mended {
			_, err := a.client.PutItem(ctx, &dynamodb.PutItemInput{
				TableName: aws.String("accounts"), Item: with(id(account), item{"balance": num(balance - amount)}),
			})
			return err
		}
		if err := a.replace(ctx, account, balance, balance-amount); !refused(err) {
			return err
		}
	}
}

// replace replaces the old balance. It is a transaction because of its token: a retry of the SDK is
// not refused for the new balance.
func (a *accounts) replace(ctx context.Context, account string, old, balance int) error {
	return transact(ctx, a.client, types.TransactWriteItem{Update: &types.Update{
		TableName: aws.String("accounts"), Key: id(account),
		UpdateExpression: aws.String("SET balance = :new"), ConditionExpression: aws.String("balance = :old"),
		ExpressionAttributeValues: item{":old": num(old), ":new": num(balance)},
	}})
}

// balanceService has two clients that withdraw from one account, one of them twice.
var balanceService = service{
	name:   "balance",
	setup:  table("accounts", single, with(id("acme"), item{"balance": num(100)})),
	faults: explore.Faults{explore.LostReply: 1, explore.StaleRead: 1},
	scene: func(mended bool) *scene {
		var alice, bob [2]result
		withdraw := func(results []result) clientFunc {
			return func(ctx context.Context, client *dynamodb.Client) {
				bank := &accounts{client, mended}
				for i := range results {
					results[i] = resultOf(bank.withdraw(ctx, "acme", 10))
				}
			}
		}
		return &scene{
			actors: []actor{{name: "alice", run: withdraw(alice[:])}, {name: "bob", run: withdraw(bob[:1])}},
			check: func(db *ddbtest.DB) error {
				var withdrawn tally
				for _, r := range []result{alice[0], alice[1], bob[0]} {
					withdrawn.add(r, 10)
				}
				if balance := number(find(db, "accounts", id("acme")), "balance"); !withdrawn.includes(100 - balance) {
					return fmt.Errorf("the balance of 100 is %d after withdrawals of %s", balance, &withdrawn)
				}
				return nil
			},
		}
	},
}

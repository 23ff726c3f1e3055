package services

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// queue hands out messages. The bug: the message that it has found may be taken when it marks it as
// taken, so it is handed out twice.
//
// The mended queue marks it on the condition that it is not taken, except for the same claim: a
// retry of the SDK after a lost reply must recognize its own.
type queue struct {
	client *dynamodb.Client
	mended bool
}

var errEmpty = errors.New("the queue is empty")

// take takes the first message that is not taken. The claim is unique to this call.
func (q *queue) take(ctx context.Context, claim string) (message string, err error) {
	for {
		out, err := q.client.Query(ctx, &dynamodb.QueryInput{
			TableName: aws.String("messages"), KeyConditionExpression: aws.String("pk = :queue"),
			FilterExpression: aws.String("attribute_not_exists(claim)"), ExpressionAttributeValues: item{":queue": str("queue")},
		})
		if err != nil {
			return "", err
		}
		if len(out.Items) == 0 {
			return "", errEmpty
		}
		message := text(out.Items[0], "sk")
		if err := q.mark(ctx, message, claim); !refused(err) {
			return message, err
		}
	}
}

func (q *queue) mark(ctx context.Context, message, claim string) error {
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String("messages"), Key: key("queue", message),
		UpdateExpression: aws.String("SET claim = :claim"), ExpressionAttributeValues: item{":claim": str(claim)},
	}
	if q.mended {
		in.ConditionExpression = aws.String("attribute_not_exists(claim) OR claim = :claim")
	}
	_, err := q.client.UpdateItem(ctx, in)
	return err
}

// queueService has two clients that take messages, one of them two.
var queueService = service{
	name:   "queue",
	setup:  table("messages", partitions, key("queue", "1"), key("queue", "2"), key("queue", "3")),
	faults: explore.Faults{explore.LostReply: 1, explore.LateRequest: 1, explore.StaleRead: 1}, maxFaults: 2, few: 1,
	scene: func(mended bool) *scene {
		var taken [3]string
		var results [3]result
		take := func(calls ...int) clientFunc {
			return func(ctx context.Context, client *dynamodb.Client) {
				q := &queue{client, mended}
				for _, n := range calls {
					message, err := q.take(ctx, fmt.Sprint("claim-", n))
					if results[n] = resultOf(err); err == nil {
						taken[n] = message
					}
				}
			}
		}
		return &scene{
			actors: []actor{{name: "alice", run: take(0, 1)}, {name: "bob", run: take(2)}},
			check: func(db *ddbtest.DB) error {
				times := map[string]int{}
				for n, message := range taken {
					if results[n] == done {
						times[message]++
					}
					if times[message] > 1 {
						return fmt.Errorf("message %s was handed out %d times", message, times[message])
					}
				}
				for _, i := range db.Dump("messages") {
					message, claim := text(i, "sk"), text(i, "claim")
					n, err := strconv.Atoi(strings.TrimPrefix(claim, "claim-"))
					switch {
					case claim == "" && times[message] > 0:
						return fmt.Errorf("message %s was handed out, but is not taken", message)
					case err == nil && results[n] == done && taken[n] != message:
						return fmt.Errorf("message %s is taken with %s, but was not handed out", message, claim)
					}
				}
				return nil
			},
		}
	},
}

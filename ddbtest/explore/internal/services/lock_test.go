package services

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// locks is a lock with a lease. Each holder has a higher number than the one before, and the writes
// that the lock protects compare it (fencing). The bug: the release does not compare it, so a
// holder whose lease has ended releases the lock of the next one.
type locks struct {
	client *dynamodb.Client
	lease  time.Duration
	mended bool
}

// held is a lock that is held.
type held struct {
	number int
	until  int64 // in milliseconds
}

func (h *held) expired() bool { return time.Now().UnixMilli() >= h.until }

func (l *locks) acquire(ctx context.Context, name string) (*held, error) {
	now := time.Now()
	until := now.Add(l.lease).UnixMilli()
	out, err := l.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("jobs"), Key: id(name), ReturnValues: types.ReturnValueUpdatedNew,
		UpdateExpression:          aws.String("SET until_ms = :until ADD fence :one"),
		ConditionExpression:       aws.String("attribute_not_exists(until_ms) OR until_ms <= :now"),
		ExpressionAttributeValues: item{":until": num(int(until)), ":now": num(int(now.UnixMilli())), ":one": num(1)},
	})
	if err != nil {
		return nil, err
	}
	return &held{number: number(out.Attributes, "fence"), until: until}, nil
}

// release releases the lock. The SDK does not repeat it: if it fails, the lease ends anyway.
func (l *locks) release(ctx context.Context, name string, h *held) error {
	in := &dynamodb.UpdateItemInput{
		TableName: aws.String("jobs"), Key: id(name), UpdateExpression: aws.String("REMOVE until_ms"),
	}
	if l.mended {
		in.ConditionExpression = aws.String("fence = :mine")
		in.ExpressionAttributeValues = item{":mine": num(h.number)}
	}
	_, err := l.client.UpdateItem(ctx, in, once)
	if refused(err) { // the lease has ended, and the lock has another holder
		return nil
	}
	return err
}

var errLostLock = errors.New("the lock was lost before its lease ended")

// report counts one report: it reads the number of reports and writes the next one, with the lock.
func (l *locks) report(ctx context.Context) (result, error) {
	h, err := l.acquire(ctx, "lock")
	if err != nil {
		return not, nil //nolint:nilerr // without the lock nothing is written
	}
	out, err := l.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("jobs"), Key: id("reports"), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return not, err
	}
	written := transact(ctx, l.client,
		types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName: aws.String("jobs"), Key: id("lock"), ConditionExpression: aws.String("fence = :mine"),
			ExpressionAttributeValues: item{":mine": num(h.number)},
		}},
		types.TransactWriteItem{Put: &types.Put{
			TableName: aws.String("jobs"), Item: with(id("reports"), item{"n": num(number(out.Item, "n") + 1)}),
		}},
	)
	if refused(written) && !h.expired() {
		return not, errLostLock
	}
	return resultOf(written), l.release(ctx, "lock", h)
}

// lockService has two clients that take the lock, one of them twice. While the lease of a client
// runs, no other client acquires the lock, so its protected write is not refused. If its lease
// ends before the write, the write is refused or nobody else wrote.
var lockService = service{
	name:   "lock",
	setup:  table("jobs", single),
	faults: explore.Faults{explore.Pause: 2, explore.LostReply: 1}, maxFaults: 2, few: 1,
	pauses: []time.Duration{lease},
	scene:  lockScene(lease),
	inReal: lockScene(2 * time.Millisecond), // it may end during a run in real time
}

const lease = 30 * time.Second

func lockScene(lease time.Duration) func(mended bool) *scene {
	return func(mended bool) *scene {
		var results [3]result
		var errs [3]error
		report := func(calls ...int) clientFunc {
			return func(ctx context.Context, client *dynamodb.Client) {
				l := &locks{client, lease, mended}
				for _, n := range calls {
					results[n], errs[n] = l.report(ctx)
				}
			}
		}
		return &scene{
			actors: []actor{{name: "alice", run: report(0, 1)}, {name: "bob", run: report(2)}},
			check: func(db *ddbtest.DB) error {
				var reports tally
				for i, r := range results {
					reports.add(r, 1)
					if errors.Is(errs[i], errLostLock) {
						return fmt.Errorf("%s: %w", []string{"alice", "alice", "bob"}[i], errs[i])
					}
				}
				if n := number(find(db, "jobs", id("reports")), "n"); !reports.includes(n) {
					return fmt.Errorf("%d reports were counted, not %s", n, &reports)
				}
				return nil
			},
		}
	}
}

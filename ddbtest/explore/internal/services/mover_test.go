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

// mails moves the mails of the partition "inbox" to the partition "archive", page by page, and then
// marks the inbox as moved: from then on only the archive is read. Its cursor is stored, so that a
// mover that crashed can go on. The bug: a mail that is put behind the cursor is never moved.
//
// The mended mover first closes the inbox for new mails.
type mails struct {
	client *dynamodb.Client
	mended bool
}

// state is the item with the state of the inbox: closed, moved and cursor.
var state = key("state", "inbox")

// put stores a mail in the inbox, or in the archive if the inbox is closed or moved.
func (m *mails) put(ctx context.Context, name string) error {
	if m.mended {
		err := transact(ctx, m.client,
			types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
				TableName: aws.String("mails"), Key: state, ConditionExpression: aws.String("attribute_not_exists(closed)"),
			}},
			types.TransactWriteItem{Put: &types.Put{TableName: aws.String("mails"), Item: key("inbox", name)}},
		)
		if !refused(err) {
			return err
		}
		return m.putIn(ctx, "archive", name)
	}
	s, err := m.readState(ctx)
	switch {
	case err != nil:
		return err
	case s["moved"] != nil:
		return m.putIn(ctx, "archive", name)
	default:
		return m.putIn(ctx, "inbox", name)
	}
}

func (m *mails) putIn(ctx context.Context, partition, name string) error {
	_, err := m.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("mails"), Item: key(partition, name)})
	return err
}

func (m *mails) readState(ctx context.Context) (item, error) {
	out, err := m.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: aws.String("mails"), Key: state, ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

// setState sets one attribute of the state.
func (m *mails) setState(ctx context.Context, name, value string) error {
	_, err := m.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("mails"), Key: state, UpdateExpression: aws.String("SET #name = :value"),
		ExpressionAttributeNames: map[string]string{"#name": name}, ExpressionAttributeValues: item{":value": str(value)},
	})
	return err
}

// move moves all mails, from the stored cursor on.
func (m *mails) move(ctx context.Context) error {
	s, err := m.readState(ctx)
	if err != nil {
		return err
	}
	if m.mended && s["closed"] == nil {
		if err := m.setState(ctx, "closed", "yes"); err != nil {
			return err
		}
	}
	var from item
	if cursor := text(s, "cursor"); cursor != "" {
		from = key("inbox", cursor)
	}
	for {
		out, err := m.client.Query(ctx, &dynamodb.QueryInput{
			TableName: aws.String("mails"), ConsistentRead: aws.Bool(true), Limit: aws.Int32(1), ExclusiveStartKey: from,
			KeyConditionExpression: aws.String("pk = :inbox"), ExpressionAttributeValues: item{":inbox": str("inbox")},
		})
		if err != nil {
			return err
		}
		for _, mail := range out.Items {
			if err := m.moveOne(ctx, text(mail, "sk")); err != nil {
				return err
			}
		}
		from = out.LastEvaluatedKey
		if from == nil {
			return m.setState(ctx, "moved", "yes")
		}
		if err := m.setState(ctx, "cursor", text(from, "sk")); err != nil {
			return err
		}
	}
}

func (m *mails) moveOne(ctx context.Context, name string) error {
	return transact(ctx, m.client,
		types.TransactWriteItem{Put: &types.Put{TableName: aws.String("mails"), Item: key("archive", name)}},
		types.TransactWriteItem{Delete: &types.Delete{TableName: aws.String("mails"), Key: key("inbox", name)}},
	)
}

// moverService has a mover, and a client that puts two mails: one before the mail that is there,
// and one after it.
var moverService = service{
	name:   "mover",
	setup:  table("mails", partitions, key("inbox", "b")),
	faults: explore.Faults{explore.Crash: 1, explore.LostReply: 1}, few: 1,
	scene: func(mended bool) *scene {
		stored := []string{"b"}
		put := func(ctx context.Context, client *dynamodb.Client) {
			m := &mails{client, mended}
			for _, name := range []string{"a", "c"} {
				if m.put(ctx, name) == nil {
					stored = append(stored, name)
				}
			}
		}
		move := func(ctx context.Context, client *dynamodb.Client) { _ = (&mails{client, mended}).move(ctx) }
		return &scene{
			actors: []actor{{name: "mover", run: move, again: move}, {name: "sender", run: put}},
			check: func(db *ddbtest.DB) error {
				moved := find(db, "mails", state)["moved"] != nil
				for _, name := range stored {
					inbox, archive := find(db, "mails", key("inbox", name)), find(db, "mails", key("archive", name))
					if archive == nil && (moved || inbox == nil) {
						return fmt.Errorf("the mail %q is lost: the inbox is moved, and the archive does not have it", name)
					}
				}
				return nil
			},
		}
	},
}

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

// sessions has the sessions of users. The bug: the deletion of all sessions of a user ignores those
// that the batch did not process.
type sessions struct {
	client *dynamodb.Client
	mended bool
}

func (s *sessions) login(ctx context.Context, user, session string) error {
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("sessions"), Item: key(user, session)})
	return err
}

// logout deletes all sessions of a user.
func (s *sessions) logout(ctx context.Context, user string) error {
	out, err := s.client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("sessions"), ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("pk = :user"),
		ExpressionAttributeValues: item{":user": str(user)},
	})
	if err != nil {
		return err
	}
	var deletes []types.WriteRequest
	for _, i := range out.Items {
		deletes = append(deletes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: i}})
	}
	for len(deletes) > 0 {
		out, err := s.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{"sessions": deletes},
		})
		if err != nil || !s.mended {
			return err
		}
		deletes = out.UnprocessedItems["sessions"]
	}
	return nil
}

// sessionsService has two clients of one user that end all sessions. One begins another session
// before.
var sessionsService = service{
	name:   "sessions",
	setup:  table("sessions", partitions, key("ann", "1"), key("ann", "2")),
	faults: explore.Faults{explore.Unprocessed: 2, explore.LostReply: 1}, few: 2,
	scene: func(mended bool) *scene {
		var phone, laptop error
		phoneEnded, laptopEnded := false, false
		return &scene{
			actors: []actor{
				{name: "phone", run: func(ctx context.Context, client *dynamodb.Client) {
					s := &sessions{client, mended}
					phone = s.logout(ctx, "ann")
					phoneEnded = phone == nil
				}},
				{name: "laptop", run: func(ctx context.Context, client *dynamodb.Client) {
					s := &sessions{client, mended}
					if laptop = s.login(ctx, "ann", "3"); laptop == nil {
						laptop = s.logout(ctx, "ann")
						laptopEnded = laptop == nil
					}
				}},
			},
			check: func(db *ddbtest.DB) error {
				for _, session := range []string{"1", "2", "3"} {
					ended := laptopEnded || phoneEnded && session != "3"
					if ended && find(db, "sessions", key("ann", session)) != nil {
						return fmt.Errorf("session %s goes on after a logout", session)
					}
				}
				return nil
			},
		}
	},
}

package services

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/ddbtest/explore"
)

// users registers users with unique names. The item of a name guards it. The bug: if the second
// write fails or is never sent, the name is taken by nobody.
//
// A call may be repeated: a user that registers with its own name has it.
type users struct {
	client *dynamodb.Client
	mended bool
}

var (
	errNameTaken = errors.New("the name is taken")
	errHasName   = errors.New("the user has another name")
)

func (u *users) register(ctx context.Context, user, name string) error {
	guard := &types.Put{
		TableName: aws.String("users"), Item: with(id("name#"+name), item{"user_id": str("user#" + user)}),
		ConditionExpression:       aws.String("attribute_not_exists(id) OR user_id = :user"),
		ExpressionAttributeValues: item{":user": str("user#" + user)},
	}
	profile := &types.Put{
		TableName: aws.String("users"), Item: with(id("user#"+user), item{"nick": str(name)}),
		ConditionExpression: aws.String("attribute_not_exists(id) OR nick = :name"), ExpressionAttributeValues: item{":name": str(name)},
	}
	if u.mended {
		err := transact(ctx, u.client, types.TransactWriteItem{Put: guard}, types.TransactWriteItem{Put: profile})
		switch {
		case refusedBy(err, 0):
			return errNameTaken
		case refusedBy(err, 1):
			return errHasName
		default:
			return err
		}
	}
	if err := u.put(ctx, guard, errNameTaken); err != nil {
		return err
	}
	return u.put(ctx, profile, errHasName)
}

func (u *users) put(ctx context.Context, p *types.Put, ifRefused error) error {
	_, err := u.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: p.TableName, Item: p.Item,
		ConditionExpression: p.ConditionExpression, ExpressionAttributeValues: p.ExpressionAttributeValues,
	})
	if refused(err) {
		return ifRefused
	}
	return err
}

// uniqueNameService has two users that want the same name. They choose another one if it is taken,
// and after a crash.
var uniqueNameService = service{
	name:   "unique name",
	setup:  table("users", single),
	faults: explore.Faults{explore.Crash: 2, explore.LostReply: 2}, maxFaults: 3,
	scene: func(mended bool) *scene {
		var registered [2]string
		register := func(n int, user string, names ...string) clientFunc {
			return func(ctx context.Context, client *dynamodb.Client) {
				u := &users{client, mended}
				for _, name := range names {
					err := u.register(ctx, user, name)
					if err == nil {
						registered[n] = name
					}
					if !errors.Is(err, errNameTaken) {
						return
					}
				}
			}
		}
		return &scene{
			actors: []actor{
				{name: "alice", run: register(0, "alice", "sam", "alice"), again: register(0, "alice", "alice")},
				{name: "bob", run: register(1, "bob", "sam", "bob"), again: register(1, "bob", "bob")},
			},
			check: func(db *ddbtest.DB) error {
				for i, user := range []string{"alice", "bob"} {
					if got := text(find(db, "users", id("user#"+user)), "nick"); registered[i] != "" && got != registered[i] {
						return fmt.Errorf("%s has the name %q, not %q", user, got, registered[i])
					}
				}
				return namesHaveOwners(db)
			},
		}
	},
}

// namesHaveOwners checks that each name has the user that it names, and each user its name.
func namesHaveOwners(db *ddbtest.DB) error {
	for _, i := range db.Dump("users") {
		name, isName := strings.CutPrefix(text(i, "id"), "name#")
		switch {
		case isName && text(find(db, "users", id(text(i, "user_id"))), "nick") != name:
			return fmt.Errorf("the name %q is taken by nobody", name)
		case !isName && text(find(db, "users", id("name#"+text(i, "nick"))), "user_id") != text(i, "id"):
			return fmt.Errorf("%s has the name %q of another one", text(i, "id"), text(i, "nick"))
		}
	}
	return nil
}

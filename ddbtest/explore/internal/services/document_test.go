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

// documents has documents with versions. The bug: saving a document creates it if it does not exist
// (anymore), so a save brings a deleted document back.
type documents struct {
	client *dynamodb.Client
	mended bool
}

var errConflict = errors.New("the document has changed")

func (d *documents) load(ctx context.Context, name string) (item, error) {
	out, err := d.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("documents"), Key: id(name)})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

// save replaces the text of a document that was loaded.
func (d *documents) save(ctx context.Context, doc item, body string) error {
	version := number(doc, "version")
	in := &dynamodb.PutItemInput{
		TableName: aws.String("documents"),
		Item:      item{"id": doc["id"], "version": num(version + 1), "body": str(body)},

		ConditionExpression:                 aws.String("attribute_not_exists(version) OR version = :loaded"),
		ExpressionAttributeValues:           item{":loaded": num(version)},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if d.mended {
		in.ConditionExpression = aws.String("version = :loaded")
	}
	_, err := d.client.PutItem(ctx, in)
	var failed *types.ConditionalCheckFailedException
	switch {
	case !errors.As(err, &failed):
		return err
	case number(failed.Item, "version") == version+1 && text(failed.Item, "body") == body:
		return nil // an attempt of this save was applied, but its reply was lost
	default:
		return errConflict
	}
}

// remove deletes the document in the version that was loaded.
func (d *documents) remove(ctx context.Context, doc item) error {
	_, err := d.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: aws.String("documents"), Key: item{"id": doc["id"]},
		ConditionExpression:       aws.String("attribute_not_exists(id) OR version = :loaded"),
		ExpressionAttributeValues: item{":loaded": doc["version"]},
	})
	if refused(err) {
		return errConflict
	}
	return err
}

// documentService has a client that saves a document twice, and one that deletes it.
var documentService = service{
	name:   "document",
	setup:  table("documents", single, with(id("plan"), item{"version": num(1), "body": str("")})),
	faults: explore.Faults{explore.LostReply: 1, explore.LateRequest: 1, explore.StaleRead: 1}, maxFaults: 2, few: 1,
	scene: func(mended bool) *scene {
		saved, unsure, deleted, seen := "", false, false, ""
		write := func(ctx context.Context, client *dynamodb.Client) {
			d := &documents{client, mended}
			for _, body := range []string{"a", "b"} {
				doc, err := d.load(ctx, "plan")
				if err != nil || doc == nil {
					return
				}
				switch err := d.save(ctx, doc, body); {
				case err == nil:
					saved = body
				case !errors.Is(err, errConflict):
					unsure = true
					return
				}
			}
		}
		remove := func(ctx context.Context, client *dynamodb.Client) {
			d := &documents{client, mended}
			for range 2 {
				doc, err := d.load(ctx, "plan")
				if err != nil || doc == nil {
					return
				}
				err = d.remove(ctx, doc)
				deleted, seen = err == nil, text(doc, "body")
				if !errors.Is(err, errConflict) {
					return
				}
			}
		}
		return &scene{
			actors: []actor{{name: "writer", run: write}, {name: "remover", run: remove}},
			check: func(db *ddbtest.DB) error {
				doc := find(db, "documents", id("plan"))
				switch {
				case deleted && doc != nil:
					return fmt.Errorf("the document was deleted, but exists with %q", text(doc, "body"))
				case deleted && seen < saved: // "" < "a" < "b"
					return fmt.Errorf("the document was deleted as it was with %q, but %q was saved", seen, saved)
				case doc != nil && saved != "" && !unsure && text(doc, "body") != saved:
					return fmt.Errorf("the document has %q, but %q was saved", text(doc, "body"), saved)
				}
				return nil
			},
		}
	},
}

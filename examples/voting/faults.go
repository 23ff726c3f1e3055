package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/examples/internal/program"
)

// lostReplies is how many replies are lost.
const lostReplies = 3

// loseReplies lets the in-process database lose replies of votes that it has counted. The result
// ends this. On a server it does nothing.
func (t tour) loseReplies(operation string) (end func() int) {
	if t.db == nil {
		return func() int { return 0 }
	}
	rule := t.db.Fail(ddbtest.Op(operation), ddbtest.Every(4), ddbtest.Times(lostReplies), ddbtest.AfterCommit(ddbtest.Reset))
	return func() int {
		rule.Remove()
		return rule.Hits()
	}
}

// plainAdds counts votes in the way of a service without the library: an UpdateItem that adds 1,
// which the SDK sends again if its reply is lost.
func (t tour) plainAdds(ctx context.Context) error {
	if t.db == nil {
		return nil
	}
	const voters = 20
	end := t.loseReplies("UpdateItem")
	defer end()
	stored := ""
	for range voters {
		out, err := t.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String(tableName), Key: plainKey, UpdateExpression: aws.String("ADD votes :one"), ReturnValues: types.ReturnValueAllNew,
			ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		})
		if err != nil {
			return err
		}
		stored = program.Text(out.Attributes["votes"])
	}
	t.Printf("  %d voters whose votes are a plain ADD of the SDK, and %d lost replies: %s votes are counted.", voters, end(), stored)
	if stored != fmt.Sprint(voters+lostReplies) {
		return fmt.Errorf("the plain counter has %s", stored)
	}
	return nil
}

var plainKey = map[string]types.AttributeValue{
	"PK": &types.AttributeValueMemberS{Value: "PLAIN"}, "SK": &types.AttributeValueMemberS{Value: "PLAIN"},
}

// Command sdk stores and reads orders with the SDK alone. The comparison measures its size.
package main

import (
	"context"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type order struct {
	Customer string `dynamodbav:"customer"`
	ID       string `dynamodbav:"id"`
	Total    int64  `dynamodbav:"total"`
}

func main() {
	if len(os.Args) < 2 {
		return // the comparison measures what happens before
	}
	if run(context.Background(), dynamodb.NewFromConfig(aws.Config{})) != nil {
		os.Exit(1) //nolint:forbidigo // a command
	}
}

func run(ctx context.Context, client *dynamodb.Client) error {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	o := order{Customer: "c1", ID: "7"}
	item, err := attributevalue.MarshalMap(o)
	if err != nil {
		return err
	}
	key := map[string]types.AttributeValue{"PK": text("CUS#" + o.Customer), "SK": text("ORD#" + o.ID)}
	item["PK"], item["SK"] = key["PK"], key["SK"]
	if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("app"), Item: item}); err != nil {
		return err
	}
	one, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("app"), Key: key})
	if err != nil {
		return err
	}
	if err := attributevalue.UnmarshalMap(one.Item, &o); err != nil {
		return err
	}
	if _, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("app"), Key: key, UpdateExpression: aws.String("ADD total :n"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: "1"}},
	}); err != nil {
		return err
	}
	page, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("app"), KeyConditionExpression: aws.String("PK = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": key["PK"]},
	})
	if err != nil {
		return err
	}
	var all []order
	if err := attributevalue.UnmarshalListOfMaps(page.Items, &all); err != nil {
		return err
	}
	_, err = client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("app"), Key: key})
	return err
}

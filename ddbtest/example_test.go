package ddbtest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
)

// Example uses an in-process database with the SDK's own client. A test uses Start, CreateTable and
// Load instead of New.
func Example() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	client := db.Client()
	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("users"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash},
		},
		BillingMode: types.BillingModePayPerRequest,
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("users"),
		Item:      map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "grace"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range db.Dump("users") {
		fmt.Println(item["id"].(*types.AttributeValueMemberS).Value)
	}
	for _, r := range db.Requests() {
		fmt.Println(r)
	}
	// Output:
	// grace
	// #1 CreateTable users: ok
	// #2 PutItem users: ok, 0 read, 1 written
}

// Use Configure if a service makes its client from a configuration.
func ExampleDB_Configure() {
	db := ddbtest.New(ddbtest.Options{})
	client := dynamodb.NewFromConfig(aws.Config{Region: "eu-west-1"}, db.Configure)
	out, err := client.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	fmt.Println(out.TableNames, err)
	// Output:
	// [] <nil>
}

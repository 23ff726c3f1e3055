package entity_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/maintain"
)

// Team has two fields with the role key. They are stored in the key only, without an attribute.
type Team struct {
	_    entity.Key `pk:"<tournament>" sk:"team-<id>"`
	Cup  string     `dynamodbav:"tournament" entity:"key"`
	ID   string     `dynamodbav:"id" entity:"key"`
	Name string     `dynamodbav:"name"`
}

// Cups is an existing table: it has its own key attributes and its own delimiter, and no type
// attribute.
var (
	Cups = entity.NewSchema(entity.Config{
		Partition: entity.S("partitionKey"), Sort: entity.S("sortKey"), Delimiter: "-",
		TypeAttribute: entity.None, WriteID: entity.None,
	})
	Teams = entity.Define[Team](Cups)
)

// A schema can describe a table that already holds items, and its repositories read them.
func Example_existingTable() {
	ctx := context.Background()
	client := ddbtest.New(ddbtest.Options{}).Client()
	table, err := Cups.Open(client, "cups")
	if err != nil {
		log.Fatal(err)
	}
	_, createErr := client.CreateTable(ctx, Cups.Definition("cups"))
	_, putErr := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("cups"),
		Item: map[string]types.AttributeValue{
			"partitionKey": &types.AttributeValueMemberS{Value: "cup-2026"},
			"sortKey":      &types.AttributeValueMemberS{Value: "team-t1"},
			"name":         &types.AttributeValueMemberS{Value: "Atlas"},
		},
	})
	if err := errors.Join(createErr, putErr); err != nil {
		log.Fatal(err)
	}

	fmt.Println(maintain.Check(ctx, table)) // compares the schema with the table
	team, err := Teams.In(table).Get(ctx, Team{Cup: "cup-2026", ID: "t1"})
	fmt.Println(team.Cup, team.ID, team.Name, err)
	// Output:
	// <nil>
	// cup-2026 t1 Atlas <nil>
}

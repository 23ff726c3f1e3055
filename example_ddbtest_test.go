package trestle_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

type Visitor struct {
	_    entity.Key `type:"visitor" pk:"VISITOR#<id>" sk:"VISITOR"`
	ID   string     `dynamodbav:"id"`
	Name string     `dynamodbav:"name"`
}

var (
	Visits   = entity.NewSchema(entity.Config{})
	Visitors = entity.Define[Visitor](Visits)
)

// A test connects a client with the settings of the program to an in-process database.
func ExampleNewClient_ddbtest() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	client := trestle.NewClient(aws.Config{}, db.Configure)
	table, err := Visits.Open(client, "visits")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	if err := Visitors.In(table).Create(ctx, &Visitor{ID: "v1", Name: "Ada"}); err != nil {
		log.Fatal(err)
	}
	v, err := Visitors.In(table).Get(ctx, Visitor{ID: "v1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Name)
	// Output:
	// Ada
}

package trestle_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
)

// A program makes one client, from the configuration that config.LoadDefaultConfig returns.
func ExampleNewClient() {
	cfg := aws.Config{Region: "eu-north-1"}
	client := trestle.NewClient(cfg)
	fmt.Println("attempts:", client.Options().Retryer.MaxAttempts())
	// Output:
	// attempts: 8
}

// A test connects a client with the same settings to an in-process database.
func ExampleNewClient_ddbtest() {
	ctx := context.Background()
	db := ddbtest.New(ddbtest.Options{})
	client := trestle.NewClient(aws.Config{}, db.Configure)
	table, err := Schema.Open(client, "app-test")
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Create(ctx); err != nil {
		log.Fatal(err)
	}
	if err := Employees.In(table).Create(ctx, &Employee{CompanyID: "c1", ID: "e7", Status: "new"}); err != nil {
		log.Fatal(err)
	}
	e, err := Employees.In(table).Get(ctx, Employee{CompanyID: "c1", ID: "e7"})
	fmt.Println(e.Status, err)
	// Output:
	// new <nil>
}

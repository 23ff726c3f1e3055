package trestle_test

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/trestledb/trestle"
)

// A program makes one client, from the configuration that config.LoadDefaultConfig returns.
func ExampleNewClient() {
	cfg := aws.Config{Region: "eu-north-1"}
	client := trestle.NewClient(cfg)
	fmt.Println("attempts:", client.Options().Retryer.MaxAttempts())
	// Output:
	// attempts: 8
}

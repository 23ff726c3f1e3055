package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/ddbtest"
)

func main() {
	endpoint := flag.String("endpoint", "", "URL of a DynamoDB-compatible server; without it one inside the process answers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := start(ctx, *endpoint)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(ctx context.Context, endpoint string) error {
	if endpoint != "" {
		return run(ctx, clientAt(endpoint), os.Stdout)
	}
	fmt.Print("on ddbtest, a DynamoDB inside this process\n\n")
	return run(ctx, ddbtest.New(ddbtest.Options{}).Client(), os.Stdout)
}

// clientAt makes a client of a server that checks no credentials. A service loads its configuration instead.
func clientAt(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint,
		Region:       "eu-north-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "company", SecretAccessKey: "none"}, nil
		}),
	})
}

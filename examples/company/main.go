package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/ddblocal"
)

func main() {
	endpoint := flag.String("endpoint", "", "URL of a DynamoDB-compatible server; without it DynamoDB Local is started")
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
	server, err := ddblocal.Start(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("on DynamoDB Local %s at %s\n\n", server.Version, server.Endpoint)
	err = run(ctx, server.Client(ddblocal.NewAccessKey()), os.Stdout)
	return errors.Join(err, server.Close())
}

// clientAt makes a client of a server that checks no credentials. A service loads its configuration instead.
func clientAt(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint,
		Region:       "eu-north-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: ddblocal.NewAccessKey(), SecretAccessKey: "none"}, nil
		}),
	})
}

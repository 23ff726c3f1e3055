// Package program has the common code of the example programs.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
)

// Main runs an example on the server at -endpoint, or on ddbtest in this process.
func Main(run func(ctx context.Context, client trestle.Client, out io.Writer) error) {
	endpoint := flag.String("endpoint", "", "URL of a DynamoDB server; default: ddbtest in this process")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, clientFor(*endpoint), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		if errors.Is(err, trestle.ErrExists) {
			fmt.Fprintln(os.Stderr, "the server still has the table of an earlier run: delete the table, or restart a server that keeps its tables in memory")
		}
		os.Exit(1)
	}
}

func clientFor(endpoint string) *dynamodb.Client {
	if endpoint != "" {
		fmt.Printf("running on the server at %s\n\n", endpoint)
		return clientAt(endpoint)
	}
	fmt.Print("running on ddbtest, an in-process DynamoDB\n\n")
	return ddbtest.New(ddbtest.Options{}).Client()
}

// Database returns the in-process database of a client, or nil if the client has a server.
func Database(client trestle.Client) *ddbtest.DB {
	c, ok := client.(interface{ Options() dynamodb.Options })
	if !ok {
		return nil
	}
	return ddbtest.Of(c)
}

// clientAt returns a client for a server that checks no credentials. The access key is the one that
// `make ddblocal` prints. A service loads its configuration instead.
func clientAt(endpoint string) *dynamodb.Client {
	return trestle.NewClient(aws.Config{
		BaseEndpoint: &endpoint,
		Region:       "eu-north-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "example", SecretAccessKey: "none"}, nil
		}),
	})
}

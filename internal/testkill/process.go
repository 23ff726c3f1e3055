package testkill

import (
	"context"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Variables of a process that is killed: the endpoint of its database, and the text for its start.
const (
	endpointVariable = "TRESTLE_TEST_ENDPOINT"
	startVariable    = "TRESTLE_TEST_START"
)

// InProcess returns the client of a process that [Killer.Run] has started, and the text for its
// start. In the process of the test itself, the client is nil.
func InProcess() (client *dynamodb.Client, start string) {
	endpoint := os.Getenv(endpointVariable)
	if endpoint == "" {
		return nil, ""
	}
	credentials := func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
	}
	return dynamodb.New(dynamodb.Options{
		Region: "eu-north-1", BaseEndpoint: &endpoint, Credentials: aws.CredentialsProviderFunc(credentials),
	}), os.Getenv(startVariable)
}

package engines

import (
	"context"
	"crypto/rand"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/sdkclient"
)

const (
	region      = "eu-north-1"
	maxAttempts = 3
)

// newAccessKey returns a random access key of 20 letters and digits, the only characters that
// DynamoDB Local accepts. Each access key has a database of its own.
func newAccessKey() string { return "T" + rand.Text()[:19] }

// client returns a client for the database of an access key. All clients of a server share its
// connections. No setting comes from the environment. The options are applied last. Settings that
// are not listed here keep the defaults of package dynamodb.
func (s *server) client(accessKey string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       region,
		BaseEndpoint: aws.String(s.endpoint),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: "secret"}, nil
		}),
		HTTPClient: sdkclient.HTTPClient(s.http),
		Retryer:    newRetryer(),
	}, options...)
}

// newRetryer sets every option that the SDK would otherwise read from the environment.
func newRetryer() aws.Retryer {
	return sdkclient.Retryer(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.RateLimiter = ratelimit.None
	})
}

package engines

import (
	"context"
	"crypto/rand"
	"math"
	mathrand "math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

const (
	region      = "eu-north-1"
	maxAttempts = 3
	retryBase   = 25 * time.Millisecond
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
		HTTPClient: s.http,
		Retryer:    newRetryer(),
	}, options...)
}

// newRetryer sets every option that the SDK would otherwise read from the environment.
func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			ceiling := float64(retryBase) * math.Exp2(float64(min(attempt, maxAttempts)))
			return time.Duration(mathrand.Float64() * ceiling), nil
		})
	})
}

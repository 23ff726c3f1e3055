package trestle

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/trestledb/trestle/internal/sdkclient"
)

// NewClient returns a client of the SDK with settings for DynamoDB. It is dynamodb.NewFromConfig
// with these differences:
//
//   - It keeps up to 128 idle connections. The SDK keeps 10, so that each burst of more calls opens
//     connections anew, each with a TLS handshake.
//   - It makes up to 8 attempts, and pauses at most 25 ms before the first retry, twice as long
//     before each further one, at most 5 s, with full jitter. The SDK makes 3 attempts, and its
//     first pause is a second on average. In both, the calls share a budget of retries.
//   - It sends a request with its header in one write, and a server that answers at once cannot
//     break the connection.
//
// A Retryer, a RetryMode or RetryMaxAttempts of the configuration takes precedence. An HTTPClient
// other than that of the SDK keeps its connections as they are. The options are applied last.
// Attempts of Trestle have their own timeout; see [Config] of package entity.
//
// Create one client for a program, because each has its own connections.
func NewClient(cfg aws.Config, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, slices.Concat([]func(*dynamodb.Options){func(o *dynamodb.Options) {
		o.HTTPClient = sdkclient.HTTPClient(o.HTTPClient)
		if cfg.Retryer == nil && cfg.RetryMode == "" {
			o.Retryer = sdkclient.Retryer()
		}
	}}, options)...)
}

package ddbtest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest"
)

// TestOtherServices sends requests as the clients of other services do. The error names the
// service, and nothing reaches the database.
func TestOtherServices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method, url string
		header            [2]string
		want              string
	}{
		{"signed", http.MethodGet, "https://pictures.s3.us-east-1.amazonaws.com/secret", [2]string{
			"Authorization", "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=secret",
		}, `the service "s3"`},
		{"presigned", http.MethodPut, "https://x.amazonaws.com/secret?X-Amz-Credential=AKID%2F20260101%2Fus-east-1%2Fs3%2Faws4_request", [2]string{}, `the service "s3"`},
		{"with a target", http.MethodPost, "https://sqs.us-east-1.amazonaws.com", [2]string{"X-Amz-Target", "AmazonSQS.SendMessage"}, `the service "AmazonSQS"`},
		{"unsigned", http.MethodPost, "https://sts.us-east-1.amazonaws.com", [2]string{}, `the host "sts.us-east-1.amazonaws.com"`},
		{"incomplete signature", http.MethodGet, "https://example.com", [2]string{"Authorization", "Credential=AKID/"}, `the host "example.com"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			db := ddbtest.Start(t)
			r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, strings.NewReader("secret"))
			require.NoError(t, err)
			if c.header[0] != "" {
				r.Header.Set(c.header[0], c.header[1])
			}
			response, err := db.HTTPClient().Do(r)
			if err == nil {
				_ = response.Body.Close()
			}
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "db.Configure")
			require.Empty(t, db.Requests())
		})
	}
}

// TestSharedConfig uses one aws.Config for two services, one of which is played by a client that
// sends another target. Its call fails at the first attempt, and the other client works.
func TestSharedConfig(t *testing.T) {
	t.Parallel()
	db := ddbtest.Start(t)
	config := aws.Config{
		Region: "us-east-1", HTTPClient: db.HTTPClient(), RetryMaxAttempts: 5,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "a", SecretAccessKey: "b"}, nil
		}),
	}
	attempts := 0
	other := dynamodb.NewFromConfig(config, func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
			return stack.Finalize.Add(middleware.FinalizeMiddlewareFunc("target", func(
				ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
			) (middleware.FinalizeOutput, middleware.Metadata, error) {
				attempts++
				in.Request.(*smithyhttp.Request).Header.Set("X-Amz-Target", "AmazonSQS.SendMessage")
				return next.HandleFinalize(ctx, in)
			}), middleware.After)
		})
	})
	_, err := other.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.ErrorContains(t, err, "serves only DynamoDB")
	require.Equal(t, 1, attempts)
	_, err = dynamodb.NewFromConfig(config).ListTables(t.Context(), &dynamodb.ListTablesInput{})
	require.NoError(t, err)
	require.Len(t, db.Requests(), 1)
}

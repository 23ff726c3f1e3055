package trestle_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
)

// The client retries soon. The control is the client of the SDK.
func TestNewClientRetriesSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := ddbtest.Start(t)
		mean := func(newClient func(aws.Config, ...func(*dynamodb.Options)) *dynamodb.Client) time.Duration {
			const n = 50
			start := time.Now()
			for range n { // a new client for each call, so that the budget of retries is full
				client := newClient(aws.Config{}, db.Configure)
				db.Fail(ddbtest.Op("ListTables"), ddbtest.InternalError, ddbtest.First(1))
				_, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
				require.NoError(t, err)
				db.ClearFaults()
			}
			return time.Since(start) / n
		}
		require.Less(t, mean(trestle.NewClient), 20*time.Millisecond)
		require.Greater(t, mean(dynamodb.NewFromConfig), 500*time.Millisecond)
	})
}

// Settings of the configuration and options take precedence.
func TestNewClientKeepsSettings(t *testing.T) {
	t.Parallel()
	nop := func() aws.Retryer { return aws.NopRetryer{} }
	own := &http.Client{}
	for name, c := range map[string]struct {
		cfg      aws.Config
		options  []func(*dynamodb.Options)
		attempts int
	}{
		"none":        {attempts: 8},
		"retryer":     {cfg: aws.Config{Retryer: nop}, attempts: aws.NopRetryer{}.MaxAttempts()},
		"retry mode":  {cfg: aws.Config{RetryMode: aws.RetryModeStandard}, attempts: retry.DefaultMaxAttempts},
		"attempts":    {cfg: aws.Config{RetryMaxAttempts: 4}, attempts: 4},
		"an option":   {options: []func(*dynamodb.Options){func(o *dynamodb.Options) { o.Retryer = nop() }}, attempts: aws.NopRetryer{}.MaxAttempts()},
		"HTTP client": {cfg: aws.Config{HTTPClient: own}, attempts: 8},
	} {
		c.cfg.Region = "eu-north-1"
		o := trestle.NewClient(c.cfg, c.options...).Options()
		require.Equal(t, c.attempts, o.Retryer.MaxAttempts(), name)
		require.Equal(t, "eu-north-1", o.Region, name)
		require.NotNil(t, o.HTTPClient, name)
		_, sdk := o.HTTPClient.(*awshttp.BuildableClient)
		require.False(t, sdk, name)
	}
	replaced := trestle.NewClient(aws.Config{}, func(o *dynamodb.Options) { o.HTTPClient = own })
	require.Same(t, own, replaced.Options().HTTPClient)
}

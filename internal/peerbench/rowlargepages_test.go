package peerbench

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

const (
	failedAttempts = "failed-attempts"
	connections    = "connections"
)

// largePagesRow reads large pages from a server without latency. Trestle uses NewClient, the SDK
// its default client, without pauses before retries.
var largePagesRow = row{
	number: 16, task: "600 pages of 1.4 MB without latency",
	subjects: func(testing.TB) []subject {
		return []subject{
			manyPages(ours, 0, func(cfg aws.Config) *dynamodb.Client { return trestle.NewClient(cfg) }),
			manyPages(theSDK, 1, func(cfg aws.Config) *dynamodb.Client {
				return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
					o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) { o.Backoff = retry.NewExponentialJitterBackoff(0) })
				})
			}),
		}
	},
	lines: []line{
		atMost("failed attempts", failedAttempts, 0),
		atMost("connections", connections, 2),
	},
}

// manyPages returns a subject for a contender of the read of a page.
func manyPages(name string, contender int, newClient func(aws.Config) *dynamodb.Client) subject {
	return subject{name: name, once: true, measure: func(tb testing.TB, d time.Duration) sample {
		tb.Helper()
		n := 600
		if d == 0 {
			n = 3
		}
		items, _ := stored(tb)
		s := newServer(tb, queryReply(items[:1000]), 0, false)
		defer s.Close()
		read := pageReaders(tb, newClient(s.config()))[contender].read
		succeeded := 0
		for range n {
			if got, _, err := read(tb.Context()); err == nil { // else all attempts failed
				require.Equal(tb, 1000, got, name)
				succeeded++
			}
		}
		require.Positive(tb, succeeded, name)
		return sample{n, map[string]float64{
			failedAttempts: float64(s.requests.Load() - int64(succeeded)),
			connections:    float64(s.connections.Load()),
		}}
	}}
}

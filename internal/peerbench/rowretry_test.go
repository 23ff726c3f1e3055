package peerbench

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// pauseUnit is the unit of the time until a retry.
const pauseUnit = "ns/retry"

// retryRow reads an item, and the first attempt of each call fails with status 500. The time is
// that of a testing/synctest bubble: the pause alone, without the machine's speed. Trestle uses
// NewClient, the others the default client of the SDK.
var retryRow = row{
	number: 15, task: "first retry after one status 500",
	subjects: func(testing.TB) []subject {
		return []subject{
			retried(ours, 0, func(cfg aws.Config) *dynamodb.Client { return trestle.NewClient(cfg) }),
			retried(theSDK, 1, func(cfg aws.Config) *dynamodb.Client { return dynamodb.NewFromConfig(cfg) }),
			retried(guregu, 2, func(cfg aws.Config) *dynamodb.Client { return dynamodb.NewFromConfig(cfg) }),
		}
	},
	lines: []line{
		atMost("mean pause", pauseUnit, float64(60*time.Millisecond)),
	},
}

// failsOnce is a transport whose first response is the failure of the service.
type failsOnce struct {
	failed bool
	then   canned
}

func (f *failsOnce) Do(r *http.Request) (*http.Response, error) {
	if f.failed {
		return f.then.Do(r)
	}
	f.failed = true
	const body = `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`
	return &http.Response{StatusCode: http.StatusInternalServerError, Request: r, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// retried returns a subject for a contender of the read of one item. Each call has a new client, so
// that the budget of retries is full.
func retried(name string, contender int, newClient func(aws.Config) *dynamodb.Client) subject {
	return subject{name: name, measure: func(tb testing.TB, d time.Duration) sample {
		tb.Helper()
		items, _ := stored(tb)
		reply := canned{getReply(items[7])}
		n := 200
		if d == 0 {
			n = 10
		}
		var took time.Duration
		t, ok := tb.(*testing.T)
		require.True(tb, ok)
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			for range n {
				f := &failsOnce{then: reply}
				cfg := aws.Config{Region: region, Credentials: credentials, HTTPClient: f}
				require.NoError(t, f.check(t.Context(), itemReaders(t, newClient(cfg))[contender]))
			}
			took = time.Since(start)
		})
		return sample{n, map[string]float64{pauseUnit: float64(took) / float64(n)}}
	}}
}

// check reads the item. The read must have been retried.
func (f *failsOnce) check(ctx context.Context, c contender) error {
	_, id, err := c.read(ctx)
	if err == nil && (!f.failed || id != orderOf(7).ID) {
		err = errors.New("another order, or no failure")
	}
	return err
}

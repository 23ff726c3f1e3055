package peerbench

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"github.com/trestledb/trestle"
)

const (
	burst          = 100 // calls at the same time
	callRate       = "calls/s"
	newConnections = "connections/call"
)

// burstRow reads an item with many goroutines at the same time, over TLS. All wait for the last one
// before the next burst. Trestle uses NewClient, the others the default client of the SDK.
var burstRow = row{
	number: 13, task: "bursts of 100 GetItem over TLS, 5 ms latency",
	subjects: func(tb testing.TB) []subject {
		tb.Helper()
		return []subject{
			burstOf(tb, 0, func(cfg aws.Config) *dynamodb.Client { return trestle.NewClient(cfg) }),
			burstOf(tb, 1, func(cfg aws.Config) *dynamodb.Client { return dynamodb.NewFromConfig(cfg) }),
			burstOf(tb, 2, func(cfg aws.Config) *dynamodb.Client { return dynamodb.NewFromConfig(cfg) }),
		}
	},
	lines: []line{
		asks("calls per second", callRate, more, theSDK, 4),
		atMost("new connections per call", newConnections, 0.01),
		shown("CPU per call, with the server", processTime).perItem(burst),
	},
}

// burstOf returns a subject for a contender of the read of one item.
func burstOf(tb testing.TB, contender int, newClient func(aws.Config) *dynamodb.Client) subject {
	tb.Helper()
	items, _ := stored(tb)
	name := itemReaders(tb, clientOf(nil))[contender].name
	return subject{name: name, measure: func(tb testing.TB, d time.Duration) sample {
		tb.Helper()
		wait, n := latency, burst
		if d == 0 {
			wait, n = 0, 10
		}
		s := newServer(tb, getReply(items[7]), wait, true)
		defer s.Close()
		read := itemReaders(tb, newClient(s.config()))[contender].read
		once := func() error { return inBurst(tb.Context(), n, read) }
		if err := once(); err != nil { // the first burst opens connections
			tb.Fatal(err)
		}
		requests, connections := s.requests.Load(), s.connections.Load()
		got := calls(tb, 4*d, once)
		got.values[callRate] = float64(n) / (got.values[wallTime] / float64(time.Second))
		got.values[newConnections] = float64(s.connections.Load()-connections) / float64(s.requests.Load()-requests)
		return got
	}}
}

// inBurst does a read with n goroutines at the same time.
func inBurst(ctx context.Context, n int, read func(context.Context) (int, string, error)) error {
	group, ctx := errgroup.WithContext(ctx)
	for range n {
		group.Go(func() error {
			_, id, err := read(ctx)
			if err == nil && id != orderOf(7).ID {
				err = errors.New("another order")
			}
			return err
		})
	}
	return group.Wait()
}

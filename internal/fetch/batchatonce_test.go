package fetch_test

import (
	"context"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/define"
	"github.com/trestledb/trestle/internal/exec"
	"github.com/trestledb/trestle/internal/fetch"
)

// batchClient is a client whose BatchGetItem is a function.
type batchClient struct {
	trestle.Client
	get func(context.Context, *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error)
}

func (c *batchClient) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return c.get(ctx, in)
}

// everyItem answers a request with all items.
func everyItem(in *dynamodb.BatchGetItemInput) *dynamodb.BatchGetItemOutput {
	out, _ := (&batchFile{}).batchReply(in, "")
	return out
}

// readBatch reads n items of numbers with a client.
func readBatch(t *testing.T, n int, client *batchClient) (taken int, left []int, err error) {
	t.Helper()
	s, issues := define.Schema(trestle.Config{})
	require.Empty(t, issues)
	keys := make([]fetch.KeyRequest, n)
	for i := range keys {
		keys[i] = keyRequest(s, strconv.Itoa(i))
	}
	call := exec.NewCall(&exec.Config{Client: client, Table: "app"}, trestle.OperationInfo{Operation: "get many", Table: "app"}, nil, trestle.NoWrite)
	left, err = fetch.BatchGet(t.Context(), &call, keys, fetch.Projection{}, func(int, core.Row) error {
		taken++
		return nil
	})
	return taken, left, err
}

// Up to 4 requests run at the same time, and the next one starts as soon as one has ended.
func TestBatchReadsOverlap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const latency = 5 * time.Millisecond
		var running, most atomic.Int64
		start := time.Now()
		taken, left, err := readBatch(t, 1000, &batchClient{get: func(_ context.Context, in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
			most.Store(max(most.Load(), running.Add(1)))
			<-time.After(latency)
			running.Add(-1)
			return everyItem(in), nil
		}})
		require.NoError(t, err)
		require.Empty(t, left)
		require.Equal(t, 1000, taken)
		require.Equal(t, int64(4), most.Load())
		require.Equal(t, 3*latency, time.Since(start)) // 10 requests
	})
}

// A failed request cancels the others and ends the read. Their keys are not read.
func TestBatchReadEndsWithTheFirstError(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		taken, left, err := readBatch(t, 1000, &batchClient{get: func(ctx context.Context, in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
			switch requests.Add(1) {
			case 1:
				return everyItem(in), nil
			case 2:
				<-time.After(time.Millisecond)
				return nil, &smithy.GenericAPIError{Code: "AccessDeniedException"}
			default:
				<-ctx.Done()
				return nil, ctx.Err()
			}
		}})
		var denied smithy.APIError
		require.ErrorAs(t, err, &denied)
		require.Equal(t, 100, taken)
		require.Len(t, left, 900)
		require.Equal(t, int64(5), requests.Load())
	})
}

// A panic of the client is one of the caller, also if the request runs in another goroutine.
func TestBatchReadPanicsAsTheClient(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 1000} {
		require.PanicsWithValue(t, "client", func() {
			_, _, _ = readBatch(t, n, &batchClient{get: func(context.Context, *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
				panic("client")
			}})
		})
	}
}

// A client that ends the goroutine of a request does not make its items missing.
func TestBatchReadFailsIfAGoroutineEnds(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	taken, left, err := readBatch(t, 1000, &batchClient{get: func(_ context.Context, in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
		if requests.Add(1) == 3 {
			runtime.Goexit()
		}
		return everyItem(in), nil
	}})
	require.ErrorIs(t, err, exec.ErrAborted)
	require.GreaterOrEqual(t, len(left), 100)
	require.Len(t, left, 1000-taken)
}

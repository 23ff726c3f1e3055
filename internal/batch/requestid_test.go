package batch_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// requestIDs collects the IDs of the requests of a client.
type requestIDs struct {
	mu   sync.Mutex
	list []string
}

// collect is an option of the client.
func (r *requestIDs) collect(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("requestIDs", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			out, meta, err := next.HandleInitialize(ctx, in)
			if id, ok := awsmiddleware.GetRequestIDMetadata(meta); ok {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.list = append(r.list, id)
			}
			return out, meta, err
		}), middleware.Before)
	})
}

// The error of a batch has the request ID of its first failure, and none if that was not sent:
// those of other requests of the batch would mislead.
func TestBatchErrorHasRequestIDOfFirstFailure(t *testing.T) {
	t.Parallel()
	engines.Each(t, func(t *testing.T, e engines.Engine) {
		ctx := t.Context()
		var ids requestIDs
		s := newSite(t, dynamodb.New(e.Client(t).Options(), ids.collect))
		require.NoError(t, s.table.Create(ctx))

		for name, list := range map[string][]*page{
			"the second is invalid": {{ID: "ok"}, {ID: ""}},
			"the first is invalid":  {{ID: ""}, {ID: "ok"}},
			"both are invalid":      {{ID: "ok"}, {ID: ""}, {ID: ""}},
		} {
			ids.list = nil
			err := s.pages.PutMany(ctx, slices.Values(list))
			require.ErrorIs(t, err, trestle.ErrInvalid, name)
			require.Len(t, ids.list, 1, name)
			require.NotContains(t, err.Error(), ids.list[0], name)
			require.Empty(t, requestID(t, err), name)
		}

		stored := draft{ID: "stored"}
		require.NoError(t, s.drafts.Put(ctx, &stored))
		ids.list = nil
		list := []*draft{{ID: "new"}, {ID: "stored"}, {ID: ""}}
		err := s.drafts.PutMany(ctx, slices.Values(list), entity.Concurrency(1))
		require.ErrorIs(t, err, trestle.ErrStale)
		require.Len(t, ids.list, 2)
		require.Equal(t, ids.list[1], requestID(t, err), "the second one was sent, and failed")
		require.Contains(t, err.Error(), ids.list[1])

		ended, cancel := context.WithCancel(ctx)
		list = []*draft{{ID: "sent"}, {ID: "unsent"}, {ID: "unsent too"}}
		err = s.drafts.PutMany(ended, slices.Values(list), entity.Concurrency(1), entity.Progress(func(entity.BatchProgress) { cancel() }))
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, requestID(t, err), "the batch ended between requests")
	})
}

// requestID returns the request ID of the reason of a batch error.
func requestID(t *testing.T, err error) string {
	t.Helper()
	var batch *trestle.UnprocessedError
	require.ErrorAs(t, err, &batch)
	var reason *trestle.OpError
	require.ErrorAs(t, batch.Err, &reason)
	return reason.RequestID
}

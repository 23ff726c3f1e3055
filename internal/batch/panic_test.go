package batch_test

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// odd is a client with a write of its own.
type odd struct {
	*dynamodb.Client
	write func([]types.WriteRequest) (unprocessed []types.WriteRequest, err error)
}

func (o odd) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	left, err := o.write(in.RequestItems["site"])
	return &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{"site": left}}, err
}

func (o odd) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	_, err := o.write(nil)
	return &dynamodb.PutItemOutput{}, err
}

// mixed yields puts that are sent together, and puts that are sent alone.
func mixed(s *site, n int) iter.Seq[entity.Operation] {
	return func(yield func(entity.Operation) bool) {
		for _, p := range pagesOf(n) {
			if !yield(s.pages.Op().Put(p)) || !yield(s.drafts.Op().Put(&draft{ID: p.ID})) {
				return
			}
		}
	}
}

// A panic of the client, of the sequence and of the progress function reaches the caller, at once
// and in its own goroutine, even while other requests hang. No goroutine remains, and the observer
// learns that the outcome is unknown.
func TestPanicReachesTheCaller(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault ddbtest.Effect
		write func(context.Context, *site)
	}{
		"client, together": {nil, func(ctx context.Context, s *site) { _ = s.pages.PutMany(ctx, slices.Values(pagesOf(200))) }},
		"client, alone":    {nil, func(ctx context.Context, s *site) { _ = entity.WriteMany(ctx, mixed(s, 200)) }},
		"sequence": {ddbtest.Hang, func(ctx context.Context, s *site) {
			_ = entity.WriteMany(ctx, func(yield func(entity.Operation) bool) {
				for o := range mixed(s, 20) {
					yield(o)
					if len(s.events) == 0 {
						synctest.Wait() // a request hangs
					}
				}
				panic("mine")
			}, entity.Concurrency(99))
		}},
		"progress": {ddbtest.Delay(time.Second), func(ctx context.Context, s *site) {
			_ = s.pages.PutMany(ctx, slices.Values(pagesOf(200)), entity.Progress(func(entity.BatchProgress) { panic("mine") }))
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			db := ddbtest.Start(t)
			require.NoError(t, newSite(t, db.Client()).table.Create(t.Context()))
			var client trestle.Client = db.Client()
			if c.fault == nil {
				client = odd{db.Client(), func([]types.WriteRequest) ([]types.WriteRequest, error) { panic("mine") }}
			} else {
				db.Fail(c.fault, ddbtest.Op("BatchWriteItem", "PutItem"))
			}
			s := newSite(t, client)
			start := time.Now()
			require.PanicsWithValue(t, "mine", func() { c.write(t.Context(), s) }, name)
			require.LessOrEqual(t, time.Since(start), time.Second, name)
			require.Len(t, s.events, 1, name)
			require.Equal(t, trestle.Unknown, s.events[0].Outcome, name)
			require.ErrorIs(t, s.events[0].Err, trestle.ErrUnknown)
		})
	}
}

// If the sequence or the client ends its goroutine, no other goroutine remains.
func TestEndOfAGoroutine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := start(t)
		db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.Hang)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = s.pages.PutMany(t.Context(), func(yield func(*page) bool) {
				for _, p := range pagesOf(30) {
					yield(p)
				}
				runtime.Goexit()
			})
		}()
		<-done
		require.Equal(t, trestle.Unknown, s.events[0].Outcome)
	})
	last := make(chan struct{}) // after a failure the batch would not take it
	s := newSite(t, odd{write: func([]types.WriteRequest) ([]types.WriteRequest, error) { <-last; runtime.Goexit(); return nil, nil }})
	err := s.pages.PutMany(t.Context(), func(yield func(*page) bool) {
		for i, p := range pagesOf(30) {
			if i == 29 {
				close(last)
			}
			yield(p)
		}
	}, entity.Concurrency(1))
	e := failure(t, err)
	require.Len(t, e.Failures, 30)
	require.Equal(t, trestle.Unknown, trestle.OutcomeOf(e.Failures[24].Err))
	require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(e.Failures[25].Err))
}

// An unprocessed write that is not of the request is ignored.
func TestForeignUnprocessedWriteIsIgnored(t *testing.T) {
	t.Parallel()
	s := newSite(t, odd{write: func([]types.WriteRequest) ([]types.WriteRequest, error) {
		return []types.WriteRequest{{DeleteRequest: &types.DeleteRequest{Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "x"}}}}, {}}, nil
	}})
	require.NoError(t, s.pages.PutMany(t.Context(), slices.Values(pagesOf(3))))
	require.Equal(t, 3, s.events[0].Items)
	require.Zero(t, s.events[0].Unprocessed)
}

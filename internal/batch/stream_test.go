package batch_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
)

// held is a client that keeps each write until the test lets it go.
type held struct {
	*dynamodb.Client
	running atomic.Int32
	release chan struct{}
}

func (h *held) wait(ctx context.Context) {
	h.running.Add(1)
	defer h.running.Add(-1)
	select {
	case <-h.release:
	case <-ctx.Done():
	}
}

func (h *held) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	h.wait(ctx)
	return h.Client.BatchWriteItem(ctx, in, o...)
}

func (h *held) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	h.wait(ctx)
	return h.Client.PutItem(ctx, in, o...)
}

// holding returns a site whose writes are held.
func holding(t *testing.T) (*held, *site) {
	t.Helper()
	h := &held{Client: ddbtest.Start(t).Client(), release: make(chan struct{})}
	s := newSite(t, h)
	require.NoError(t, newSite(t, h.Client).table.Create(t.Context()))
	return h, s
}

// A batch sends as many requests at the same time as allowed, and takes no more of the sequence
// than these requests and the next ones hold.
func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		options       []entity.BatchOption
		want, singles int
	}{
		{nil, 4, 4}, {[]entity.BatchOption{nil, entity.Concurrency(0), entity.Progress(nil)}, 4, 4}, {[]entity.BatchOption{entity.Concurrency(1)}, 1, 1},
		{[]entity.BatchOption{entity.Concurrency(3)}, 3, 3}, {[]entity.BatchOption{entity.Concurrency(1000)}, 40, 100},
	} {
		synctest.Test(t, func(t *testing.T) {
			h, s := holding(t)
			taken := 0
			done := make(chan error, 1)
			go func() { done <- s.pages.PutMany(t.Context(), counted(pagesOf(1000), &taken), c.options...) }()
			synctest.Wait()
			require.EqualValues(t, c.want, h.running.Load())
			require.Equal(t, min(1000, 25*(c.want+1)), taken)
			h.release <- struct{}{}
			synctest.Wait()
			require.LessOrEqual(t, int(h.running.Load()), c.want)
			require.Equal(t, min(1000, 25*(c.want+2)), taken)
			close(h.release)
			require.NoError(t, <-done)
			require.Equal(t, 1000, taken)

			h.release, taken = make(chan struct{}), 0
			var drafts []*draft
			for _, p := range pagesOf(100) {
				drafts = append(drafts, &draft{ID: p.ID})
			}
			go func() { done <- s.drafts.PutMany(t.Context(), counted(drafts, &taken), c.options...) }()
			synctest.Wait()
			require.EqualValues(t, c.singles, h.running.Load(), "single writes count too")
			require.Equal(t, min(100, c.singles+1), taken)
			close(h.release)
			require.NoError(t, <-done)
		})
	}
}

// Writes of one item run one after the other. The sequence is taken while they wait, but not
// without a limit.
func TestWaitingWritesAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, s := holding(t)
		same := slices.Repeat(pagesOf(1), 1000)
		taken := 0
		done := make(chan error, 1)
		go func() { done <- s.pages.PutMany(t.Context(), counted(same, &taken)) }()
		synctest.Wait()
		require.EqualValues(t, 1, h.running.Load())
		require.Equal(t, 401, taken)
		close(h.release)
		require.NoError(t, <-done)
		require.Equal(t, 1000, s.events[0].Requests)
	})
}

// The items that wait for another write of their item share requests, too.
func TestRepeatedItemsShareRequests(t *testing.T) {
	t.Parallel()
	db, s := start(t)
	var list []*page
	for _, p := range pagesOf(25) {
		list = append(list, slices.Repeat([]*page{p}, 10)...)
	}
	require.NoError(t, s.pages.PutMany(t.Context(), slices.Values(list), entity.Concurrency(1)))
	require.Less(t, s.events[0].Requests, 60)
	require.Equal(t, 250, s.events[0].Items)
	require.Len(t, s.stored(t, db), 25)
}

// The observer is notified of one operation, with the sums of all requests.
func TestBatchIsOneOperation(t *testing.T) {
	t.Parallel()
	db, s := start(t)
	db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.First(1), ddbtest.Unprocessed(10)).MustHit(t)
	db.Fail(ddbtest.Op("PutItem"), ddbtest.First(1), ddbtest.Throttle("TableWriteKeyRangeThroughputExceeded")).MustHit(t)
	var list []entity.Operation
	for _, p := range pagesOf(60) {
		list = append(list, s.pages.Op().Put(p))
		if p.N%6 == 0 {
			list = append(list, s.drafts.Op().Put(&draft{ID: p.ID}))
		}
	}
	cost := db.Measure(func() { require.NoError(t, entity.WriteMany(t.Context(), slices.Values(list))) })
	require.Len(t, s.events, 1)
	e := s.events[0]
	require.Equal(t, trestle.OperationInfo{Operation: "write many"}, e.OperationInfo)
	require.Equal(t, 70, e.Items)
	require.Equal(t, 3+1+10, e.Requests)
	require.Equal(t, cost.Total(), e.Attempts)
	require.Equal(t, 10, e.Unprocessed)
	require.Equal(t, []string{"TableWriteKeyRangeThroughputExceeded"}, e.Throttled)
	require.InDelta(t, 70, e.Capacity.Write, 0)
	require.Equal(t, trestle.Applied, e.Outcome)
	require.NoError(t, e.Err)

	s.events = nil
	require.NoError(t, entity.WriteMany(t.Context(), nil))
	require.Error(t, s.pages.PutMany(t.Context(), slices.Values([]*page{{}, nil})), "nothing is sent")
	require.Empty(t, s.events)
}

package query_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/query"
)

// streams are the ways to stream rows with requests that run ahead of the caller.
var streams = map[string]func(context.Context, *entity.Repo[row]) iter.Seq2[row, error]{
	"query": func(ctx context.Context, repo *entity.Repo[row]) iter.Seq2[row, error] {
		return query.Of(repo, row{Book: "b"}).PageSize(10).Prefetch().All(ctx)
	},
	"filtered": func(ctx context.Context, repo *entity.Repo[row]) iter.Seq2[row, error] {
		return query.Of(repo, row{Book: "b"}).PageSize(10).Prefetch().Filter(rowKeep.Eq(true)).All(ctx)
	},
	"collection": func(ctx context.Context, repo *entity.Repo[row]) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			for item, err := range query.Items(ctx, query.Of(repo, row{Book: "b"}).PageSize(10).Prefetch().Collection()) {
				one, _ := item.(row)
				if !yield(one, err) {
					return
				}
			}
		}
	},
	"scan": func(ctx context.Context, repo *entity.Repo[row]) iter.Seq2[row, error] {
		return query.Scan(repo).PageSize(10).Segments(3).All(ctx)
	},
}

// bubbled runs f in a synctest bubble for each stream of 100 rows. At the end no goroutine may run
// and no time may have passed, so ending a stream never waits for a hanging request.
func bubbled(t *testing.T, f func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error])) {
	t.Helper()
	for name, stream := range streams {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				db := ddbtest.Start(t)
				repo := library0(t, db.Client())
				var all []*row
				for n := range 100 {
					all = append(all, &row{Book: "b", N: n, Shelf: "s", Keep: n%2 == 0})
				}
				for n := range 60 { // enough for every segment of a scan
					all = append(all, &row{Book: strconv.Itoa(n % 20), N: n, Shelf: "s"})
				}
				putAll(t, db.Client(), all)
				began := time.Now()
				f(t, db, func(ctx context.Context) iter.Seq2[row, error] { return stream(ctx, repo) })
				// immediately: a stream waits for its requests before it ends
				require.Empty(t, db.Pending(), "requests under way")
				require.Zero(t, time.Since(began), "it waited for what hangs")
			})
		})
	}
}

// hang makes every page except the first hang until its context ends.
func hang(db *ddbtest.DB) {
	var n atomic.Int64
	db.Fail(ddbtest.Op("Query", "Scan"), ddbtest.Matching(func(ddbtest.Request) bool { return n.Add(1) > 1 }), ddbtest.Hang)
}

func TestBreakLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, _ *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		for stop := 1; stop < 45; stop += 7 {
			n := 0
			for _, err := range open(t.Context()) {
				require.NoError(t, err)
				if n++; n == stop {
					break
				}
			}
			require.Equal(t, stop, n)
		}
	})
}

func TestBreakWhileAPageHangs(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		hang(db)
		for _, err := range open(t.Context()) {
			require.NoError(t, err)
			synctest.Wait()
			require.NotEmpty(t, db.Pending(), "the page ahead is under way")
			break
		}
	})
}

func TestPullingAndStopping(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		hang(db)
		next, stop := iter.Pull2(open(t.Context()))
		defer stop()
		_, err, ok := next()
		require.NoError(t, err)
		require.True(t, ok)
	})
}

// Canceling the context ends a hanging page immediately. The stream yields the items before it
// first.
func TestCancelWhileAPageHangs(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		hang(db)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		var last error
		for _, err := range open(ctx) {
			require.NoError(t, last, "the error comes last")
			if last = err; err == nil {
				n++
				cancel()
			}
		}
		require.ErrorIs(t, last, context.Canceled)
		require.Positive(t, n)
	})
}

// A prefetched page that fails does not affect the page before it.
func TestPrefetchErrorComesAfterEarlierItems(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		whole := 0
		for _, err := range open(t.Context()) {
			require.NoError(t, err)
			whole++
		}
		db.Fail(ddbtest.Op("Query", "Scan"), ddbtest.Nth(4), ddbtest.Error("ValidationException", "", 400)).MustHit(t)
		n, failures := 0, 0
		for one, err := range open(t.Context()) {
			require.Zero(t, failures, "the error comes last")
			if err == nil {
				n++
				continue
			}
			failures++
			require.Zero(t, one)
			var op *trestle.OpError
			require.ErrorAs(t, err, &op)
		}
		require.Equal(t, 1, failures)
		require.Less(t, n, whole)
	})
}

// A loop whose body panics or ends its goroutine leaves no request running.
func TestPanicLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		hang(db)
		mine := errors.New("mine")
		require.PanicsWithError(t, mine.Error(), func() {
			for _, err := range open(t.Context()) {
				require.NoError(t, err)
				synctest.Wait()
				panic(mine)
			}
		})
	})
}

func TestGoexitLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	bubbled(t, func(t *testing.T, db *ddbtest.DB, open func(context.Context) iter.Seq2[row, error]) {
		hang(db)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, err := range open(t.Context()) {
				synctest.Wait()
				if err == nil {
					runtime.Goexit() // like a failing test
				}
			}
		}()
		<-done
	})
}

package batch_test

import (
	"context"
	"math/rand/v2"
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
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

// putMany is a way to put pages. It returns those that it reports as not applied or unknown.
type putMany func(context.Context, *testing.T, *run) error

// run is one batch of random pages with random faults.
type run struct {
	db    *ddbtest.DB
	site  *site
	pages []*page
	taken int // pages that were taken from the sequence

	concurrency int
	sent        int  // requests of a negative control
	lossy       bool // replies may be lost
	progress    []entity.BatchProgress
}

// library puts the pages with PutMany.
func library(ctx context.Context, _ *testing.T, r *run) error {
	return r.site.pages.PutMany(ctx, counted(r.pages, &r.taken), entity.Concurrency(r.concurrency),
		entity.Progress(func(p entity.BatchProgress) { r.progress = append(r.progress, p) }))
}

// discarding sends each chunk once and ignores what is unprocessed.
func discarding(ctx context.Context, t *testing.T, r *run) error {
	t.Helper()
	for chunk := range slices.Chunk(r.pages, 25) {
		r.taken += len(chunk)
		if _, err := r.send(ctx, t, requestsOf(t, r.site, chunk)); err != nil {
			return reported(r.pages[r.taken-len(chunk):r.taken], err)
		}
	}
	return nil
}

// impatient sends unprocessed pages again at once.
func impatient(ctx context.Context, t *testing.T, r *run) error {
	t.Helper()
	for chunk := range slices.Chunk(r.pages, 25) {
		r.taken += len(chunk)
		for writes := requestsOf(t, r.site, chunk); len(writes) > 0; r.sent++ {
			left, err := r.send(ctx, t, writes)
			if err != nil || r.sent > r.limit() {
				return reported(r.pages[r.taken-len(chunk):r.taken], err)
			}
			writes = left
		}
	}
	return nil
}

func (r *run) send(ctx context.Context, t *testing.T, writes []types.WriteRequest) ([]types.WriteRequest, error) {
	t.Helper()
	out, err := r.db.Client().BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"site": writes}})
	if err != nil {
		return nil, err
	}
	return out.UnprocessedItems["site"], nil
}

func requestsOf(t *testing.T, s *site, pages []*page) (writes []types.WriteRequest) {
	t.Helper()
	for _, p := range pages {
		item, err := s.pages.Type().Encode(p)
		require.NoError(t, err)
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	return writes
}

// reported returns an error that reports pages with an unknown outcome.
func reported(pages []*page, err error) error {
	e := &trestle.UnprocessedError{Err: &trestle.OpError{Err: err}}
	for _, p := range pages {
		e.Failures = append(e.Failures, trestle.BatchFailure{Argument: func() any { return p }, Err: &trestle.OpError{Outcome: trestle.Unknown, Err: err}})
	}
	return e
}

// faults adds random rules.
func (r *run) faults(rnd *rand.Rand) {
	op := ddbtest.Op("BatchWriteItem")
	switch rnd.IntN(8) {
	case 0: // none
	case 1:
		r.db.Fail(op, ddbtest.UnprocessedRate(0.1+0.9*rnd.Float64()))
	case 2:
		r.db.Fail(op, ddbtest.Unprocessed(25), ddbtest.First(rnd.IntN(12)+1))
	case 3:
		r.db.Fail(op, ddbtest.Unprocessed(25))
	case 4:
		r.db.Fail(op, ddbtest.Unprocessed(1+rnd.IntN(25)), ddbtest.Every(1+rnd.IntN(3)))
	case 5:
		r.db.Fail(op, ddbtest.Throttle(), ddbtest.Rate(rnd.Float64()))
	case 6: // lost replies, and unprocessed pages in between
		r.lossy = true
		effect := []ddbtest.Effect{
			ddbtest.Reset, ddbtest.AfterCommit(ddbtest.Reset), ddbtest.AfterCommit(ddbtest.InternalError), ddbtest.Truncate, ddbtest.Unavailable,
		}[rnd.IntN(5)]
		r.db.Fail(op, effect, ddbtest.Rate(rnd.Float64()))
		r.db.Fail(op, ddbtest.UnprocessedRate(rnd.Float64()))
	case 7:
		r.db.Fail(op, ddbtest.Error("AccessDeniedException", "m", 400), ddbtest.Nth(1+rnd.IntN(9)))
	}
	if rnd.IntN(3) == 0 {
		r.db.Fail(op, ddbtest.Delay(time.Duration(rnd.IntN(int(time.Second)))), ddbtest.Rate(0.5))
	}
}

// check returns what is wrong: a page that is neither stored nor reported, a page that is stored
// and reported as not applied, too many requests, or wrong numbers.
func (r *run) check(t *testing.T, err error) string {
	t.Helper()
	found := r.site.stored(t, r.db)
	failed := map[string]trestle.Outcome{}
	if err != nil {
		var e *trestle.UnprocessedError
		require.ErrorAs(t, err, &e)
		for _, f := range e.Failures {
			failed[f.Argument().(*page).ID] = trestle.OutcomeOf(f.Err)
		}
	}
	for i, p := range r.pages {
		_, stored := found[p.ID]
		outcome, reported := failed[p.ID]
		switch {
		case i >= r.taken && (stored || reported):
			return "a page that was not taken"
		case i < r.taken && !stored && !reported:
			return "a page was lost"
		case stored && reported && outcome == trestle.NotApplied:
			return "a page is applied, and reported as not applied"
		}
	}
	if len(r.db.Requests()) > r.limit() {
		return "too many requests"
	}
	return ""
}

// limit is a limit for the number of requests: each request has at most three attempts and, except
// for seven in a row, processes a page.
func (r *run) limit() int { return 3 * 8 * (len(r.pages) + 1) }

// checkLibrary checks what only PutMany promises.
func (r *run) checkLibrary(t *testing.T, err error) {
	t.Helper()
	found := r.site.stored(t, r.db)
	require.Len(t, r.site.events, min(1, len(r.pages)))
	if err == nil {
		require.Equal(t, len(r.pages), r.taken)
		require.Len(t, found, r.taken)
	} else {
		e := failure(t, err)
		require.Equal(t, r.taken, e.Consumed)
		require.Len(t, trestle.Unprocessed[*page](err), len(e.Failures))
		for _, f := range e.Failures {
			require.Same(t, r.pages[f.Index], f.Argument())
			if !r.lossy {
				require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(f.Err))
			}
			require.True(t, r.pages[f.Index].UpdatedAt.IsZero(), "only applied pages are stamped")
		}
		require.Equal(t, r.site.events[0].Err, e.Err)
	}
	last, event := r.progress[len(r.progress)-1], r.site.events[0]
	require.Equal(t, "put many", event.Operation)
	require.Equal(t, last.Requests, event.Requests)
	require.Equal(t, last.Applied, event.Items)
	require.Equal(t, last.Capacity, event.Capacity)
	stamped := 0
	for _, p := range r.pages {
		if !p.UpdatedAt.IsZero() {
			stamped++
		}
	}
	require.Equal(t, stamped, event.Items)
	require.Equal(t, event.Attempts, len(r.db.Requests())-r.refused(t))
}

// refused returns the number of requests before the batch.
func (r *run) refused(t *testing.T) (n int) {
	t.Helper()
	for _, q := range r.db.Requests() {
		if q.Operation != "BatchWriteItem" {
			n++
		}
	}
	return n
}

// random runs a way to put pages with random pages and faults, and returns what is wrong.
func random(t *testing.T, seed uint64, put putMany) (wrong string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		r := &run{concurrency: 1 + rnd.IntN(5), pages: pagesOf(1 + rnd.IntN([]int{25, 60, 200}[rnd.IntN(3)]))}
		r.db, r.site = start(t, ddbtest.Options{Seed: seed})
		r.faults(rnd)
		ctx := t.Context()
		if rnd.IntN(6) == 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Duration(rnd.IntN(int(2*time.Second))))
			defer cancel()
			r.lossy = true
		}
		err = put(ctx, t, r)
		r.db.ClearFaults()
		wrong = r.check(t, err)
		if r.progress != nil {
			r.checkLibrary(t, err)
		}
	})
	return wrong, err
}

// Every page that is taken is stored or reported, whatever the service leaves unprocessed, even if
// it processes nothing. The number of requests is bounded. The negative controls discard
// unprocessed pages, or send them again at once.
func TestEverythingIsAppliedOrReported(t *testing.T) {
	t.Parallel()
	seed := testrand.Seed(t)
	complete, partly := 0, 0
	for i := range testsize.Pick(150, 400, 100_000) {
		wrong, err := random(t, seed+uint64(i), library)
		require.Empty(t, wrong, "run %d", i)
		if err == nil {
			complete++
		} else {
			partly++
		}
	}
	t.Logf("%d complete, %d in part", complete, partly)
	require.Positive(t, complete)
	require.Positive(t, partly)
	for name, put := range map[string]putMany{"discards": discarding, "sends again at once": impatient} {
		wrong, runs := "", 0
		for ; wrong == "" && runs < 100; runs++ {
			wrong, _ = random(t, seed+uint64(runs), put)
		}
		t.Logf("%s: after %d runs, %s", name, runs, wrong)
		require.NotEmpty(t, wrong, "the negative control")
	}
}

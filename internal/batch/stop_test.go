package batch_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/ddbtest"
	"github.com/trestledb/trestle/entity"
	"github.com/trestledb/trestle/internal/engines"
)

// A failure that concerns all writes stops the batch. Everything that was taken is reported with
// that reason, and the rest is not taken.
func TestFailureOfAllStopsTheBatch(t *testing.T) {
	t.Parallel()
	denied := ddbtest.Error("AccessDeniedException", "m", 400)
	for name, c := range map[string]struct {
		fault   ddbtest.Effect
		code    string
		outcome trestle.Outcome // of the requests that failed
	}{
		"access denied":          {denied, "AccessDeniedException", trestle.NotApplied},
		"missing table":          {ddbtest.Error("ResourceNotFoundException", "m", 400), "ResourceNotFoundException", trestle.NotApplied},
		"throttled":              {ddbtest.Throttle(), "ThrottlingException", trestle.NotApplied},
		"no connection":          {ddbtest.Refused, "", trestle.NotApplied},
		"unknown code":           {ddbtest.Error("SomethingException", "m", 400), "SomethingException", trestle.NotApplied},
		"lost connection":        {ddbtest.Reset, "", trestle.Unknown},
		"failure of the service": {ddbtest.InternalError, "InternalServerError", trestle.Unknown},
	} {
		for _, single := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				db, s := start(t)
				const n, stored = 2000, 50
				taken, good := 0, int32(stored/25) // the requests before the fault
				var sent atomic.Int32
				effects := []ddbtest.RuleOption{ddbtest.Op("BatchWriteItem"), c.fault, ddbtest.Matching(func(ddbtest.Request) bool { return sent.Add(1) > good })}
				put := func() error { return s.pages.PutMany(t.Context(), counted(pagesOf(n), &taken), entity.Concurrency(2)) }
				if single {
					if c.outcome == trestle.Unknown {
						return // a failure of one write
					}
					var drafts []*draft
					for _, p := range pagesOf(n) {
						drafts = append(drafts, &draft{ID: p.ID})
					}
					effects[0], good = ddbtest.Op("PutItem"), stored
					put = func() error { return s.drafts.PutMany(t.Context(), counted(drafts, &taken), entity.Concurrency(2)) }
				}
				db.Fail(effects...)
				err := put()
				e := failure(t, err)
				require.Equal(t, taken, e.Consumed, name)
				require.Less(t, taken, 200, name)
				require.Len(t, s.stored(t, db), e.Consumed-len(e.Failures))
				require.Equal(t, stored, e.Consumed-len(e.Failures))
				require.Equal(t, c.outcome, trestle.OutcomeOf(err), name)
				requireCode(t, c.code, e.Err)
				blamed := 0
				for _, f := range e.Failures {
					requireCode(t, c.code, f.Err)
					if outcome := trestle.OutcomeOf(f.Err); outcome == c.outcome {
						blamed++
					} else {
						require.Equal(t, trestle.NotApplied, outcome, "not sent")
					}
				}
				require.Positive(t, blamed)
				require.Equal(t, name == "throttled", trestle.IsThrottled(err), name)
				require.Equal(t, e.Err, s.events[len(s.events)-1].Err)
			})
		}
	}
}

func requireCode(t *testing.T, code string, err error) {
	t.Helper()
	var api smithy.APIError
	if code != "" {
		require.ErrorAs(t, err, &api)
		require.Equal(t, code, api.ErrorCode())
	}
}

// A failure of one single write does not stop the batch, whatever it is about.
func TestFailureOfOneWriteDoesNotStopTheBatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   ddbtest.Effect
		kind    error
		outcome trestle.Outcome
	}{
		"lost reply":                 {ddbtest.AfterCommit(ddbtest.Reset), trestle.ErrUnknown, trestle.Unknown},
		"lost request":               {ddbtest.Reset, trestle.ErrUnknown, trestle.Unknown},
		"validation":                 {ddbtest.Error("ValidationException", "m", 400), nil, trestle.NotApplied},
		"a collection that is full":  {ddbtest.CollectionFull, nil, trestle.NotApplied},
		"a conflict that stays":      {ddbtest.Conflict, nil, trestle.NotApplied},
		"a write of another Region":  {ddbtest.ReplicatedWriteConflict, nil, trestle.NotApplied},
		"a condition that fails":     {ddbtest.Error("ConditionalCheckFailedException", "m", 400), trestle.ErrCondition, trestle.NotApplied},
		"a time-out of the attempts": {ddbtest.Hang, trestle.ErrUnknown, trestle.Unknown},
	} {
		synctest.Test(t, func(t *testing.T) {
			db, s := start(t)
			var drafts []*draft
			for _, p := range pagesOf(60) {
				drafts = append(drafts, &draft{ID: p.ID})
			}
			key, err := s.drafts.Type().KeyOf(*drafts[7])
			require.NoError(t, err)
			db.Fail(ddbtest.Op("PutItem"), ddbtest.OnKey(key), c.fault).MustHit(t)
			err = s.drafts.PutMany(t.Context(), slices.Values(drafts))
			e := failure(t, err)
			require.Len(t, e.Failures, 1, name)
			require.Equal(t, 7, e.Failures[0].Index)
			require.Equal(t, 60, e.Consumed)
			require.Equal(t, c.outcome, trestle.OutcomeOf(e.Failures[0].Err), name)
			require.Equal(t, c.outcome, trestle.OutcomeOf(err), name)
			if c.kind != nil {
				require.ErrorIs(t, e.Failures[0].Err, c.kind, name)
			}
			require.Zero(t, drafts[7].Version)
			require.Equal(t, 1, drafts[8].Version)
		})
	}
}

// A single write is sent again after throttling only if it was certainly not applied.
func TestThrottledWriteOfUnknownOutcomeIsNotSentAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := start(t)
		require.NoError(t, s.pages.Put(t.Context(), &page{ID: "1"}))
		s.events = nil
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Nth(1), ddbtest.Reset).MustHit(t)
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.Throttle()).MustHit(t)
		err := entity.WriteMany(t.Context(), slices.Values([]entity.Operation{s.pages.Op().Update(page{ID: "1"}, pageN.Set(2))}))
		require.ErrorIs(t, err, trestle.ErrUnknown)
		require.Equal(t, 1, s.events[0].Requests)

		db.ClearFaults()
		db.Fail(ddbtest.Op("UpdateItem"), ddbtest.First(6), ddbtest.Throttle()).MustHit(t)
		require.NoError(t, entity.WriteMany(t.Context(), slices.Values([]entity.Operation{s.pages.Op().Update(page{ID: "1"}, pageN.Set(2))})))
		require.Equal(t, 3, s.events[1].Requests)
	})
}

// The only write of an invalid request is not sent a second time.
func TestInvalidRequestOfOneWrite(t *testing.T) {
	t.Parallel()
	db, s := start(t)
	db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.Error("ValidationException", "m", 400)).MustHit(t)
	e := failure(t, s.pages.PutMany(t.Context(), slices.Values(pagesOf(1))))
	require.Len(t, e.Failures, 1)
	require.Equal(t, 1, s.events[0].Requests)
}

// The batch stops after 1,000 failures, so that the error is bounded.
func TestTooManyFailuresStopTheBatch(t *testing.T) {
	t.Parallel()
	_, s := start(t)
	taken := 0
	var list []*page
	for _, p := range pagesOf(2000) {
		list = append(list, p, &page{})
	}
	err := s.pages.PutMany(t.Context(), counted(list, &taken))
	e := failure(t, err)
	require.Equal(t, 2000, taken)
	require.GreaterOrEqual(t, len(e.Failures), 1000)
	require.Less(t, len(e.Failures), 1000+25*5)
	require.ErrorIs(t, err, trestle.ErrInvalid)
}

// While the service processes nothing, the requests pause longer and longer, at random, and then
// the batch gives up. The negative controls pause not at all, always as long, or not at random.
func TestBackoff(t *testing.T) {
	t.Parallel()
	put := func(t *testing.T, s *site, _ *ddbtest.DB) {
		t.Helper()
		list := pagesOf(2)
		err := s.pages.PutMany(t.Context(), slices.Values(list))
		require.Equal(t, list, trestle.Unprocessed[*page](err))
		require.Equal(t, trestle.NotApplied, trestle.OutcomeOf(err))
	}
	require.Empty(t, engines.BackoffIssue(pausesOf(t, put)))
	for name, pause := range map[string]func(int) time.Duration{
		"none": func(int) time.Duration { return 0 }, "the same": func(int) time.Duration { return 10 * time.Millisecond },
		"no chance": func(i int) time.Duration { return time.Millisecond << i },
	} {
		require.NotEmpty(t, engines.BackoffIssue(pausesOf(t, func(t *testing.T, s *site, db *ddbtest.DB) {
			t.Helper()
			r := run{db: db, site: s}
			for i := range 8 {
				left, err := r.send(t.Context(), t, requestsOf(t, s, pagesOf(2)))
				require.NoError(t, err)
				require.Len(t, left, 2)
				<-time.After(pause(i))
			}
		})), name)
	}
}

// pausesOf returns the pauses between the requests of several batches that are not processed.
func pausesOf(t *testing.T, put func(*testing.T, *site, *ddbtest.DB)) (pauses [][]time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db, s := start(t)
		db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.Unprocessed(25))
		for range 40 {
			pauses = append(pauses, engines.Pauses(db, func() { put(t, s, db) }))
		}
	})
	return pauses
}

// Only what was unprocessed is sent again.
func TestOnlyUnprocessedWritesAreSentAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := start(t)
		db.Fail(ddbtest.Op("BatchWriteItem"), ddbtest.First(3), ddbtest.Unprocessed(10)).MustHit(t)
		var last entity.BatchProgress
		cost := db.Measure(func() {
			require.NoError(t, s.pages.PutMany(t.Context(), slices.Values(pagesOf(25)), entity.Progress(func(p entity.BatchProgress) { last = p })))
		})
		require.InDelta(t, 25, cost.WriteUnits, 0, "each page is written once")
		require.Equal(t, entity.BatchProgress{Consumed: 25, Applied: 25, Retried: 30, Requests: 4, Capacity: trestle.Capacity{Write: 25}}, last)
		require.Equal(t, 30, s.events[0].Unprocessed)
	})
}

// Requests that process something are no reason to give up, however many there are.
func TestProgressPreventsGivingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		s := newSite(t, odd{write: func(all []types.WriteRequest) ([]types.WriteRequest, error) {
			if sent++; sent == 12 {
				return all, nil
			}
			return all[1:], nil
		}})
		require.NoError(t, s.pages.PutMany(t.Context(), slices.Values(pagesOf(25))))
		require.Equal(t, 26, s.events[0].Requests)
		require.Equal(t, 24*25/2+14, s.events[0].Unprocessed)
	})
}

// When the batch stops, the pauses of other requests end, and nothing is sent again.
func TestStopEndsPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, odd{write: func(all []types.WriteRequest) ([]types.WriteRequest, error) {
			if len(all) == 25 {
				return all, nil
			}
			<-time.After(time.Nanosecond)
			return nil, &smithy.GenericAPIError{Code: "AccessDeniedException", Fault: smithy.FaultClient}
		}})
		from := time.Now()
		e := failure(t, s.pages.PutMany(t.Context(), slices.Values(pagesOf(30))))
		require.Equal(t, time.Nanosecond, time.Since(from))
		require.Len(t, e.Failures, 30)
		require.Equal(t, 2, s.events[0].Requests)
		require.Equal(t, trestle.NotApplied, s.events[0].Outcome)
	})
}

// No request is sent after the context has ended, even by a client that ignores it.
func TestNothingIsSentAfterTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	sent := 0
	s := newSite(t, odd{write: func([]types.WriteRequest) ([]types.WriteRequest, error) { sent++; return nil, nil }})
	e := failure(t, s.pages.PutMany(ctx, slices.Values(pagesOf(100)), entity.Concurrency(1), entity.Progress(func(entity.BatchProgress) { cancel() })))
	require.Equal(t, 1, sent)
	require.Equal(t, 1, s.events[0].Requests)
	require.Len(t, e.Failures, e.Consumed-25)
	require.ErrorIs(t, e, context.Canceled)
}

// A reply that is lost and not settled leaves the outcome unknown, even if a later reply to the
// same request names the write as unprocessed.
func TestLostReplyStaysUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, s := start(t)
		op := ddbtest.Op("BatchWriteItem")
		db.Fail(op, ddbtest.Nth(1), ddbtest.AfterCommit(ddbtest.Reset)).MustHit(t)
		db.Fail(op, ddbtest.Unprocessed(3))
		list := pagesOf(10)
		err := s.pages.PutMany(t.Context(), slices.Values(list))
		require.Equal(t, list[:3], trestle.Unprocessed[*page](err))
		require.ErrorIs(t, err, trestle.ErrUnknown)
		require.Equal(t, trestle.Unknown, trestle.OutcomeOf(err))
		require.Len(t, s.stored(t, db), 10)
		require.Equal(t, trestle.Unknown, s.events[0].Outcome)
	})
}

// Canceling the context ends the batch at once: in a pause, and while a request hangs. Everything
// that was taken and not applied is reported.
func TestCancelEndsTheBatch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   ddbtest.Effect
		outcome trestle.Outcome
	}{"in a pause": {ddbtest.Unprocessed(25), trestle.NotApplied}, "hanging": {ddbtest.Hang, trestle.Unknown}} {
		synctest.Test(t, func(t *testing.T) {
			db, s := start(t)
			db.Fail(ddbtest.Op("BatchWriteItem"), c.fault)
			ctx, cancel := context.WithCancel(t.Context())
			taken := 0
			done := make(chan error)
			go func() { done <- s.pages.PutMany(ctx, counted(pagesOf(300), &taken)) }()
			synctest.Wait()
			sent, from := len(db.Requests()), time.Now()
			cancel()
			err := <-done
			require.Zero(t, time.Since(from), name)
			require.LessOrEqual(t, len(db.Requests()), sent+4)
			require.ErrorIs(t, err, context.Canceled)
			e := failure(t, err)
			require.Len(t, e.Failures, taken)
			require.Equal(t, taken, e.Consumed)
			require.Equal(t, c.outcome, trestle.OutcomeOf(err), name)
			for _, f := range e.Failures {
				require.ErrorIs(t, f.Err, context.Canceled)
				require.Equal(t, f.Index < 100 && c.outcome == trestle.Unknown, trestle.OutcomeOf(f.Err) == trestle.Unknown)
			}
		})
	}
}

// Operations of several tables are sent in requests of one table each, so that the error of a table
// names it.
func TestErrorNamesTheTable(t *testing.T) {
	t.Parallel()
	db, s := start(t)
	other := entity.NewSchema(entity.Config{})
	notes := entity.Define[page](other)
	missing, err := other.Open(db.Client(), "missing")
	require.NoError(t, err)
	err = entity.WriteMany(t.Context(), slices.Values([]entity.Operation{
		s.pages.Op().Put(&page{ID: "1"}), notes.In(missing).Op().Put(&page{ID: "2"}),
	}))
	_ = failure(t, err)
	require.ErrorIs(t, err, trestle.ErrInvalid, "another client")

	same := db.Client()
	s, open := newSite(t, same), func() *entity.Repo[page] {
		missing, err := other.Open(same, "missing")
		require.NoError(t, err)
		return notes.In(missing)
	}
	var list []entity.Operation
	for i := range 10 {
		list = append(list, s.pages.Op().Put(&page{ID: fmt.Sprint(i)}), open().Op().Put(&page{ID: fmt.Sprint(i)}))
	}
	err = entity.WriteMany(t.Context(), slices.Values(list), entity.Concurrency(1))
	require.ErrorAs(t, err, new(*types.ResourceNotFoundException))
	for _, f := range failure(t, err).Failures {
		var e *trestle.OpError
		require.ErrorAs(t, f.Err, &e)
		require.Equal(t, f.Index%2 == 1, e.Table == "missing")
		require.Equal(t, "page", e.Entity)
		require.NotEmpty(t, e.Key)
	}
}

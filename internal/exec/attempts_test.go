package exec

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/errs"
)

// wireCase is a series of replies, the expected number of requests of a put, and its expected
// outcome.
type wireCase struct {
	name    string
	replies []reply

	once        int // requests of a put that must not be applied twice
	onceOutcome trestle.Outcome
	onceKind    error

	again        int // requests of an idempotent put
	againOutcome trestle.Outcome
	againKind    error
}

func wireCases() []wireCase {
	return []wireCase{
		{"success", []reply{fine}, 1, trestle.Applied, nil, 1, trestle.Applied, nil},
		{"reset, then success", []reply{reset, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"reset for ever", []reply{reset}, 1, trestle.Unknown, errs.Unknown, 3, trestle.Unknown, errs.Unknown},
		{"500, then success", []reply{fails500, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"503, then success", []reply{code(503, "ServiceUnavailable"), fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"throttled, then success", []reply{throttles, fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"throttled for ever", []reply{throttles}, 3, trestle.NotApplied, nil, 3, trestle.NotApplied, nil},
		{"throttled, then reset, then success", []reply{throttles, reset, fine}, 2, trestle.Unknown, errs.Unknown, 3, trestle.Applied, nil},
		{"no connection, then success", []reply{refused, fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"no connection ever", []reply{refused}, 3, trestle.NotApplied, nil, 3, trestle.NotApplied, nil},
		{"conflict with a transaction, then success", []reply{code(400, "TransactionConflictException"), fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"conflict with a Region, then success", []reply{code(400, "ReplicatedWriteConflictException"), fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"condition", []reply{condition}, 1, trestle.NotApplied, errs.Condition, 1, trestle.NotApplied, errs.Condition},
		{"reset, then condition", []reply{reset, condition}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Unknown, errs.Unknown},
		{"500, then throttled for ever", []reply{fails500, throttles}, 1, trestle.Unknown, errs.Unknown, 3, trestle.Unknown, errs.Unknown},
		{"hung, then success", []reply{hangs, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"hung for ever", []reply{hangs}, 1, trestle.Unknown, errs.Unknown, 3, trestle.Unknown, errs.Unknown},
		{"truncated", []reply{truncated}, 1, trestle.Unknown, errs.Unknown, 1, trestle.Unknown, errs.Unknown},
		{"not JSON", []reply{says(200, "<html>")}, 1, trestle.Unknown, errs.Unknown, 1, trestle.Unknown, errs.Unknown},
		{"validation", []reply{code(400, "ValidationException")}, 1, trestle.NotApplied, nil, 1, trestle.NotApplied, nil},
		{"a proxy's time-out", []reply{says(408, "late"), fine}, 1, trestle.Unknown, errs.Unknown, 1, trestle.Unknown, errs.Unknown},
		{"in progress", []reply{code(400, "TransactionInProgressException")}, 1, trestle.Unknown, errs.Unknown, 3, trestle.Unknown, errs.Unknown},
	}
}

func TestRetriesAndOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{replies: c.replies}
				err := Do(t.Context(), newEnv(s), putOf(false), nothing)
				checkPut(t, err, s.sent, c.once, c.onceOutcome, c.onceKind)

				s = &script{replies: c.replies}
				err = Do(t.Context(), newEnv(s), putOf(true), nothing)
				checkPut(t, err, s.sent, c.again, c.againOutcome, c.againKind)
			})
		})
	}
}

func checkPut(t *testing.T, err error, sent, want int, outcome trestle.Outcome, kind error) {
	t.Helper()
	require.Equal(t, want, sent, "requests on the wire")
	if outcome == trestle.Applied {
		require.NoError(t, err)
		return
	}
	f := failureOf(t, err)
	require.Equal(t, outcome, f.Outcome)
	require.Equal(t, want, f.Attempts)
	require.Equal(t, kind, f.Kind)
}

// Without this package, the SDK retries a put after replies that do not report whether it was
// applied.
func TestSDKAloneRetriesUnsafeWrites(t *testing.T) {
	t.Parallel()
	for _, first := range []reply{reset, fails500} {
		s := &script{replies: []reply{first, condition}}
		e := newEnv(s)
		_, err := e.Client.PutItem(t.Context(), putOf(false).Actions[0].PutItemInput("app"))
		require.Error(t, err)
		require.Equal(t, 2, s.sent)
	}
}

func TestReadsHaveNoOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases() {
		synctest.Test(t, func(t *testing.T) {
			err := Do(t.Context(), newEnv(&script{replies: c.replies}), getOf(), nothing)
			if err != nil {
				f := failureOf(t, err)
				require.Equal(t, trestle.NoWrite, f.Outcome, c.name)
				require.NotErrorIs(t, err, errs.Unknown, c.name)
			}
		})
	}
}

func TestCanceledContextIsNotApplied(t *testing.T) {
	t.Parallel()
	s := &script{replies: []reply{fine}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var seen trestle.Event
	e := newEnv(s)
	e.Observer = ends(func(_ context.Context, ev trestle.Event) { seen = ev })
	f := failureOf(t, Do(ctx, e, putOf(false), nothing))
	require.ErrorIs(t, f, context.Canceled)
	require.NotErrorIs(t, f, errs.Unknown)
	require.Equal(t, trestle.NotApplied, f.Outcome)
	require.Zero(t, s.sent)
	require.Zero(t, seen.Requests)
	require.Zero(t, seen.Attempts)
}

func TestHangingAttemptEndsWithItsTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		f := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{hangs}}), putOf(false), nothing))
		require.Equal(t, 3*time.Second, time.Since(start))
		require.ErrorIs(t, f, context.DeadlineExceeded)
		require.NotEmpty(t, f.Hint)
	})
}

func TestDefaultTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		e := newEnv(&script{replies: []reply{hangs}})
		e.Timeout = 0
		require.Error(t, Do(t.Context(), e, putOf(false), nothing))
		require.Equal(t, DefaultTimeout, time.Since(start))
	})
}

// A canceled call returns at once, during a request and during the wait before a retry.
func TestCancelIsImmediate(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]reply{"hung": hangs, "waiting": throttles} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			e := newEnv(&script{replies: []reply{first}}, func(o *dynamodb.Options) { o.Retryer = slow{newRetryer(3)} })
			done := make(chan error)
			go func() { done <- Do(ctx, e, putOf(false), nothing) }()
			synctest.Wait() // the call is in a request or in the wait
			start := time.Now()
			cancel()
			f := failureOf(t, <-done)
			require.Zero(t, time.Since(start), name)
			require.ErrorIs(t, f, context.Canceled, name)
			require.Equal(t, name == "hung", errors.Is(f, errs.Unknown), name)
		})
	}
}

// slow is a retryer that waits for an hour.
type slow struct{ aws.Retryer }

func (slow) RetryDelay(int, error) (time.Duration, error) { return time.Hour, nil }

func TestCallerDeadlineIsNotAnAttemptTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		s := &script{replies: []reply{hangs}}
		f := failureOf(t, Do(ctx, newEnv(s), putOf(true), nothing))
		require.Equal(t, time.Second, time.Since(start))
		require.Equal(t, 1, s.sent)
		require.ErrorIs(t, f, context.DeadlineExceeded)
		require.ErrorIs(t, f, errs.Unknown)
		require.Empty(t, f.Hint, "the caller knows why")
	})
}

// An error response that arrives after the attempt's timeout still determines the outcome.
func TestReplyAtTheTimeoutCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		late := func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return condition(r)
		}
		f := failureOf(t, Do(t.Context(), newEnv(&script{replies: []reply{late}}), putOf(false), nothing))
		require.Equal(t, errs.Condition, f.Kind)
		require.Equal(t, trestle.NotApplied, f.Outcome)
	})
}

package exec

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/errs"
	"github.com/trestledb/trestle/internal/op"
)

// wireCase is a series of replies, the expected number of requests of a put, and its expected
// outcome.
type wireCase struct {
	name    string
	replies []reply

	once        int // requests of a put that must not be applied twice
	onceOutcome trestle.Outcome
	onceKind    error

	again        int // requests of a put that is idempotent or has a write ID
	againOutcome trestle.Outcome
	againKind    error
}

// wireCases returns the cases for a retryer with a maximum of attempts.
func wireCases(most int) []wireCase {
	return []wireCase{
		{"success", []reply{fine}, 1, trestle.Applied, nil, 1, trestle.Applied, nil},
		{"reset, then success", []reply{reset, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"reset for ever", []reply{reset}, 1, trestle.Unknown, errs.Unknown, most, trestle.Unknown, errs.Unknown},
		{"500, then success", []reply{fails500, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"503, then success", []reply{code(503, "ServiceUnavailable"), fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"throttled, then success", []reply{throttles, fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"throttled for ever", []reply{throttles}, most, trestle.NotApplied, nil, most, trestle.NotApplied, nil},
		{"throttled by the account", []reply{code(400, "RequestLimitExceeded"), fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"throttled in another way", []reply{code(400, "ThrottlingException"), fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"throttled, then reset, then success", []reply{throttles, reset, fine}, 2, trestle.Unknown, errs.Unknown, 3, trestle.Applied, nil},
		{"no connection, then success", []reply{refused, fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"no connection ever", []reply{refused}, most, trestle.NotApplied, nil, most, trestle.NotApplied, nil},
		{"conflict with a transaction, then success", []reply{conflicting, fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"conflict with a Region, then success", []reply{code(400, "ReplicatedWriteConflictException"), fine}, 2, trestle.Applied, nil, 2, trestle.Applied, nil},
		{"conflict for ever", []reply{conflicting}, 1 + maxConflicts, trestle.NotApplied, nil, 1 + maxConflicts, trestle.NotApplied, nil},
		{"conflicts do not count as attempts", []reply{conflicting, conflicting, conflicting, conflicting, throttles, fine},
			6, trestle.Applied, nil, 6, trestle.Applied, nil},
		{"conflicts, then throttled for ever", []reply{conflicting, conflicting, throttles}, most + 2, trestle.NotApplied, nil, most + 2, trestle.NotApplied, nil},
		{"conflict, then reset, then conflict", []reply{conflicting, reset, conflicting, fine}, 2, trestle.Unknown, errs.Unknown, 4, trestle.Applied, nil},
		{"condition", []reply{condition}, 1, trestle.NotApplied, errs.Condition, 1, trestle.NotApplied, errs.Condition},
		{"reset, then condition", []reply{reset, condition}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Unknown, errs.Unknown},
		{"500, then throttled for ever", []reply{fails500, throttles}, 1, trestle.Unknown, errs.Unknown, most, trestle.Unknown, errs.Unknown},
		{"hung, then success", []reply{hangs, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"hung for ever", []reply{hangs}, 1, trestle.Unknown, errs.Unknown, most, trestle.Unknown, errs.Unknown},
		{"truncated", []reply{truncated}, 1, trestle.Unknown, errs.Unknown, most, trestle.Unknown, errs.Unknown},
		{"truncated, then success", []reply{truncated, fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"not JSON, then success", []reply{says(200, "<html>"), fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"validation", []reply{code(400, "ValidationException")}, 1, trestle.NotApplied, nil, 1, trestle.NotApplied, nil},
		{"no table", []reply{code(400, "ResourceNotFoundException")}, 1, trestle.NotApplied, nil, 1, trestle.NotApplied, nil},
		{"no permission", []reply{code(400, "AccessDeniedException")}, 1, trestle.NotApplied, nil, 1, trestle.NotApplied, nil},
		{"unknown credentials", []reply{code(400, "UnrecognizedClientException")}, 1, trestle.NotApplied, nil, 1, trestle.NotApplied, nil},
		{"a full item collection", []reply{code(400, "ItemCollectionSizeLimitExceededException")}, 1, trestle.NotApplied, nil, 1, trestle.NotApplied, nil},
		{"a limit of the control plane", []reply{code(400, "LimitExceededException")}, most, trestle.NotApplied, nil, most, trestle.NotApplied, nil},
		{"a proxy's time-out", []reply{says(408, "late"), fine}, 1, trestle.Unknown, errs.Unknown, 2, trestle.Applied, nil},
		{"in progress", []reply{inProgress}, 1, trestle.Unknown, errs.Unknown, 1 + maxInProgress, trestle.Unknown, errs.Unknown},
	}
}

// TestRetriesAndOutcomes runs the cases for three kinds of puts: with a condition, idempotent, and
// with a write ID.
func TestRetriesAndOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range wireCases(3) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkCase(t, c, newEnv)
		})
	}
}

// TestRetryModes runs the cases with the default retryer of the SDK, in the mode of this process.
// It then runs itself in a process with the other mode.
func TestRetryModes(t *testing.T) {
	t.Parallel()
	const variable = "AWS_NEW_RETRIES_2026"
	most := 3
	if os.Getenv(variable) == "true" {
		most = 4
	}
	for _, c := range wireCases(most) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			checkCase(t, c, func(s *script, options ...func(*dynamodb.Options)) *Config {
				return newEnvWith(nil, s, options...)
			})
		})
	}
	if most == 4 {
		return
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRetryModes$", "-test.v") //nolint:gosec // it is this program
	again.Env = append(os.Environ(), variable+"=true")
	out, err := again.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "--- PASS: TestRetryModes/hung_for_ever")
}

func checkCase(t *testing.T, c wireCase, env func(*script, ...func(*dynamodb.Options)) *Config) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &script{replies: c.replies}
		err := Do(t.Context(), env(s), putOf(false), nothing)
		checkPut(t, err, s.sent, c.once, c.onceOutcome, c.onceKind)

		for _, o := range []*op.Operation{putOf(true), putWithID("mine")} {
			s = &script{replies: c.replies}
			err = Do(t.Context(), env(s), o, nothing)
			checkPut(t, err, s.sent, c.again, c.againOutcome, c.againKind)
		}
	})
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

// If a conditional check fails on an item with the write's own ID, the write was applied: by an
// earlier attempt whose reply was lost. An item with another ID does not show whether the write was
// applied.
func TestOwnWriteIDMeansApplied(t *testing.T) {
	t.Parallel()
	met := func(id string) reply {
		return says(400, `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"m",`+
			`"Item":{"PK":{"S":"a"},"n":{"N":"7"},"_w":{"S":"`+id+`"}}}`)
	}
	for name, c := range map[string]struct {
		replies []reply
		sent    int
		outcome trestle.Outcome
		kind    error
	}{
		"own, after a lost reply":                        {[]reply{reset, met("mine")}, 2, trestle.Applied, nil},
		"own, after a lost reply and a conflict":         {[]reply{reset, conflicting, met("mine")}, 3, trestle.Applied, nil},
		"own, after an unnoticed attempt":                {[]reply{met("mine")}, 1, trestle.Applied, nil},
		"another's, after a lost reply":                  {[]reply{reset, met("another's")}, 2, trestle.Unknown, errs.Unknown},
		"another's, after a lost reply and a throttling": {[]reply{reset, throttles, met("another's")}, 3, trestle.Unknown, errs.Unknown},
		"another's": {[]reply{met("another's")}, 1, trestle.NotApplied, errs.Exists},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{replies: c.replies}
				var seen trestle.Event
				e := newEnv(s)
				e.Observer = ends(func(_ context.Context, ev trestle.Event) { seen = ev })
				o, returned := putWithID("mine"), core.Rows{}
				o.Actions[0].Return = trestle.AllNew
				err := Do(t.Context(), e, o, func(r op.Reply) error { returned = r.Rows; return nil })
				checkPut(t, err, s.sent, c.sent, c.outcome, c.kind)
				require.Equal(t, c.outcome, seen.Outcome)
				require.Equal(t, c.sent, seen.Attempts)
				if c.outcome == trestle.Applied {
					require.Equal(t, number(7), returned.First().Item()["n"], "the item is that of the failed check")
				}
			})
		})
	}
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
	for _, c := range wireCases(3) {
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

// If the context ends while the request is prepared, the request is not sent, and nothing is
// unknown. After an attempt without a response, the write stays unknown.
func TestCanceledBeforeTheTransport(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]trestle.Outcome{1: trestle.NotApplied, 2: trestle.Unknown} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			attempts := 0
			last := middleware.FinalizeMiddlewareFunc("Cancel", func(
				ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
			) (middleware.FinalizeOutput, middleware.Metadata, error) {
				if attempts++; attempts == n {
					cancel()
				}
				return next.HandleFinalize(ctx, in)
			})
			s := &script{replies: []reply{reset}}
			e := newEnv(s, func(o *dynamodb.Options) {
				o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error { return stack.Finalize.Add(last, middleware.After) })
			})
			f := failureOf(t, Do(ctx, e, putOf(true), nothing))
			require.Equal(t, n-1, s.sent)
			require.ErrorIs(t, f, context.Canceled)
			require.Equal(t, want, f.Outcome)
		})
	}
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

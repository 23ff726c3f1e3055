package exec

import (
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// times returns the reply and records when the request arrives.
func times(next reply, at *[]time.Time) reply {
	return func(r *http.Request) (*http.Response, error) {
		*at = append(*at, time.Now())
		return next(r)
	}
}

// pauses sends an operation that always gets the reply. It returns the pauses between attempts.
func pauses(t *testing.T, always reply) []time.Duration {
	t.Helper()
	return pausesOf(t, nil, always)
}

// pausesOf is pauses with a source of random choices.
func pausesOf(t *testing.T, r *Random, always reply) (list []time.Duration) {
	t.Helper()
	var at []time.Time
	e := newEnv(&script{replies: []reply{times(always, &at)}})
	e.Random = r
	require.Error(t, Do(t.Context(), e, addOf(2, ""), nothing))
	for i := range at[1:] {
		list = append(list, at[i+1].Sub(at[i]))
	}
	return list
}

// After a conflict, each pause is a random part of a maximum that doubles.
func TestConflictsBackOffWithFullJitter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const runs = 200
		sum := make([]time.Duration, maxConflicts)
		short, long := 0, 0 // pauses in the first and in the last tenth of their range
		for range runs {
			list := pauses(t, canceled("TransactionConflict", "None"))
			require.Len(t, list, maxConflicts)
			for i, p := range list {
				most := 20 * time.Millisecond << i
				require.Less(t, p, most)
				sum[i] += p
				if p < most/10 {
					short++
				}
				if p > most-most/10 {
					long++
				}
			}
		}
		for i := range sum {
			mean := sum[i] / runs
			require.InDelta(t, float64(10*time.Millisecond<<i), float64(mean), float64(3*time.Millisecond<<i))
		}
		require.Greater(t, short, runs*maxConflicts/20)
		require.Greater(t, long, runs*maxConflicts/20)
	})
}

// A transaction that is still running is repeated until 5 seconds have passed, as DynamoDB asks.
func TestRunningTransactionIsRepeatedAfterFiveSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		list := pauses(t, inProgress)
		require.Equal(t, []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, list)
	})
}

// The SDK limits the retries of a client during an outage. Conflicts do not count.
func TestConflictsDoNotUseTheRetryQuota(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := retry.NewStandard()
		s := &script{replies: []reply{conflicting}}
		e := newEnv(s, func(o *dynamodb.Options) { o.Retryer = r })
		for range 100 { // 800 retries, where the quota is exhausted after 100
			require.Error(t, Do(t.Context(), e, putOf(false), nothing))
		}
		require.Equal(t, 100*(1+maxConflicts), s.sent)
		s = &script{replies: []reply{throttles}}
		e = newEnv(s, func(o *dynamodb.Options) { o.Retryer = r })
		require.Error(t, Do(t.Context(), e, putOf(false), nothing))
		require.Equal(t, 3, s.sent)
	})
}

// A client without retries does not retry conflicts.
func TestOneAttemptIsOneAttempt(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]func(*dynamodb.Options){
		"no retryer":  func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} },
		"one attempt": func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 },
	} {
		for _, client := range []bool{true, false} {
			s := &script{replies: []reply{conflicting}}
			e := newEnv(s)
			if client {
				e = newEnv(s, option)
			} else {
				e.SDK = append(e.SDK, option)
			}
			require.Error(t, Do(t.Context(), e, putOf(false), nothing))
			require.Equal(t, 1, s.sent, name)
		}
	}
}

// DynamoDB forgets the token of a transaction after ten minutes. No attempt after a lost reply may
// arrive later than that, because it would be applied again.
func TestTransactionIsNotRepeatedAfterItsTokenExpired(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			timeout time.Duration
			sent    int
		}{{time.Minute, 9}, {3 * time.Minute, 3}, {10 * time.Minute, 1}} {
			var at []time.Time
			s := &script{replies: []reply{times(hangs, &at)}}
			e := newEnv(s, func(o *dynamodb.Options) { o.Retryer = newRetryer(20) })
			e.Timeout = c.timeout
			f := failureOf(t, Do(t.Context(), e, addOf(2, ""), nothing))
			require.Equal(t, trestle.Unknown, f.Outcome)
			require.Equal(t, c.sent, s.sent, c.timeout)
			require.Less(t, at[len(at)-1].Sub(at[0])+c.timeout, 10*time.Minute+time.Duration(len(at))*time.Millisecond+time.Second)

			// An idempotent write has no such limit.
			s = &script{replies: []reply{hangs}}
			e = newEnv(s, func(o *dynamodb.Options) { o.Retryer = newRetryer(20) })
			e.Timeout = c.timeout
			require.Error(t, Do(t.Context(), e, putOf(true), nothing))
			require.Equal(t, 20, s.sent)
		}
	})
}

// A retryer may wait longer than a token lives.
func TestTransactionIsNotRepeatedAfterALongPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for pause, sent := range map[time.Duration]int{4 * time.Minute: 3, 9 * time.Minute: 2, 10 * time.Minute: 1} {
			slow := func(o *dynamodb.Options) {
				o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
					o.MaxAttempts, o.MaxBackoff = 5, time.Hour
					o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return pause, nil })
				})
			}
			s := &script{replies: []reply{reset}}
			began := time.Now()
			f := failureOf(t, Do(t.Context(), newEnv(s, slow), addOf(2, "token"), nothing))
			require.Equal(t, trestle.Unknown, f.Outcome)
			require.ErrorIs(t, f, syscall.ECONNRESET)
			require.Equal(t, sent, s.sent, pause)
			require.Equal(t, time.Duration(sent-1)*pause, time.Since(began), "it does not wait in vain")

			// An idempotent write has no such limit.
			s = &script{replies: []reply{reset}}
			require.Error(t, Do(t.Context(), newEnv(s, slow), putOf(true), nothing))
			require.Equal(t, 5, s.sent)
		}
	})
}

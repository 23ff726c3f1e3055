package exec

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle"
)

// newAttemptContext returns the context of an attempt that begins now.
func newAttemptContext(parent context.Context, timeout time.Duration) *attemptContext {
	return &attemptContext{parent: parent, deadline: time.Now().Add(timeout)}
}

// lookedAt returns whether an attempt's context is used before its end, so that it has a timer.
func lookedAt(early bool, c *attemptContext) *attemptContext {
	if early {
		c.Done()
	}
	return c
}

// The context of an attempt ends as one of context.WithTimeout does, with a timer and without.
func TestAttemptContextEnds(t *testing.T) {
	t.Parallel()
	for _, early := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			call, cancel := context.WithCancel(t.Context())
			late := lookedAt(early, newAttemptContext(call, time.Second))
			canceled := lookedAt(early, newAttemptContext(call, time.Hour))
			ended := lookedAt(early, newAttemptContext(call, time.Hour))
			require.NoError(t, late.Err())
			require.NoError(t, ended.Err())
			ended.end()
			require.ErrorIs(t, ended.Err(), context.Canceled)
			<-ended.Done()

			<-time.After(time.Second)
			synctest.Wait()
			require.ErrorIs(t, late.Err(), context.DeadlineExceeded)
			<-late.Done()
			require.NoError(t, canceled.Err())
			cancel()
			require.ErrorIs(t, canceled.Err(), context.Canceled)
			<-canceled.Done()
			require.ErrorIs(t, late.Err(), context.DeadlineExceeded, "it stays the same")
			late.end()
			canceled.end()
			require.ErrorIs(t, late.Err(), context.DeadlineExceeded, "it stays the same")
		})
	}
}

// The earlier deadline counts.
func TestAttemptContextDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newAttemptContext(t.Context(), time.Second)
		d, ok := c.Deadline()
		require.True(t, ok)
		require.Equal(t, time.Second, time.Until(d))
		call, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		c = newAttemptContext(call, time.Second)
		d, ok = c.Deadline()
		require.True(t, ok)
		require.Equal(t, time.Millisecond, time.Until(d))
		<-c.Done()
		require.ErrorIs(t, c.Err(), context.DeadlineExceeded)
	})
}

// Contexts that are derived from that of an attempt end with it, also those that are derived by
// several goroutines at the same time. A goroutine that outlives the attempt finds it ended.
func TestContextsOfAnAttempt(t *testing.T) {
	t.Parallel()
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		c := newAttemptContext(context.WithValue(t.Context(), key{}, 7), time.Second)
		var done sync.WaitGroup
		for range 8 {
			done.Go(func() {
				derived, cancel := context.WithCancel(c)
				defer cancel()
				require.Equal(t, 7, derived.Value(key{}))
				require.NotNil(t, httptrace.ContextClientTrace(derived))
				<-derived.Done()
				require.ErrorIs(t, derived.Err(), context.DeadlineExceeded)
			})
		}
		done.Wait()
		c.end()
		require.Equal(t, 7, c.Value(key{}))

		c = newAttemptContext(t.Context(), time.Second)
		c.end()
		derived, cancel := context.WithCancel(c)
		defer cancel()
		require.ErrorIs(t, derived.Err(), context.Canceled)
	})
}

// A transport finds the trace of an attempt, and calls the functions of the call's own trace too.
func TestTraceOfAnAttempt(t *testing.T) {
	t.Parallel()
	var user []string
	call := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		GetConn:  func(address string) { user = append(user, address) },
		DNSStart: func(d httptrace.DNSStartInfo) { user = append(user, d.Host) },
	})
	c := newAttemptContext(call, time.Hour)
	defer c.end()
	trace := httptrace.ContextClientTrace(c)
	require.Same(t, trace, httptrace.ContextClientTrace(context.WithoutCancel(c)))
	trace.GetConn("address")
	trace.DNSStart(httptrace.DNSStartInfo{Host: "host"})
	require.True(t, c.dialing)
	require.False(t, c.connected)
	trace.GotConn(httptrace.GotConnInfo{})
	require.True(t, c.connected)
	require.Equal(t, []string{"address", "host"}, user)
}

// An attempt without a look at its context starts no timer and has no trace.
func TestUntimedAttempt(t *testing.T) {
	t.Parallel()
	c := newAttemptContext(t.Context(), time.Hour)
	require.NoError(t, c.Err())
	require.Nil(t, c.Value("key"))
	c.end()
	require.Nil(t, c.timed)
	require.Nil(t, c.trace)
}

// connects is a reply of a transport that requests a connection, and then hangs with it or without.
func connects(connected bool) reply {
	return func(r *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(r.Context())
		trace.GetConn("address")
		if connected {
			trace.GotConn(httptrace.GotConnInfo{})
		}
		return hangs(r)
	}
}

// A write that times out before it has a connection is not applied, and is sent again. Each attempt
// has its own connection.
func TestTimeoutWithoutConnection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replies []reply
		sent    int
		outcome trestle.Outcome
	}{
		"no connection":             {[]reply{connects(false), fine}, 2, trestle.Applied},
		"no connection ever":        {[]reply{connects(false)}, 3, trestle.NotApplied},
		"a connection":              {[]reply{connects(true), fine}, 1, trestle.Unknown},
		"first no connection":       {[]reply{connects(false), connects(true), fine}, 2, trestle.Unknown},
		"throttled, no connection":  {[]reply{throttles, connects(false), fine}, 3, trestle.Applied},
		"connected, then throttled": {[]reply{throttles, connects(true), fine}, 2, trestle.Unknown},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &script{replies: c.replies}
			err := Do(t.Context(), newEnv(s), putOf(false), nothing)
			require.Equal(t, c.sent, s.sent, name)
			if c.outcome == trestle.Applied {
				require.NoError(t, err, name)
				return
			}
			require.Equal(t, c.outcome, failureOf(t, err).Outcome, name)
		})
	}
}

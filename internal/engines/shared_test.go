package engines

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllCallersGetOneServer(t *testing.T) {
	t.Parallel()
	var starts atomic.Int64
	l := &lazyServer{start: func() (*server, error) {
		starts.Add(1)
		return &server{}, nil
	}}
	const callers = 16
	servers := make([]*server, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() { servers[i], _ = l.get() })
	}
	wg.Wait()
	require.Equal(t, int64(1), starts.Load())
	for _, s := range servers {
		require.Same(t, servers[0], s)
	}
}

func TestAllCallersGetOneError(t *testing.T) {
	t.Parallel()
	errStart := errors.New("broken")
	starts := 0
	l := &lazyServer{start: func() (*server, error) {
		starts++
		return nil, errStart
	}}
	for range 3 {
		_, err := l.get()
		require.ErrorIs(t, err, errStart)
	}
	require.Equal(t, 1, starts)
	l.close()
}

func TestAfterCloseTheNextServerIsNew(t *testing.T) {
	t.Parallel()
	ended := 0
	l := &lazyServer{start: func() (*server, error) {
		return &server{http: newHTTPClient(), end: func() { ended++ }}, nil
	}}
	first, err := l.get()
	require.NoError(t, err)
	l.close()
	require.Equal(t, 1, ended)
	second, err := l.get()
	require.NoError(t, err)
	require.NotSame(t, first, second)
	l.close()
	require.Equal(t, 2, ended)
}

// logged records what a test logs.
type logged struct {
	testing.TB
	lines []string
}

func (*logged) Helper() {}

func (l *logged) Logf(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func TestTheEngineIsLoggedOnce(t *testing.T) {
	t.Parallel()
	l, log := &lazyServer{}, &logged{}
	for range 3 {
		l.log(log, &server{name: "DynamoDB Local 3.3.1 (Java)"})
	}
	require.Equal(t, []string{"engine: DynamoDB Local 3.3.1 (Java)"}, log.lines)
}

// ended records how a test was ended.
type ended struct {
	how  string
	args []any
}

func (*ended) Helper()             {}
func (e *ended) Skip(args ...any)  { e.how, e.args = "skip", args }
func (e *ended) Fatal(args ...any) { e.how, e.args = "fatal", args }

func TestMissingAndBrokenServers(t *testing.T) {
	t.Parallel()
	missing := fmt.Errorf("%w: install Java", errMissing)
	broken := errors.New("broken")
	for _, c := range []struct {
		err      error
		required bool
		want     string
	}{
		{missing, false, "skip"},
		{missing, true, "fatal"},
		{fmt.Errorf("start: %w", missing), false, "skip"},
		{broken, false, "fatal"},
		{broken, true, "fatal"},
	} {
		var e ended
		giveUp(&e, c.err, c.required)
		require.Equal(t, c.want, e.how)
		require.Equal(t, []any{c.err}, e.args, "the log shows what to install")
	}
}

package engines

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/ddblocal"
)

func TestAllWhoAskGetOneServer(t *testing.T) {
	t.Parallel()
	var starts atomic.Int64
	l := &lazyServer{start: func(context.Context) (*ddblocal.Server, error) {
		starts.Add(1)
		return &ddblocal.Server{}, nil
	}}
	const asking = 16
	servers := make([]*ddblocal.Server, asking)
	var wg sync.WaitGroup
	for i := range asking {
		wg.Go(func() { servers[i], _ = l.get() })
	}
	wg.Wait()
	require.Equal(t, int64(1), starts.Load())
	for _, s := range servers {
		require.Same(t, servers[0], s)
	}
}

func TestAllWhoAskGetOneError(t *testing.T) {
	t.Parallel()
	errStart := errors.New("broken")
	starts := 0
	l := &lazyServer{start: func(context.Context) (*ddblocal.Server, error) {
		starts++
		return nil, errStart
	}}
	for range 3 {
		_, err := l.get()
		require.ErrorIs(t, err, errStart)
	}
	require.Equal(t, 1, starts)
	require.NoError(t, l.close())
}

// Not parallel: the environment names the server of this test, so that close ends no other server.
func TestAfterCloseTheNextServerIsNew(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	t.Setenv("DYNAMODB_ENDPOINT", web.URL)
	l := &lazyServer{start: ddblocal.Start}
	first, err := l.get()
	require.NoError(t, err)
	require.NoError(t, l.close())
	second, err := l.get()
	require.NoError(t, err)
	require.NotSame(t, first, second)
	require.NoError(t, l.close())
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
	for _, c := range []struct {
		server ddblocal.Server
		want   string
	}{
		{ddblocal.Server{Version: "3.3.1", Source: ddblocal.Java}, "engine: dynamodb-local 3.3.1 (Java)"},
		{ddblocal.Server{Source: ddblocal.Given}, "engine: dynamodb-local of unknown version (DYNAMODB_ENDPOINT)"},
	} {
		l, log := &lazyServer{}, &logged{}
		for range 3 {
			l.log(log, &c.server)
		}
		require.Equal(t, []string{c.want}, log.lines)
	}
}

// ended records how a test was ended.
type ended struct {
	how  string
	args []any
}

func (*ended) Helper()             {}
func (e *ended) Skip(args ...any)  { e.how, e.args = "skip", args }
func (e *ended) Fatal(args ...any) { e.how, e.args = "fatal", args }

func TestWhatIsMissingSkipsUnlessRequiredAndWhatIsBrokenFails(t *testing.T) {
	t.Parallel()
	missing := &ddblocal.MissingError{Java: "java is not on PATH", Docker: "no daemon answers"}
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
		require.Equal(t, []any{c.err}, e.args, "the log names the cure")
	}
}

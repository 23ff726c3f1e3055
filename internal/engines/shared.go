package engines

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// startPatience limits the start, including downloads. It is less than ten minutes, the default
// timeout of a test binary.
const startPatience = 5 * time.Minute

// shared is this process's server.
var shared = &lazyServer{start: ddblocal.Start}

// lazyServer starts one server at the first call of get. All callers get the same server or the
// same error.
type lazyServer struct {
	start func(context.Context) (*ddblocal.Server, error)

	mu      sync.Mutex
	done    bool
	server  *ddblocal.Server
	err     error
	logOnce sync.Once
}

func (l *lazyServer) get() (*ddblocal.Server, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done {
		ctx, cancel := context.WithTimeout(context.Background(), startPatience)
		defer cancel()
		l.server, l.err = l.start(ctx)
		l.done = true
	}
	return l.server, l.err
}

// log logs the engine of this process once.
func (l *lazyServer) log(t testing.TB, server *ddblocal.Server) {
	t.Helper()
	l.logOnce.Do(func() {
		version := server.Version
		if version == "" {
			version = "of unknown version"
		}
		t.Logf("engine: %s %s (%s)", DynamoDBLocal, version, server.Source)
	})
}

// close ends the server if there is one. The next get starts a new one.
func (l *lazyServer) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	server := l.server
	l.server, l.err, l.done = nil, nil, false
	if server == nil {
		return nil
	}
	return server.Close()
}

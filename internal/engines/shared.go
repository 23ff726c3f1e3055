package engines

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/trestledb/trestle/internal/ddblocal"
)

// startPatience bounds the start, downloads included. It is less than the ten minutes that a test binary has by default.
const startPatience = 5 * time.Minute

// shared is this process's server.
var shared = &lazyServer{start: ddblocal.Start}

// lazyServer starts a server for the first who asks, once; all others get the same server, or the same error.
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

// log says once which engine the process met.
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

// close ends the server if there is one. Whoever asks later gets a new one.
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

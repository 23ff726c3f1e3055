package engines

import (
	"errors"
	"os"
	"sync"
	"testing"
)

// shared is this process's server.
var shared = &lazyServer{start: startServer}

// lazyServer starts one server at the first call of get. All callers get the same server or the
// same error.
type lazyServer struct {
	start func() (*server, error)

	mu      sync.Mutex
	done    bool
	server  *server
	err     error
	logOnce sync.Once
}

func (l *lazyServer) get() (*server, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.done {
		l.server, l.err = l.start()
		l.done = true
	}
	return l.server, l.err
}

// log logs the engine of this process once.
func (l *lazyServer) log(t testing.TB, s *server) {
	t.Helper()
	l.logOnce.Do(func() { t.Logf("engine: %s", s.name) })
}

// close ends the server if there is one. The next get starts a new one.
func (l *lazyServer) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.server != nil {
		l.server.close()
	}
	l.server, l.err, l.done = nil, nil, false
}

// required reports whether a test without DynamoDB Local must fail instead of being skipped.
func required() bool { return os.Getenv("TRESTLE_REQUIRE_DYNAMODB") == "1" }

// ender is the part of testing.TB that ends a test.
type ender interface {
	Helper()
	Skip(args ...any)
	Fatal(args ...any)
}

// giveUp ends a test that has no server. It skips the test if the server is missing and not
// required. Otherwise it fails the test.
func giveUp(t ender, err error, required bool) {
	t.Helper()
	if errors.Is(err, errMissing) && !required {
		t.Skip(err)
		return
	}
	t.Fatal(err)
}

package ddbtest

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// DB is a database: one account in one Region, with its tables and their streams. All methods are
// safe for concurrent use. A DB starts no goroutine and uses only memory.
type DB struct {
	options Options
	config  *engine.Config
	clock   Clock
	store   *store.DB
	client  *http.Client // for the requests of tests
	backway *http.Client // for our own requests: rules, log and cost ignore them

	rules    fault.Rules
	ruleSeed atomic.Uint64
	late     fault.Late
	pending  pending
	journal  journal
	heat     heat
	tape     *tape // nil unless requests are recorded
	backoff  *backoff

	requests atomic.Uint64
	closed   atomic.Bool
	born     time.Time // by the real clock
	forks    forks

	wrong  error // what is wrong with the options, or nil
	origin *DB   // the origin of a fork
	of     string

	mu       sync.Mutex
	test     TB // nil without a test, and after the test has ended
	failures []error
	panics   map[string]bool // already reported
	made     []*Rule         // only while there is a test
}

// New makes an empty database. Calling [DB.Close] is optional. A database with invalid options
// accepts no requests: see [DB.Err].
func New(o Options) *DB {
	wrong := o.check()
	if wrong != nil {
		o = Options{}
	}
	o = o.withDefaults()
	inner := new(clock.Clock)
	db := newDB(o, inner, store.NewDB(inner))
	if wrong != nil {
		db.wrong = fmt.Errorf("ddbtest: %w", wrong)
		db.report(wrong)
	}
	db.SetLag(o.Lag)
	return db
}

func newDB(o Options, inner *clock.Clock, s *store.DB) *DB {
	db := &DB{options: o, config: o.config(), store: s, born: time.Now()}
	db.clock = Clock{db: db, inner: inner}
	db.client = &http.Client{Transport: &roundTripper{RoundTripper: transport.RoundTripper{Server: &gate{db: db}}, db: db}}
	db.backway = &http.Client{Transport: &transport.RoundTripper{Server: &gate{db: db, unseen: true}}}
	db.journal.log.size = o.LogSize
	db.LimitHeat(o.Heat)
	db.backoff = newBackoff(o.Seed)
	if o.Record {
		db.tape = newTape(db)
	}
	return db
}

// Start makes a database for a test, and closes it with the test. Invalid options, rules and
// budgets fail the test, and so do defects of the engine. The log of a failed test lists the last
// requests, the rules that never acted and, if there was a random decision, the seed.
//
// A fuzz test uses [New], or calls Start inside its fuzz target with the target's *testing.T. A
// *testing.F must not be used there.
func Start(t TB, options ...Options) *DB {
	demand(t)
	t.Helper()
	var o Options
	switch len(options) {
	case 0:
	case 1:
		o = options[0]
	default:
		t.Fatalf("ddbtest: Start takes one Options, not %d", len(options))
	}
	o.Record = o.Record || o.FailureLog != ""
	db := New(o)
	if err := db.Err(); err != nil {
		t.Fatalf("ddbtest: %v", err)
	}
	db.endWith(t)
	return db
}

// Seed returns the seed of all random decisions.
func (db *DB) Seed() uint64 { return db.options.Seed }

// Close closes the database and its forks. It applies the held requests, as [DB.DeliverLate] does.
// Clients that are delayed or wait for a reply get a connection reset. New connections are refused.
func (db *DB) Close() {
	if db.closed.Swap(true) {
		return
	}
	db.DeliverLate()
	db.clock.inner.Stop()
	db.forks.close()
	db.mu.Lock()
	defer db.mu.Unlock()
	db.test = nil
}

// Err returns the errors of the database itself: invalid options and rules, and defects of the
// engine.
func (db *DB) Err() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return errors.Join(db.failures...)
}

// away returns the reason why the database accepts no requests, or nil.
func (db *DB) away() error {
	switch {
	case db.wrong != nil:
		return db.wrong
	case db.closed.Load():
		return errors.New("ddbtest: the database" + db.of + " has ended")
	default:
		return nil
	}
}

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

// DB is a database: one account in one Region, with its tables and their streams. All methods may be called at once. It has no goroutine of its
// own and holds nothing but memory.
type DB struct {
	options Options
	config  *engine.Config
	clock   Clock
	store   *store.DB
	client  *http.Client // of the requests of tests
	backway *http.Client // of our own: no rule, no log and no cost knows of them

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

	wrong  error // with the options; nil where they make sense
	origin *DB   // of a fork
	of     string

	mu       sync.Mutex
	test     TB // nil where there is none, or where it has ended
	failures []error
	panics   map[string]bool // that were reported
	made     []*Rule         // while there is a test
}

// New makes an empty database. It needs no end; [DB.Close] gives it one. With options that make no sense it takes no request: see [DB.Err].
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

// Start makes a database for a test, and ends it with the test. What goes wrong with it fails the test: options, rules and budgets that make no
// sense, and a defect of the engine itself. When the test has failed, its log tells the last requests, the rules that never acted, and the
// seed, if anything happened by chance.
// A fuzz test takes [New], or starts one in its target with what that gets: a *testing.F may not be called in there.
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

// Seed is what decides all that happens by chance.
func (db *DB) Seed() uint64 { return db.options.Seed }

// Close ends the database and its forks: what is kept for later is applied, as by [DB.DeliverLate]; who is delayed or waits for a reply gets a reset
// connection; and no connection is made any more.
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

// Err is what went wrong with the database itself: options and rules that make no sense, and defects of the engine.
func (db *DB) Err() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return errors.Join(db.failures...)
}

// away is why the database takes no request; nil where it does.
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

package ddbtest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

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
	journal  journal
	heat     heat
	tape     *tape // nil unless requests are recorded
	backoff  *backoff

	requests atomic.Uint64
	closed   atomic.Bool
	end      func()
	afterEnd func(f func()) (stop func() bool)

	origin   *DB // of a fork
	mu       sync.Mutex
	test     TB // nil where there is none, or where it has ended
	failures []error
}

// New makes an empty database. It needs no end; [DB.Close] gives it one.
func New(o Options) *DB {
	o = o.withDefaults()
	inner := new(clock.Clock)
	db := newDB(o, inner, store.NewDB(inner))
	db.SetLag(o.Lag)
	return db
}

func newDB(o Options, inner *clock.Clock, s *store.DB) *DB {
	life, end := context.WithCancel(context.Background())
	db := &DB{
		options: o, config: o.config(), store: s, end: end,
		afterEnd: func(f func()) func() bool { return context.AfterFunc(life, f) },
	}
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

// Start makes a database for a test, and ends it with the test. What goes wrong with it fails the test: a rule that can never act, or a defect
// of the engine itself. When the test has failed, its log tells the seed.
func Start(t TB, options ...Options) *DB {
	t.Helper()
	var o Options
	switch len(options) {
	case 0:
	case 1:
		o = options[0]
	default:
		t.Fatalf("ddbtest: Start takes one Options, not %d", len(options))
	}
	db := New(o)
	db.test = t
	t.Cleanup(func() {
		db.Close()
		if t.Failed() {
			t.Logf("ddbtest: to repeat what happened by chance, set Options.Seed to %d", db.Seed())
		}
	})
	return db
}

// Seed is what decides all that happens by chance.
func (db *DB) Seed() uint64 { return db.options.Seed }

// Close ends the database: what is kept for later is applied, as by [DB.DeliverLate]; who is delayed or waits for a reply gets a reset
// connection; and no connection is made any more.
func (db *DB) Close() {
	if db.closed.Swap(true) {
		return
	}
	db.DeliverLate()
	db.end()
	db.mu.Lock()
	defer db.mu.Unlock()
	db.test = nil
}

// Err is what went wrong with the database itself: rules that can never act, and defects of the engine.
func (db *DB) Err() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return errors.Join(db.failures...)
}

// report takes note of what went wrong, and fails the test.
func (db *DB) report(err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.failures = append(db.failures, err)
	if db.test != nil {
		db.test.Errorf("ddbtest: %v", err)
	}
	if db.origin != nil {
		db.origin.report(err)
	}
}

package ddbtest

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/partition"
	"github.com/trestledb/trestle/ddbtest/internal/recording"
	"github.com/trestledb/trestle/ddbtest/internal/storage"
	"github.com/trestledb/trestle/ddbtest/internal/transport"
)

// DB is a database: one account in one Region, with its tables and their streams. All methods are
// safe for concurrent use. A DB starts no goroutine, and uses only memory unless it has a
// [Storage].
type DB struct {
	options   Options
	data      *recording.Database
	transport *roundTripper // for the requests of tests
	sent      transport.Sent
	setupHTTP *http.Client // for requests of helpers, which rules, budgets and cost ignore
	backoff   *backoff
	keeper    *storage.Keeper // nil without a storage
	loads     *partition.Loads
	usage     usage
	rules     fault.Rules
	policies  *policies // shared with the forks
	rulesMade atomic.Uint64
	held      fault.HeldRequests
	waiting   waiting
	requests  atomic.Uint64
	closed    atomic.Bool

	inBubble     bool        // it was made in a bubble of testing/synctest
	misplacement atomic.Bool // it was reported that it is used on the other side of a bubble
	forks        forks
	origin       *DB   // the origin of a fork
	invalid      error // what is wrong with the options, or nil

	mu        sync.Mutex
	ownTest   TB // nil without a test, and after the test has ended
	testName  string
	failures  []error
	reported  map[string]bool // what is reported only once
	testRules []*Rule         // only while there is a test
}

// New makes an empty database, or with [Options.Storage] one with the content of the storage.
// Calling [DB.Close] is optional. A database with invalid options, or whose storage cannot be read,
// accepts no requests: see [DB.Err].
func New(o Options) *DB {
	invalid := o.check()
	if invalid != nil {
		o = Options{}
	}
	o = o.withDefaults()
	db := newDB(o, recording.New(o.config()))
	if err := db.openStorage(); err != nil {
		invalid = err
	}
	if o.Record {
		db.data.Record()
	}
	if invalid != nil {
		db.invalid = fmt.Errorf("ddbtest: %w", invalid)
		db.report(invalid)
	}
	db.loads.SetLimit(capacity.Units(o.PartitionLimit))
	db.SetLag(o.Lag)
	return db
}

func newDB(o Options, data *recording.Database) *DB {
	db := &DB{options: o, data: data, inBubble: inBubble(time.Now()), policies: new(policies), backoff: newBackoff(o.Seed)}
	db.transport = &roundTripper{RoundTripper: transport.RoundTripper{Server: &handler{db: db}}, db: db}
	db.setupHTTP = &http.Client{Transport: &transport.RoundTripper{Server: &handler{db: db, setup: true}}}
	db.loads = partition.New(data.Store, data.Config)
	db.usage.requests.size = o.KeepRequests
	return db
}

// Start makes a database for a test, and closes it with the test. Invalid options, rules and
// budgets fail the test, and so do defects of the engine. The log of a failed test lists the last
// requests, the rules that never acted and, if there was a random decision, the seed.
//
// A fuzz test uses [New], or calls Start inside its fuzz target with the target's *testing.T. A
// *testing.F must not be used there.
func Start(t TB, options ...Options) *DB {
	requireTest(t)
	t.Helper()
	var o Options
	switch len(options) {
	case 0:
	case 1:
		o = options[0]
	default:
		t.Fatalf("ddbtest: Start takes one Options, not %d", len(options))
	}
	o.Record = o.Record || o.FailureRecording != ""
	db := New(o)
	if err := db.Err(); err != nil {
		t.Fatalf("ddbtest: %v", err)
	}
	db.attach(t)
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
	db.deliver(db.held.All())
	db.data.Clock.Stop()
	db.keepUnlessClosed()
	db.keeper.Close()
	db.forks.close()
	db.mu.Lock()
	defer db.mu.Unlock()
	db.ownTest = nil
}

// Err returns the errors of the database itself: invalid options and rules, those of its storage,
// and defects of the engine.
func (db *DB) Err() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	return errors.Join(db.failures...)
}

// unavailable returns the reason why the database accepts no requests, or nil. now is the caller's
// time of time.Now.
func (db *DB) unavailable(now time.Time) error {
	switch {
	case db.invalid != nil:
		return db.invalid
	case db.closed.Load() && db.testName != "":
		return fmt.Errorf("ddbtest: the database of %s is closed", db.testName)
	case db.closed.Load():
		return errors.New("ddbtest: the database is closed")
	default:
		if err := db.checkPlaceAt(now); err != nil {
			return fmt.Errorf("ddbtest: %w", err)
		}
		return nil
	}
}

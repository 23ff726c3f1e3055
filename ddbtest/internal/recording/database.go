// Package recording records everything that reads or changes a database, in the order in which it
// happened, and replays it.
//
// All requests and changes go through a [Database]. [Database.Record] starts a recording,
// [Database.Write] writes it, one JSON object per line, and [Replay] repeats it.
package recording

import (
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/clock"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/service"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Database runs requests and changes on a store. All methods are safe for concurrent use, except
// for Record.
type Database struct {
	Store  *store.DB
	Clock  *clock.Clock
	Config *engine.Config

	recorder *recorder // nil unless it records
}

// New returns an empty database.
func New(config *engine.Config) *Database {
	c := new(clock.Clock)
	return &Database{Store: store.NewDB(c), Clock: c, Config: config}
}

// Record starts a recording. Call it before the database is used.
func (d *Database) Record() { d.recorder = &recorder{db: d, snapshots: map[*store.State]int{}} }

// Records reports whether the database records.
func (d *Database) Records() bool { return d.recorder != nil }

// Request is a request with what changes its execution.
type Request struct {
	*service.Request
	Body      []byte // the JSON from which it was parsed
	Host      string // to which it was sent
	Overrides engine.Overrides
	Setup     bool // a helper sent it to set up a test: table changes have no delay
}

// Run runs a request. What it used is in the call, which is empty before.
func (d *Database) Run(r *Request, call *engine.Call) (body []byte, err error) {
	call.DB, call.Config, call.Host, call.Overrides = d.Store, d.config(r.Setup), r.Host, r.Overrides
	if d.recorder == nil {
		return r.Run(call)
	}
	d.recorder.record(func(e *event) {
		body, err = r.Run(call)
		e.setRequest(r, body, err)
	})
	return body, err
}

func (d *Database) config(setup bool) *engine.Config {
	if !setup {
		return d.Config
	}
	c := *d.Config
	c.TableDelay = 0
	return &c
}

// SweepBeforeRequest does what is due before a request, except that a database that records does it
// when it runs the request.
func (d *Database) SweepBeforeRequest() {
	if d.recorder == nil {
		d.sweep()
	}
}

// SweepOverdue does what is due.
func (d *Database) SweepOverdue() {
	if d.Store.Overdue(d.Config.TTLDelay) {
		d.record(eventSweep, func(*event) { d.sweep() })
	}
}

// sweep deletes expired items, completes pending table changes, and trims streams.
func (d *Database) sweep() { d.Store.Sweep(d.Config.TTLDelay) }

// SetLag sets how far eventually consistent reads lag behind.
func (d *Database) SetLag(lag store.Lag) {
	d.record(eventLag, func(e *event) {
		e.Lag = lag
		d.update(func(s *store.State) { s.SetLag(lag) })
	})
}

// Settle makes all writes so far visible to eventually consistent reads.
func (d *Database) Settle() {
	d.record(eventSettle, func(*event) { d.update((*store.State).Settle) })
}

func (d *Database) update(change func(*store.State)) {
	_ = d.Store.Update(func(s *store.State) error {
		change(s)
		return nil
	})
}

// Snapshot returns a copy of the content.
func (d *Database) Snapshot() (snapshot *store.State) {
	d.record(eventSnapshot, func(e *event) {
		snapshot = d.Store.Snapshot()
		if d.recorder != nil {
			e.Snapshot = d.recorder.addSnapshot(snapshot)
		}
	})
	return snapshot
}

// Restore replaces the content by that of a snapshot.
func (d *Database) Restore(snapshot *store.State) {
	d.record(eventRestore, func(e *event) {
		d.Store.Restore(snapshot)
		if d.recorder != nil {
			e.Snapshot = d.recorder.snapshots[snapshot] // 0 if it is of another database
		}
	})
}

// Fork returns an independent copy of the database, with the same recording so far.
func (d *Database) Fork() *Database {
	c := d.Clock.Copy()
	fork := &Database{Clock: c, Config: d.Config}
	d.record(eventSweep, func(*event) { // a replay only sweeps here
		fork.Store = d.Store.Fork(c)
		if d.recorder != nil {
			fork.recorder = d.recorder.fork(fork)
		}
	})
	return fork
}

// Hash returns a hash of the tables and their items.
func (d *Database) Hash() (hash [32]byte) {
	_ = d.Store.View(func(s *store.State) error { // cannot fail
		hash = s.Hash()
		return nil
	})
	return hash
}

// AdvanceToLastChange advances the clock to the time of the last change, if the clock is behind it.
func (d *Database) AdvanceToLastChange() {
	var last time.Time
	_ = d.Store.View(func(s *store.State) error {
		last = s.Now
		return nil
	})
	if now := d.Clock.Now(); last.After(now) {
		d.Clock.Advance(last.Sub(now))
	}
}

// record calls f, and records its event if the database records.
func (d *Database) record(kind string, f func(*event)) {
	if d.recorder == nil {
		f(new(event))
		return
	}
	d.recorder.record(func(e *event) {
		e.Kind = kind
		f(e)
	})
}

package storage

import (
	"fmt"
	"time"

	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// Storage keeps entries.
type Storage interface {
	// Load calls each for all entries, in ascending order of the keys.
	Load(each func(key, value []byte) error) error
	// Commit makes all changes or, with an error, none of them.
	Commit(changes []Entry) error
}

// Keeper keeps the state of a database in a storage. It is safe for concurrent use.
type Keeper struct {
	db      *store.DB
	storage Storage
	users   users

	// lock holds a token while no commit runs. It is a channel because the time of a bubble of
	// testing/synctest passes while goroutines wait for one.
	lock    chan struct{}
	kept    *store.State // what the storage has
	version uint64       // of kept
	clock   clockState   // what the storage has
}

// clockState is how far a clock was advanced, and its time then. The time matters only if the clock
// of the machine is set back while no process runs.
type clockState struct {
	advanced time.Duration
	now      time.Time
}

func clockOf(db *store.DB) clockState { return clockState{db.Clock.Offset(), db.Clock.Now()} }

// Open sets the state of a new database, and its clock, to the content of a storage.
func Open(db *store.DB, s Storage) (*Keeper, error) {
	state, clock, err := load(s.Load)
	if err != nil {
		return nil, fmt.Errorf("read the storage: %w", err)
	}
	db.Restore(state)
	db.Clock.Advance(clock.advanced)
	if now := db.Clock.Now(); clock.now.After(now) {
		db.Clock.Advance(clock.now.Sub(now))
	}
	k := &Keeper{db: db, storage: s, lock: make(chan struct{}, 1), kept: state, clock: clock}
	k.users.none = make(chan struct{})
	k.lock <- struct{}{}
	if err := k.Keep(); err != nil {
		return nil, err
	}
	return k, nil
}

// Keep returns after the storage has all changes that were made before the call, and how far the
// clock was advanced. Requests that call it concurrently share one commit.
func (k *Keeper) Keep() error {
	version := k.db.Version()
	<-k.lock
	defer func() { k.lock <- struct{}{} }()
	clock := clockOf(k.db)
	if k.version >= version && k.clock.advanced == clock.advanced {
		return nil
	}
	state, version := k.db.SnapshotVersion()
	if changes := Changes(k.kept, state); len(changes) > 0 || k.clock.advanced != clock.advanced {
		changes = append(changes, Entry{keyOf(stateKind), stateText(state, clock)})
		if err := k.storage.Commit(changes); err != nil {
			return fmt.Errorf("write to the storage: %w", err)
		}
		k.kept, k.clock = state, clock
	}
	k.version = version
	return nil
}

package storage

import (
	"fmt"

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

	// lock holds a token while no commit runs. It is a channel because the time of a bubble of
	// testing/synctest passes while goroutines wait for one.
	lock    chan struct{}
	kept    *store.State // what the storage has
	version uint64       // of kept
}

// Open sets the state of a database to the content of a storage.
func Open(db *store.DB, s Storage) (*Keeper, error) {
	state, err := Load(s.Load)
	if err != nil {
		return nil, fmt.Errorf("read the storage: %w", err)
	}
	db.Restore(state)
	k := &Keeper{db: db, storage: s, lock: make(chan struct{}, 1), kept: state}
	k.lock <- struct{}{}
	return k, nil
}

// Keep returns after the storage has all changes that were made before the call. Requests that call
// it concurrently share one commit.
func (k *Keeper) Keep() error {
	version := k.db.Version()
	<-k.lock
	defer func() { k.lock <- struct{}{} }()
	if k.version >= version {
		return nil
	}
	state, version := k.db.SnapshotVersion()
	if changes := Changes(k.kept, state); len(changes) > 0 {
		changes = append(changes, Entry{keyOf(stateKind), stateText(state)})
		if err := k.storage.Commit(changes); err != nil {
			return fmt.Errorf("write to the storage: %w", err)
		}
		k.kept = state
	}
	k.version = version
	return nil
}

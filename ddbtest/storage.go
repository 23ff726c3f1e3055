package ddbtest

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/storage"
)

// Storage keeps the content of a database outside of its memory, for example in a file: its tables
// with their items and settings, the records of streams, the tokens of transactions, and how far
// the clock was advanced. Rules, snapshots, forks, lag and cost are in memory only.
//
// The reply to a request is sent after the storage has all changes that the request made or could
// see. Methods of [DB] that change or show the content, such as [DB.Advance] and [DB.Dump], return
// after that too. A database reads its storage once, when it is made; no other database may use the
// storage meanwhile. If a commit fails, the request gets InternalServerError, [DB.Err] has the
// error, and the next request commits its changes too. The methods have no such reply: call
// [DB.Keep] after them. [DB.Close] waits for the commits of running requests; afterwards the
// database does not use its storage.
//
// The entries are for this package only: their form may change between versions.
type Storage interface {
	// Load calls each for all entries, in ascending order of the bytes of their keys. It returns
	// the first error of each. The slices may be used until each returns.
	Load(each func(key, value []byte) error) error
	// Commit makes all changes, or returns an error and makes none of them. After it returns nil
	// the storage must keep them, even if the process is killed. No two calls overlap.
	Commit(changes []StorageChange) error
}

// StorageChange sets the entry with the key to the value, or deletes it if the value is nil. The
// storage must not change the slices, but may keep them.
type StorageChange struct{ Key, Value []byte }

// openStorage fills the database with the content of its storage.
func (db *DB) openStorage() (err error) {
	if db.options.Storage != nil {
		db.keeper, err = storage.Open(db.data.Store, storageAdapter{db.options.Storage})
	}
	return err
}

// storageAdapter makes an internal storage from one of a user.
type storageAdapter struct{ Storage }

func (a storageAdapter) Commit(changes []storage.Entry) error {
	list := make([]StorageChange, len(changes))
	for i, c := range changes {
		list[i] = StorageChange(c)
	}
	return a.Storage.Commit(list)
}

// Keep returns nil after the [Storage] has the current content, or the error of the storage if it
// refuses it. A request has this error in its reply, but methods such as [DB.Advance] and
// [DB.Restore] return nothing. A database that is closed, or has no storage, has nothing to keep.
func (db *DB) Keep() error {
	if !db.keeper.Enter() {
		return nil
	}
	defer db.keeper.Leave()
	return db.commit()
}

// keepUnlessClosed returns after the storage has the current content. What shows the content calls
// it after it has read, because another request may have made changes that it did not store yet. A
// closed database does not use its storage.
func (db *DB) keepUnlessClosed() { _ = db.Keep() }

// keep is [DB.Keep] with the error of a reply. The caller has entered the keeper.
func (db *DB) keep() error {
	if db.commit() != nil {
		return awserr.Internal()
	}
	return nil
}

// commit returns after the storage has the current content. It reports an error too. The caller has
// entered the keeper.
func (db *DB) commit() error {
	if db.keeper == nil {
		return nil
	}
	err := db.keeper.Keep()
	if err != nil {
		db.reportOnce(err.Error(), func() error { return err })
	}
	return err
}

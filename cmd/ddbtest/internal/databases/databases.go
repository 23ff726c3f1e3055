// Package databases keeps a database for each access key and Region, as DynamoDB Local does.
package databases

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/folder"
	"github.com/trestledb/trestle/ddbtest"
)

// Databases holds the open databases. All methods are safe for concurrent use.
type Databases struct {
	config Config

	mu         sync.Mutex
	byKey      map[Key]*Database
	lock       *folder.File // of the folder; nil if there is none
	recordings recordings
	restricted map[Key]*Restricted
	bases      map[string]*ddbtest.DB // with the initial content, by Region
	closed     bool
}

// shared is the key of the database for all clients.
const sharedAccessKey = "shared"

var (
	// ErrClosed is the error of databases that are closed.
	ErrClosed = errors.New("the databases are closed")
	// ErrInvalidKey is the error for a key that names no database.
	ErrInvalidKey = errors.New("invalid access key or Region")
	// ErrShared is the error of what the shared database cannot do.
	ErrShared = errors.New("the shared database is the only one, and can be neither forked nor removed")
	// ErrExists is the error for a key whose database is open.
	ErrExists = errors.New("the database is open already")
)

// New returns databases. If there is initial content, it is loaded once, so that an error is
// returned here. With [Config.Shared], the database is open.
func New(c Config) (*Databases, error) {
	d := &Databases{config: c, byKey: map[Key]*Database{}, restricted: map[Key]*Restricted{}, bases: map[string]*ddbtest.DB{}}
	region := c.region()
	if reason := (Key{sharedAccessKey, region}).Validate(); reason != "" {
		return nil, errors.New(reason)
	}
	if err := errors.Join(c.checkRecording(), c.checkFolder()); err != nil {
		return nil, err
	}
	if _, err := d.initial(region); err != nil {
		return nil, err
	}
	err := d.lockFolder()
	switch {
	case err != nil:
	case c.Shared:
		_, err = d.open(Key{sharedAccessKey, region})
	default:
		err = d.openFiles()
	}
	if err != nil {
		_, closing := d.Close()
		return nil, errors.Join(err, closing)
	}
	return d, nil
}

// Open returns the database of a key, and opens it if necessary. A shared database has every key.
func (d *Databases) Open(k Key) (*Database, error) {
	db, _, err := d.OpenFor(k)
	return db, err
}

// OpenFor is [Databases.Open] for a client. If its access key has a policy, the database knows it
// as signer, and otherwise signer is "".
func (d *Databases) OpenFor(k Key) (db *Database, signer string, err error) {
	if reason := k.Validate(); reason != "" {
		return nil, "", fmt.Errorf("%w: %s", ErrInvalidKey, reason)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.config.Shared {
		k.Region = d.config.region()
	}
	switch r := d.restricted[k]; {
	case r != nil:
		k, signer = r.of, r.signer
	case d.config.Shared:
		k.AccessKey = sharedAccessKey
	}
	db, err = d.open(k)
	return db, signer, err
}

func (d *Databases) open(k Key) (*Database, error) {
	if d.closed {
		return nil, ErrClosed
	}
	if open, ok := d.byKey[k]; ok {
		return open, nil
	}
	db, file, err := d.content(k)
	if err != nil {
		return nil, err
	}
	return d.add(k, db, file)
}

// add adds a database, with the policies of its access keys. The file is nil if it is in memory
// only. The caller holds the lock.
func (d *Databases) add(k Key, db *ddbtest.DB, file *folder.File) (*Database, error) {
	open := &Database{Key: k, DB: db, RecordingFile: d.recordings.next(d.config.Recording, k), file: file}
	d.byKey[k] = open
	return open, d.addPolicies(open)
}

// Fork opens a database of another access key with the content of a database. A fork is in memory
// only.
func (d *Databases) Fork(origin *Database, accessKey string) (*Database, error) {
	k := Key{accessKey, origin.Key.Region}
	if reason := k.Validate(); reason != "" {
		return nil, fmt.Errorf("%w: %s", ErrInvalidKey, reason)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.config.Shared:
		return nil, ErrShared
	case d.closed || d.byKey[origin.Key] != origin:
		return nil, ErrClosed
	case d.byKey[k] != nil || d.restricted[k] != nil || d.hasFile(k):
		return nil, ErrExists
	}
	fork, err := d.add(k, origin.DB.Fork(), nil)
	fork.origin = origin
	return fork, err
}

// Reset replaces a database by a new one: an empty one, or one with the initial content. The
// policies of its access keys remain, and a fork remains one. If it has forks, it fails with a
// [*ForksError], or closes them too with closeForks. If there is no new database, the next request
// opens one.
func (d *Databases) Reset(old *Database, initial, closeForks bool) (*Database, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.byKey[old.Key] != old {
		return nil, ErrClosed
	}
	if err := d.checkForks(old, closeForks); err != nil {
		return nil, err
	}
	removeErr := d.remove(old) // the database is closed in any case
	db, file, err := d.replacement(old, initial)
	if err != nil {
		return nil, errors.Join(removeErr, err)
	}
	replaced, err := d.add(old.Key, db, file)
	replaced.origin = old.origin
	return replaced, errors.Join(removeErr, err)
}

// Remove closes a database and deletes its file. A later request with its key opens a new one. If
// it has forks, it fails with a [*ForksError], or closes them too with closeForks.
func (d *Databases) Remove(old *Database, closeForks bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.config.Shared:
		return ErrShared
	case d.closed || d.byKey[old.Key] != old:
		return ErrClosed
	}
	if err := d.checkForks(old, closeForks); err != nil {
		return err
	}
	err := d.remove(old)
	d.forgetPolicies(old.Key)
	return errors.Join(err, d.deleteFile(old.Key))
}

// remove removes a database and its forks, and writes their recordings. The caller holds the lock.
func (d *Databases) remove(old *Database) error {
	delete(d.byKey, old.Key)
	var errs []error
	for _, fork := range d.forks(old) {
		errs = append(errs, d.remove(fork))
		d.forgetPolicies(fork.Key)
	}
	errs = append(errs, old.close(), d.recordings.save(old))
	return errors.Join(errs...)
}

// All returns the open databases in the order of their keys.
func (d *Databases) All() []*Database {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.all()
}

func (d *Databases) all() []*Database { return slices.SortedFunc(maps.Values(d.byKey), compareKeys) }

func compareKeys(a, b *Database) int {
	return cmp.Or(cmp.Compare(a.Key.AccessKey, b.Key.AccessKey), cmp.Compare(a.Key.Region, b.Key.Region))
}

// Find returns the open databases with an access key and a Region. "" stands for every one, and the
// shared database has every access key and Region.
func (d *Databases) Find(accessKey, region string) []*Database {
	return slices.DeleteFunc(d.All(), func(db *Database) bool {
		return !d.config.Shared && (accessKey != "" && db.Key.AccessKey != accessKey || region != "" && db.Key.Region != region)
	})
}

// Close closes all databases: it applies the held requests and ends the waiting ones. Then it
// writes their recordings. It returns all files with recordings, also of databases that were reset
// or removed before. Its error has what the files of databases lack.
func (d *Databases) Close() (recordings []string, err error) {
	d.mu.Lock()
	d.closed = true
	open := d.all()
	d.mu.Unlock()
	var errs []error
	for _, db := range open {
		errs = append(errs, db.keep(), db.close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.Close())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, db := range open {
		errs = append(errs, d.recordings.save(db))
	}
	return d.recordings.written, errors.Join(errs...)
}

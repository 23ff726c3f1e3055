package folder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"github.com/trestledb/trestle/ddbtest"
)

// File is the storage of one database: a file that one process at a time can use.
//
// A commit is in the file when it returns, so it survives the end of the process at any moment. It
// survives a crash of the machine only if the file is synced: see [Open].
type File struct {
	db   *bbolt.DB
	sync bool
}

// entries is the only bucket.
var entries = []byte("entries")

// inUse is how long Open waits for another process that uses the file.
const inUse = time.Second

// Open opens a file, or creates it with its folder. With sync each commit waits until the disk has
// it, which takes milliseconds.
func Open(path string, sync bool) (*File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := verify(path); err != nil {
		return nil, openError(path, err)
	}
	db, err := open(path, &bbolt.Options{Timeout: inUse, NoSync: !sync, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return nil, openError(path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(entries)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("prepare %s: %w", path, err), db.Close())
	}
	return &File{db, sync}, nil
}

// Rename moves the file to another path, and replaces the file there. A process that is killed
// meanwhile leaves one of the two files there. No commit may run. After an error the file is
// closed.
func (f *File) Rename(path string) error {
	from := f.db.Path()
	if err := f.db.Close(); err != nil { // Windows renames no open file
		return err
	}
	if err := os.Rename(from, path); err != nil {
		return err
	}
	if err := syncFolder(path, f.sync); err != nil {
		return err
	}
	moved, err := Open(path, f.sync)
	if err == nil {
		f.db = moved.db
	}
	return err
}

// Load implements [ddbtest.Storage].
func (f *File) Load(each func(key, value []byte) error) error {
	return guard(func() error {
		return f.db.View(func(tx *bbolt.Tx) error { return tx.Bucket(entries).ForEach(each) })
	})
}

// Commit implements [ddbtest.Storage].
func (f *File) Commit(changes []ddbtest.StorageChange) error {
	return f.db.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(entries)
		for _, c := range changes {
			if err := set(bucket, c); err != nil {
				return err
			}
		}
		return nil
	})
}

func set(bucket *bbolt.Bucket, c ddbtest.StorageChange) error {
	if c.Value == nil {
		return bucket.Delete(c.Key)
	}
	return bucket.Put(c.Key, c.Value)
}

// Close closes the file.
func (f *File) Close() error { return f.db.Close() }

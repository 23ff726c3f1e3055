package folder

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// errDamaged is the error of a file whose content is not that of a database.
var errDamaged = errors.New("the file is damaged or of something else")

// Cure says what to do with a file that cannot be read.
const Cure = "remove it from the folder to begin again without its content, or put a copy in its place"

// openError returns the error of a file that cannot be opened.
func openError(path string, err error) error {
	var inPath *fs.PathError
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s is in use by another process: end that process, or name another folder", path)
	case errors.As(err, &inPath):
		return fmt.Errorf("open %s: %w", path, inPath.Err)
	default:
		return fmt.Errorf("open %s: %w: %s", path, err, Cure)
	}
}

// verify reads a file before it is opened for writing, and finds what was cut off or overwritten.
// bbolt expects intact files: it reads pages in another goroutine, whose panics and faults nothing
// can recover, and which goes on after it has found an error. Not every damage is found before: a
// page that refers to one above it is read without end, and a wrong size of the first key of a
// branch page, or a page that is a part of two, can end the process.
func verify(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() == 0:
		return nil
	}
	db, err := open(path, &bbolt.Options{ReadOnly: true, Timeout: inUse})
	if err != nil {
		return err
	}
	return errors.Join(guard(func() error { return db.View(readAll) }), db.Close())
}

// readAll reads all entries, and then checks the pages that have them. An entry is read a second
// time by its key, which reads the keys of the pages above, and finds keys out of order.
func readAll(tx *bbolt.Tx) error {
	err := tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
		if !bytes.Equal(name, entries) {
			return errDamaged
		}
		return bucket.ForEach(func(key, value []byte) error {
			if value == nil || int64(len(key)+len(value)) > tx.Size() || !bytes.Equal(bucket.Get(key), value) {
				return errDamaged
			}
			crc32.Update(crc32.ChecksumIEEE(key), crc32.IEEETable, value) // it reads all bytes
			return nil
		})
	})
	if err != nil {
		return err
	}
	if s := tx.Cursor().Bucket().Stats(); int64(s.BranchAlloc)+int64(s.LeafAlloc) > tx.Size() {
		return errDamaged // bbolt would count the pages one by one
	}
	for range tx.Check() {
		err = errDamaged // read on, because Check waits for that
	}
	return err
}

// open opens a file with bbolt.
func open(path string, o *bbolt.Options) (db *bbolt.DB, err error) {
	err = guard(func() (err error) {
		db, err = bbolt.Open(path, 0o600, o)
		return err
	})
	if errors.Is(err, bolterrors.ErrInvalid) || errors.Is(err, bolterrors.ErrVersionMismatch) || errors.Is(err, bolterrors.ErrChecksum) {
		err = errDamaged
	}
	return db, err
}

// guard calls f. A panic of f, and an access beyond the end of a file that was truncated, become an
// error.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errDamaged
		}
	}()
	return f()
}

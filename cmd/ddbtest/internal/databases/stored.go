package databases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trestledb/trestle/cmd/ddbtest/internal/folder"
	"github.com/trestledb/trestle/ddbtest"
)

// fileExtension is that of the files of databases. Their names are accessKey.region.db.
const fileExtension = ".db"

// file returns the path of the file of a database.
func (c *Config) file(k Key) string {
	return filepath.Join(c.Folder, k.AccessKey+"."+k.Region+fileExtension)
}

// content returns what a database begins with: the content of its file if there is one, else the
// initial content.
func (d *Databases) content(k Key) (*ddbtest.DB, *folder.File, error) {
	if d.config.Folder == "" {
		db, err := d.initial(k.Region)
		return db, nil, err
	}
	db, file, err := d.stored(k)
	if err != nil || !file.New {
		return db, file, err
	}
	base, err := d.initial(k.Region)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	defer base.Close()
	return copyContent(db, file, base)
}

// stored returns a database with the content of its file.
func (d *Databases) stored(k Key) (*ddbtest.DB, *folder.File, error) {
	file, err := folder.Open(d.config.file(k), d.config.Sync)
	if err != nil {
		return nil, nil, err
	}
	o := d.config.options(k.Region)
	o.Storage = file
	db := ddbtest.New(o)
	if err := db.Err(); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", d.config.file(k), err), file.Close())
	}
	return db, file, nil
}

// replacement returns what a database begins with after a reset. Its file is closed.
func (d *Databases) replacement(old *Database, initial bool) (*ddbtest.DB, *folder.File, error) {
	base := d.empty(old.Key.Region)
	if initial {
		var err error
		if base, err = d.initial(old.Key.Region); err != nil {
			return nil, nil, err
		}
	}
	if d.config.Folder == "" || old.origin != nil {
		return base, nil, nil
	}
	defer base.Close()
	db, file, err := d.stored(old.Key)
	if err != nil {
		return nil, nil, err
	}
	return copyContent(db, file, base)
}

// copyContent gives a database the content and the time of another one. If its file cannot be
// written, it closes both.
func copyContent(db *ddbtest.DB, file *folder.File, base *ddbtest.DB) (*ddbtest.DB, *folder.File, error) {
	db.Advance(base.Now().Sub(db.Now()))
	db.Restore(base.Snapshot())
	if err := db.Err(); err != nil {
		db.Close()
		return nil, nil, errors.Join(err, file.Close())
	}
	return db, file, nil
}

// openFiles opens the databases that have a file.
func (d *Databases) openFiles() error {
	if d.config.Folder == "" {
		return nil
	}
	files, err := os.ReadDir(d.config.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the first database makes it
		return err
	}
	var errs []error
	for _, file := range files {
		name, isDatabase := strings.CutSuffix(file.Name(), fileExtension)
		accessKey, region, _ := strings.Cut(name, ".")
		if k := (Key{accessKey, region}); isDatabase && k.Validate() == "" {
			_, err := d.open(k)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// hasFile reports whether a database has a file.
func (d *Databases) hasFile(k Key) bool {
	if d.config.Folder == "" {
		return false
	}
	_, err := os.Stat(d.config.file(k))
	return err == nil
}

// deleteFile deletes the file of a database, if it has one.
func (d *Databases) deleteFile(k Key) error {
	if !d.hasFile(k) {
		return nil
	}
	return os.Remove(d.config.file(k))
}

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

// unfinished is the extension of a file that does not have its whole content yet.
const unfinished = ".new"

// checkFolder creates the folder of the databases, and returns an error if it is not one that can
// be written.
func (c *Config) checkFolder() error {
	if c.Folder == "" {
		return nil
	}
	if info, err := os.Stat(c.Folder); err == nil && !info.IsDir() {
		return fmt.Errorf("-data: %s is a file: name a folder, in which each database gets a file", c.Folder)
	}
	err := os.MkdirAll(c.Folder, 0o700)
	if err == nil {
		err = checkWritable(c.Folder)
	}
	if err != nil {
		return fmt.Errorf("-data: the folder cannot be written: %w", err)
	}
	return nil
}

// lockFolder makes this process the only one that uses the folder.
func (d *Databases) lockFolder() (err error) {
	if d.config.Folder != "" {
		d.lock, err = folder.Lock(d.config.Folder)
	}
	return err
}

// content returns what a database begins with: the content of its file if there is one, else the
// initial content.
func (d *Databases) content(k Key) (*ddbtest.DB, *folder.File, error) {
	if d.hasFile(k) {
		return d.stored(d.config.file(k), k.Region)
	}
	base, err := d.initial(k.Region)
	if err != nil || d.config.Folder == "" {
		return base, nil, err
	}
	return d.create(k, base)
}

// stored returns a database with the content of a file, which it makes if there is none.
func (d *Databases) stored(path, region string) (*ddbtest.DB, *folder.File, error) {
	file, err := folder.Open(path, d.config.Sync)
	if err != nil {
		return nil, nil, err
	}
	o := d.config.options(region)
	o.Storage = file
	db := ddbtest.New(o)
	if err := db.Err(); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w: %s", path, err, folder.Cure), file.Close())
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
	return d.create(old.Key, base)
}

// create makes the file of a database, in place of the one that it may have, and returns the
// database. It has the content and the time of another one, which create closes. A process that is
// killed meanwhile leaves the file as it was before.
func (d *Databases) create(k Key, base *ddbtest.DB) (*ddbtest.DB, *folder.File, error) {
	defer base.Close()
	path := d.config.file(k)
	if err := os.Remove(path + unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	db, file, err := d.stored(path+unfinished, k.Region)
	if err != nil {
		return nil, nil, err
	}
	db.Advance(base.Now().Sub(db.Now()))
	db.Restore(base.Snapshot())
	if err = db.Err(); err == nil {
		err = file.Rename(path)
	}
	if err != nil {
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
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		if strings.HasSuffix(file.Name(), fileExtension+unfinished) { // of a process that was killed
			errs = append(errs, os.Remove(filepath.Join(d.config.Folder, file.Name())))
		}
		name, isDatabase := strings.CutSuffix(file.Name(), fileExtension)
		accessKey, region, _ := strings.Cut(name, ".")
		if k := (Key{accessKey, region}); isDatabase && k.Validate() == "" {
			_, err := d.open(k)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// hasFile reports whether a database has a file, or may have one.
func (d *Databases) hasFile(k Key) bool {
	if d.config.Folder == "" {
		return false
	}
	_, err := os.Stat(d.config.file(k))
	return !errors.Is(err, fs.ErrNotExist)
}

// deleteFile deletes the file of a database, if it has one.
func (d *Databases) deleteFile(k Key) error {
	if !d.hasFile(k) {
		return nil
	}
	return folder.Remove(d.config.file(k), d.config.Sync)
}

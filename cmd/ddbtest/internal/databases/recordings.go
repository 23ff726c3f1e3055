package databases

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// recordings names the files of recordings, and writes them. The first database has the file that
// the user gave, and the others have their key in its name. A database after a reset or a removal
// has another file than the one before, with a number from 2.
type recordings struct {
	names   map[Key]string // without a number
	count   map[Key]int
	written []string
}

// next returns the file of a new database, or "" if nothing is recorded.
func (r *recordings) next(name string, k Key) string {
	if name == "" {
		return ""
	}
	if r.names == nil {
		r.names, r.count = map[Key]string{}, map[Key]int{}
	}
	if r.names[k] == "" {
		if len(r.names) > 0 {
			name = insert(name, k.AccessKey+"."+k.Region)
		}
		r.names[k] = name
	}
	r.count[k]++
	if n := r.count[k]; n > 1 {
		return insert(r.names[k], strconv.Itoa(n))
	}
	return r.names[k]
}

// insert inserts a part before the extension of a name.
func insert(name, part string) string {
	extension := filepath.Ext(name)
	return strings.TrimSuffix(name, extension) + "." + part + extension
}

// save writes the recording of a closed database, if it records.
func (r *recordings) save(db *Database) error {
	if db.RecordingFile == "" {
		return nil
	}
	if err := db.SaveRecording(); err != nil {
		return fmt.Errorf("the recording of %s: %w", db.Key, err)
	}
	r.written = append(r.written, db.RecordingFile)
	return nil
}

// checkRecording returns an error if recordings cannot be written.
func (c *Config) checkRecording() error {
	if c.Recording == "" {
		return nil
	}
	if info, err := os.Stat(c.Recording); err == nil && info.IsDir() {
		return fmt.Errorf("the recording cannot be written: %s is a folder: name a file", c.Recording)
	}
	if err := checkWritable(filepath.Dir(c.Recording)); err != nil {
		return fmt.Errorf("the recording cannot be written: %w: name a file in a folder that exists and can be written", err)
	}
	return nil
}

// checkWritable returns an error if no file can be made in a folder.
func checkWritable(folder string) error {
	file, err := os.CreateTemp(folder, ".ddbtest-*")
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Remove(file.Name())
}

package jsonfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Disk is the file system of the machine. Its names are paths.
type Disk struct{}

// Open implements [fs.FS].
func (Disk) Open(name string) (fs.File, error) {
	file, err := os.Open(name) //nolint:gosec // the test's own choice
	if err != nil {
		return nil, fmt.Errorf("%w: a path is relative to the folder of the test's package", withoutPath(err))
	}
	return file, nil
}

// The beginning of a compressed file, and that of a file in UTF-8 that some programs write.
var (
	gzipMagic     = []byte{0x1f, 0x8b}
	byteOrderMark = []byte("\ufeff")
)

// Read reads a file and decompresses it. It reports whether the file has content, and adds a fault
// if not. The faults that follow are those of this file.
func Read(files fs.FS, name string, f *Faults) (data []byte, ok bool) {
	f.File = name
	data, err := fs.ReadFile(files, name)
	if err != nil {
		f.AddFile(name, err)
		return nil, false
	}
	if bytes.HasPrefix(data, gzipMagic) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(z)
		}
		if err != nil {
			f.AddLine(0, "the compressed file is damaged or incomplete: download it again")
			return nil, false
		}
	}
	data = bytes.TrimPrefix(data, byteOrderMark)
	if len(bytes.TrimSpace(data)) == 0 {
		f.AddLine(0, "the file is empty")
		return nil, false
	}
	return data, true
}

// AddFile adds a fault of a file that cannot be read. Its text has the path once.
func (f *Faults) AddFile(name string, err error) {
	f.File = name
	f.AddLine(0, "%v", withoutPath(err))
}

// withoutPath returns the error without the path, which the fault has already.
func withoutPath(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

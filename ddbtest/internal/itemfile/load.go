package itemfile

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// Load reads the items for a table from a file, or from the folder of an export to S3. Its error
// lists all faults.
func Load(path, table string) ([]Located, error) {
	r := &reader{table: table, faults: &jsonfile.Faults{File: filepath.ToSlash(path)}}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		r.readExport(path)
	} else if data, ok := r.open(path); ok {
		if manifest(data) {
			r.readExport(filepath.Dir(path))
		} else {
			r.readFile(data)
		}
	}
	return r.items, r.faults.Err()
}

// gzipMagic is the beginning of a compressed file.
var gzipMagic = []byte{0x1f, 0x8b}

// ionMagic is the beginning of a file in binary Ion.
var ionMagic = []byte{0xe0, 0x01, 0x00, 0xea}

// open reads and decompresses a file, and reports whether it is worth parsing.
func (r *reader) open(path string) (data []byte, ok bool) {
	r.faults.File = filepath.ToSlash(path)
	data, err := os.ReadFile(path) //nolint:gosec // the test's own choice
	if err != nil {
		r.faults.AddLine(0, "%v: a path is relative to the folder of the test's package", unwrapPath(err))
		return nil, false
	}
	if bytes.HasPrefix(data, gzipMagic) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(z)
		}
		if err != nil {
			r.faults.AddLine(0, "the compressed file is damaged or incomplete: download it again")
			return nil, false
		}
	}
	switch {
	case bytes.HasPrefix(data, ionMagic), bytes.HasPrefix(data, []byte("$ion_")):
		r.faults.AddLine(0, "the format is Ion: export with the format DYNAMODB_JSON")
		return nil, false
	case len(bytes.TrimSpace(data)) == 0:
		r.faults.AddLine(0, "the file is empty")
		return nil, false
	}
	return data, true
}

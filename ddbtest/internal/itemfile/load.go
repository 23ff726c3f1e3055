package itemfile

import (
	"bytes"
	"io/fs"
	"path"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// Load reads the items for a table from a file, or from the folder of an export to S3. Its error
// lists all faults.
func Load(files fs.FS, name, table string) ([]Located, error) {
	r := &reader{files: files, table: table, faults: &jsonfile.Faults{File: name}}
	if info, err := fs.Stat(files, name); err == nil && info.IsDir() {
		r.readExport(name)
	} else if data, ok := r.open(name); ok {
		if IsManifest(data) {
			r.readExport(path.Dir(name))
		} else {
			r.readValues(jsonfile.Parse(data, r.faults))
		}
	}
	return r.items, r.faults.Err()
}

// Read reads the items in the values of a file: those for a table, or, if that is "", all items.
func Read(values []*jsonfile.Value, table string, f *jsonfile.Faults) []Located {
	r := &reader{table: table, faults: f}
	r.readValues(values)
	return r.items
}

// ReadExport reads the items of an export to S3 by its manifest of files. It also returns the name
// of the exported table, or "".
func ReadExport(files fs.FS, manifest string, f *jsonfile.Faults) (items []Located, table string) {
	r := &reader{files: files, faults: f}
	r.readManifest(manifest)
	return r.items, r.exported
}

// ionMagic is the beginning of a file in binary Ion.
var ionMagic = []byte{0xe0, 0x01, 0x00, 0xea}

// OtherFormat returns what to do with a file of items that is not JSON, or "".
func OtherFormat(data []byte) string {
	if bytes.HasPrefix(data, ionMagic) || bytes.HasPrefix(data, []byte("$ion_")) {
		return "the format is Ion: export with the format DYNAMODB_JSON"
	}
	return ""
}

// open reads and decompresses a file, and reports whether it is worth parsing.
func (r *reader) open(name string) (data []byte, ok bool) {
	data, ok = jsonfile.Read(r.files, name, r.faults)
	if !ok {
		return nil, false
	}
	if cure := OtherFormat(data); cure != "" {
		r.faults.AddLine(0, "%s", cure)
		return nil, false
	}
	return data, true
}

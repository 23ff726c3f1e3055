package itemfile

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the checksum of a manifest
	"encoding/base64"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// ManifestFiles is the file of an export to S3 that lists its data files.
const ManifestFiles = "manifest-files.json"

// Another file of an export, and the folder of its data.
const (
	manifestSummary = "manifest-summary.json"
	dataFolder      = "data"
)

// IsManifest reports whether the content is a manifest of an export.
func IsManifest(data []byte) bool {
	if begin := data[:min(len(data), 4096)]; !bytes.Contains(begin, []byte("S3Key")) {
		return false
	}
	values := jsonfile.Parse(firstLine(data), new(jsonfile.Faults))
	return len(values) == 1 && (values[0].Has("dataFileS3Key") || values[0].Has("manifestFilesS3Key"))
}

func firstLine(data []byte) []byte {
	trimmed := bytes.TrimSpace(data)
	if line, _, found := bytes.Cut(trimmed, []byte("\n")); found && bytes.HasSuffix(bytes.TrimSpace(line), []byte("}")) {
		return line
	}
	return trimmed
}

// readExport reads the data files of an export that its manifest lists. Below the folder there is
// one export.
func (r *reader) readExport(folder string) {
	var manifests []string
	err := fs.WalkDir(r.files, folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == ManifestFiles {
			manifests = append(manifests, name)
		}
		return err
	})
	r.faults.File = folder
	switch {
	case err != nil:
		r.faults.AddFile(folder, err)
	case len(manifests) == 0:
		r.faults.AddLine(0, "there is no %s below this folder: download the whole export, or load its data files one by one", ManifestFiles)
	case len(manifests) > 1:
		r.faults.AddLine(0, "there are %d exports below this folder: load each with its own folder", len(manifests))
	default:
		r.readManifest(manifests[0])
	}
}

func (r *reader) readManifest(name string) {
	folder := path.Dir(name)
	if !r.readSummary(path.Join(folder, manifestSummary)) {
		return
	}
	data, ok := r.open(name)
	if !ok {
		return
	}
	for _, entry := range jsonfile.Parse(data, r.faults) {
		r.faults.File = name
		key := entry.Get("dataFileS3Key")
		if key == nil || key.Kind != jsonfile.Text {
			r.faults.Add(entry, "the entry has no dataFileS3Key: download the manifest again")
			continue
		}
		r.readDataFile(path.Join(folder, dataFolder, path.Base(key.Text)), entry)
	}
}

// readDataFile reads a data file and compares it with its entry in the manifest.
func (r *reader) readDataFile(name string, entry *jsonfile.Value) {
	raw, err := fs.ReadFile(r.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		r.faults.Add(entry, "the data file %s is missing: download the whole export", name)
		return
	}
	sum := md5.Sum(raw) //nolint:gosec // the checksum of the manifest
	if want := entry.Get("md5Checksum"); err == nil && want != nil && want.Text != base64.StdEncoding.EncodeToString(sum[:]) {
		r.faults.Add(entry, "the checksum of the data file %s differs: download it again", name)
		return
	}
	before := len(r.items)
	if data, ok := r.open(name); ok {
		r.readValues(jsonfile.Parse(data, r.faults))
		if want := entry.Get("itemCount"); want != nil && want.Text != strconv.Itoa(len(r.items)-before) {
			r.faults.AddLine(0, "the file has %d items, and the manifest lists %s: download it again", len(r.items)-before, want.Text)
		}
	}
}

// readSummary checks the format of the export and reads the name of its table, if there is a
// summary.
func (r *reader) readSummary(name string) (ok bool) {
	if _, err := fs.Stat(r.files, name); err != nil {
		return true
	}
	data, ok := r.open(name)
	if !ok {
		return false
	}
	values := jsonfile.Parse(data, r.faults)
	if len(values) == 0 {
		return false
	}
	summary := values[0]
	if arn := summary.Get("tableArn"); arn != nil {
		_, r.exported, _ = strings.Cut(arn.Text, ":table/")
	}
	if format := summary.Get("outputFormat"); format != nil && format.Text != "DYNAMODB_JSON" {
		r.faults.Add(format, "the format of the export is not DYNAMODB_JSON: export again with that format")
		return false
	}
	if kind := summary.Get("exportType"); kind != nil && !slices.Contains([]string{"FULL", "FULL_EXPORT"}, kind.Text) {
		r.faults.Add(kind, "this is an incremental export, which has changes and not items: use a full export")
		return false
	}
	return true
}

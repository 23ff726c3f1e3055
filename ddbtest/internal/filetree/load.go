package filetree

import (
	"io/fs"
	"path"
	"strings"

	"github.com/trestledb/trestle/ddbtest/internal/itemfile"
	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
	"github.com/trestledb/trestle/ddbtest/internal/tablefile"
)

// Content is what files contain, in the order of the files.
type Content struct {
	Tables []tablefile.Table
	Items  []Items
}

// Items are the items of a file or of an export.
type Items struct {
	File string
	// Table is the table that the caller names for the file, or "". Items with a table of their own
	// are for that one.
	Table string
	// Hints are names that may be that of the table, the most likely first.
	Hints []string
	List  []itemfile.Located
}

// Load reads files, and folders with all files below them in the order of their names. Files and
// folders that begin with a dot are left out. A name may begin with the table of its items and an
// equals sign. The error lists all faults.
func Load(files fs.FS, names []string, a tablefile.Account) (Content, error) {
	l := &loader{files: files, account: a, faults: new(jsonfile.Faults)}
	for _, name := range names {
		l.loadName(name)
	}
	l.content.Items = append(l.content.Items, l.last...)
	return l.content, l.faults.Err()
}

type loader struct {
	files   fs.FS
	account tablefile.Account
	table   string // that the caller names for the items, or ""
	root    string // the name that the caller gives
	faults  *jsonfile.Faults
	content Content
	last    []Items // of files with tables and items together
}

func (l *loader) loadName(name string) {
	l.table, l.root = "", name
	info, err := fs.Stat(l.files, name)
	if table, rest, found := strings.Cut(name, "="); err != nil && found && isTableName(table) {
		l.table, l.root = table, rest
		info, err = fs.Stat(l.files, rest)
	}
	switch {
	case err != nil:
		l.faults.AddFile(l.root, err)
	case info.IsDir():
		l.walk()
	default:
		l.loadFile(l.root)
	}
}

// isTableName reports whether DynamoDB allows the name for a table.
func isTableName(name string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
	return len(name) >= 3 && len(name) <= 255 && strings.Trim(name, allowed) == ""
}

func (l *loader) walk() {
	found := false
	err := fs.WalkDir(l.files, l.root, func(name string, d fs.DirEntry, err error) error {
		switch hidden := name != l.root && strings.HasPrefix(d.Name(), "."); {
		case err != nil:
			return err
		case d.IsDir() && hidden:
			return fs.SkipDir
		case hidden:
			return nil
		case d.IsDir():
			manifest := path.Join(name, itemfile.ManifestFiles)
			if _, err := fs.Stat(l.files, manifest); err != nil {
				return nil //nolint:nilerr // the folder is not an export
			}
			found = true
			l.loadExport(manifest)
			return fs.SkipDir
		}
		found = true
		l.loadFile(name)
		return nil
	})
	switch {
	case err != nil:
		l.faults.AddFile(l.root, err)
	case !found:
		l.faults.File = l.root
		l.faults.AddLine(0, "the folder has no files: expected %s", expected)
	}
}

// expected describes the formats of files.
const expected = tablefile.Expected + "; or " + itemfile.Expected + "; or tables and items together"

// loadFile reads a file by its content.
func (l *loader) loadFile(name string) {
	data, ok := jsonfile.Read(l.files, name, l.faults)
	if !ok {
		return
	}
	if itemfile.IsManifest(data) {
		l.loadExport(path.Join(path.Dir(name), itemfile.ManifestFiles))
		return
	}
	if cure := otherFormat(data); cure != "" {
		l.faults.AddLine(0, "%s", cure)
		return
	}
	values := jsonfile.Parse(data, l.faults)
	if len(values) == 0 {
		return // a fault
	}
	switch first := values[0]; {
	case isTogether(first):
		for _, v := range values {
			l.addTogether(name, v)
		}
	case !tablefile.Defines(first) && itemfile.Has(first), tablefile.Defines(first) && itemfile.IsItem(first):
		l.add(name, itemfile.Read(values, l.table, l.faults), "")
	case !tablefile.Defines(first):
		l.faults.Add(first, "this defines no table and has no items: expected %s", expected)
	case l.table != "":
		l.faults.Add(first, "this defines tables, and the table %q before the equals sign is for items: leave it out", l.table)
	default:
		l.content.Tables = append(l.content.Tables, tablefile.Read(values, l.account, l.faults)...)
	}
}

// otherFormat returns what to do with a file that is not JSON, or "".
func otherFormat(data []byte) string {
	if cure := itemfile.OtherFormat(data); cure != "" {
		return cure
	}
	cure := tablefile.OtherFormat(data)
	if cure == tablefile.NotJSON {
		cure += ": expected " + expected
	}
	return cure
}

func (l *loader) loadExport(manifest string) {
	items, table := itemfile.ReadExport(l.files, manifest, l.faults)
	l.add(path.Dir(manifest), items, table)
}

// add adds the items of a file. Its own hint comes before those of its path.
func (l *loader) add(name string, items []itemfile.Located, hint string) {
	var hints []string
	if hint != "" {
		hints = append(hints, hint)
	}
	for below := name; ; below = path.Dir(below) {
		for base := path.Base(below); base != ""; base = strings.TrimSuffix(base, path.Ext(base)) {
			hints = append(hints, base)
			if path.Ext(base) == "" {
				break
			}
		}
		if below == l.root || len(below) <= len(l.root) {
			break
		}
	}
	l.content.Items = append(l.content.Items, Items{File: name, Table: l.table, Hints: hints, List: items})
}

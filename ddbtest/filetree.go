package ddbtest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/fault"
	"github.com/trestledb/trestle/ddbtest/internal/filetree"
	"github.com/trestledb/trestle/ddbtest/internal/itemfile"
	"github.com/trestledb/trestle/ddbtest/internal/store"
)

// LoadFS creates tables and puts items from the files of a file system, such as
// os.DirFS("testdata") or an embed.FS. It takes the files of [DB.CreateTables] and [DB.LoadFile],
// and files with tables and items together, which the command ddbtest takes too:
//
//	{"tables": [{"TableName": "orders", …}], "items": {"orders": [{"id": {"S": "o1"}}]}}
//
// The content of each file tells which it is. A name is a file or a folder. Without names LoadFS
// loads all files. It returns the names of the created tables, and how many items it put.
//
// All tables come before all items. The items of files with tables and items together are last.
// Otherwise the order is that of the names, and in a folder that of the paths below it. An item
// replaces one of an earlier file with the same key. A folder with the manifest of an export to S3
// is that export. Files and folders whose names begin with a dot are left out.
//
// The table of an item is, in this order:
//
//   - the one that its name begins with, followed by an equals sign: "orders=export"
//   - the one that the file names, as the requests of batch-write-item and the reply of
//     batch-get-item do, or the summary of an export, if there is such a table
//   - the one that has the name of the file, with or without extensions, or of a folder that
//     contains it. Folders above the given name do not count.
//   - the only table of the database
//
// An invalid file fails the test with all faults of all files, each with its line and its path, but
// without values. Then nothing is loaded. Tables that DynamoDB rejects, and items that do not fit
// their table, fail the test as well; what was loaded before them remains.
func (db *DB) LoadFS(t TB, files fs.FS, names ...string) (tables []string, items int) {
	requireTest(t)
	t.Helper()
	if len(names) == 0 {
		names = []string{"."}
	}
	tables, items, notes, err := db.loadFS(files, names)
	if err != nil {
		t.Fatalf("ddbtest: load files: %v", err)
		return nil, 0
	}
	for _, note := range notes {
		t.Logf("ddbtest: load files: %s", note)
	}
	db.Settle()
	return tables, items
}

func (db *DB) loadFS(files fs.FS, names []string) (tables []string, items int, notes []string, err error) {
	content, err := filetree.Load(files, names, db.account())
	if err != nil {
		return nil, 0, nil, err
	}
	tables, notes, err = db.createAll(content.Tables)
	if err != nil {
		return nil, 0, nil, err
	}
	var errs []error
	for _, file := range content.Items {
		errs = append(errs, db.loadItems(file))
		items += len(file.List)
	}
	return tables, items, notes, errors.Join(errs...)
}

// loadItems puts the items of a file into their tables.
func (db *DB) loadItems(file filetree.Items) error {
	byTable := map[string][]itemfile.Located{}
	for _, item := range file.List {
		table := file.Table
		if table == "" {
			table = item.Table
		}
		byTable[table] = append(byTable[table], item)
	}
	var errs []error
	for _, named := range slices.Sorted(maps.Keys(byTable)) {
		table, err := db.tableOf(file, named)
		if err == nil {
			err = db.loadLocated(table, byTable[named])
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// tableOf returns the table of items of a file. It is the named one, if that is not "".
func (db *DB) tableOf(file filetree.Items, named string) (table string, err error) {
	err = db.data.Store.View(func(s *store.State) error {
		candidates := file.Hints
		if named != "" {
			candidates = []string{named}
		}
		for _, name := range candidates {
			if s.Tables[name] != nil {
				table = name
				return nil
			}
		}
		names := slices.Sorted(maps.Keys(s.Tables))
		switch {
		case named != "":
			return fmt.Errorf("%s: %w", file.File, fault.NoTable(s, named))
		case len(names) == 1:
			table = names[0]
			return nil
		default:
			return fmt.Errorf("%s: the file does not name the table of its items: write the table and an equals sign before its name, "+
				"or give the file the name of the table; the tables are %q", file.File, names)
		}
	})
	return table, err
}

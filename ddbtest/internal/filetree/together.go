package filetree

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/itemfile"
	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
	"github.com/trestledb/trestle/ddbtest/internal/tablefile"
)

// The members of a file with tables and items together. It is the format of the command ddbtest.
const (
	memberTables = "tables" // a list of requests of CreateTable
	memberItems  = "items"  // lists of items in DynamoDB JSON, by table
)

// isTogether reports whether a value has tables and items together. An item can have an attribute
// with the name of a member, and a table for which a batch write has requests can have that name.
func isTogether(v *jsonfile.Value) bool {
	if itemfile.HasAttribute(v) {
		return false
	}
	if tables := v.Get(memberTables); tables != nil && tables.Kind == jsonfile.Array {
		return !slices.ContainsFunc(tables.List, func(e *jsonfile.Value) bool { return e.Has("PutRequest") || e.Has("DeleteRequest") })
	}
	items := v.Get(memberItems)
	return items != nil && items.Kind == jsonfile.Object
}

// addTogether adds tables and items. The items come after those of all other formats.
func (l *loader) addTogether(name string, v *jsonfile.Value) {
	if l.table != "" {
		l.faults.Add(v, "the file names the tables of its items: leave out the table %q and the equals sign", l.table)
		return
	}
	for _, m := range v.List {
		switch m.Name {
		case memberTables:
			if l.faults.Need(m, jsonfile.Array) {
				l.content.Tables = append(l.content.Tables, tablefile.Read(m.List, l.account, l.faults)...)
			}
		case memberItems:
			if l.faults.Need(m, jsonfile.Object) {
				l.last = append(l.last, Items{File: name, List: itemfile.ReadTables(m, l.faults)})
			}
		default:
			l.faults.Add(m, "a file of tables and items together has the members %s and %s only", memberTables, memberItems)
		}
	}
}

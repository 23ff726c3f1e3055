package itemfile

import (
	"io/fs"
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// Located is an item with its position.
type Located struct {
	Item  Item
	Table string // the table that the file names for it, or ""
	Where string // the file, the line and the path
}

// reader reads the items for one table, or for all tables.
type reader struct {
	files    fs.FS
	table    string // the only table, or ""
	named    string // the table of what is read now, if the file names it
	exported string // the table of an export, if its summary names it
	faults   *jsonfile.Faults
	items    []Located
}

// readValues reads the values of one file, by their content.
func (r *reader) readValues(values []*jsonfile.Value) {
	for _, v := range values {
		r.readValue(v)
	}
}

// readValue reads a value, whose members tell its format.
func (r *reader) readValue(v *jsonfile.Value) {
	switch {
	case v.Kind == jsonfile.Array:
		for _, e := range v.List {
			r.readValue(e)
		}
	case v.Kind != jsonfile.Object:
		r.faults.Add(v, "this is %s, not an item or a file of items", v.Kind)
	case isReply(v, "Items", jsonfile.Array): // of scan, query or execute-statement
		for _, e := range v.Get("Items").List {
			r.add(e)
		}
		if v.Has("LastEvaluatedKey") || v.Has("NextToken") {
			r.faults.Add(v, "this is one page, and more items follow: run the command without a limit, or load all pages")
		}
	case isReply(v, "Item", jsonfile.Object): // of get-item, or a line of an export
		r.add(v.Get("Item"))
	case isReply(v, "Metadata", jsonfile.Object) && isReply(v, "Keys", jsonfile.Object):
		r.faults.Add(v, "this is an incremental export, which has changes and not items: use a full export")
	case isReply(v, "RequestItems", jsonfile.Object):
		r.readWrites(v.Get("RequestItems"))
	case isReply(v, "Responses", jsonfile.Object): // of batch-get-item
		r.readTables(v.Get("Responses"), func(e *jsonfile.Value) { r.add(e) })
	case isWrites(v):
		r.readWrites(v)
	default:
		r.add(v)
	}
}

// Expected describes the formats of items.
const Expected = "items in DynamoDB JSON, a reply of scan, query, get-item or batch-get-item, requests of batch-write-item, or an export to S3"

// Has reports whether a value, or the first element of an array, is an item or looks like one of
// the formats of items, even if it is damaged.
func Has(v *jsonfile.Value) bool {
	if list := v.Elements(); len(list) > 0 {
		return Has(list[0])
	}
	return HasAttribute(v) || v.Kind == jsonfile.Object && (isWrites(v) ||
		isReply(v, "Items", jsonfile.Array) || isReply(v, "Item", jsonfile.Object) ||
		isReply(v, "RequestItems", jsonfile.Object) || isReply(v, "Responses", jsonfile.Object))
}

// IsItem reports whether a value, or the first element of an array, is a valid item.
func IsItem(v *jsonfile.Value) bool {
	if list := v.Elements(); len(list) > 0 {
		return IsItem(list[0])
	}
	f := new(jsonfile.Faults)
	readItem(v, f)
	return f.Err() == nil
}

// isReply reports whether the value has a member of that kind, which is not an attribute of an
// item.
func isReply(v *jsonfile.Value, name string, kind jsonfile.Kind) bool {
	m := v.Get(name)
	return m != nil && m.Kind == kind && (!isAttribute(m) || name == "Item" && isOneAttribute(v, m))
}

// isOneAttribute reports whether an Item is an item with one attribute that has the name of a type,
// such as {"S": {"S": "text"}}, and not a map in an item that has other attributes.
func isOneAttribute(v, item *jsonfile.Value) bool {
	return isAttribute(item.List[0]) && !slices.ContainsFunc(v.List, func(m *jsonfile.Value) bool { return m != item && isAttribute(m) })
}

// isWrites reports whether the value is the requests of a batch write, by tables.
func isWrites(v *jsonfile.Value) bool {
	return len(v.List) > 0 && !slices.ContainsFunc(v.List, func(m *jsonfile.Value) bool {
		return m.Kind != jsonfile.Array || slices.ContainsFunc(m.List, func(e *jsonfile.Value) bool {
			return !e.Has("PutRequest") && !e.Has("DeleteRequest")
		})
	})
}

// readWrites reads the requests of a batch write.
func (r *reader) readWrites(tables *jsonfile.Value) {
	r.readTables(tables, func(e *jsonfile.Value) {
		switch item := e.Get("PutRequest").Get("Item"); {
		case item != nil:
			r.add(item)
		case e.Has("DeleteRequest"):
			r.faults.Add(e, "a DeleteRequest is not an item: remove it from the file")
		default:
			r.faults.Add(e, "this is not a PutRequest with an Item")
		}
	})
}

// readTables calls read for the elements of the reader's table, or of all tables.
func (r *reader) readTables(tables *jsonfile.Value, read func(*jsonfile.Value)) {
	if r.table == "" {
		for _, of := range tables.List {
			r.readTable(of, read)
		}
		return
	}
	of := tables.Get(r.table)
	if of == nil {
		names := make([]string, len(tables.List))
		for i, t := range tables.List {
			names[i] = t.Name
		}
		r.faults.Add(tables, "there is nothing for the table %q, but for %q: load each table with its name", r.table, names)
		return
	}
	r.readTable(of, read)
}

func (r *reader) readTable(of *jsonfile.Value, read func(*jsonfile.Value)) {
	if !r.faults.Need(of, jsonfile.Array) {
		return
	}
	r.named = of.Name
	for _, e := range of.List {
		read(e)
	}
	r.named = ""
}

// ReadTables reads lists of items by table.
func ReadTables(tables *jsonfile.Value, f *jsonfile.Faults) []Located {
	r := &reader{faults: f}
	r.readTables(tables, r.add)
	return r.items
}

func (r *reader) add(v *jsonfile.Value) {
	where := r.faults.Where(v)
	r.items = append(r.items, Located{Item: readItem(v, r.faults), Table: r.named, Where: where})
}

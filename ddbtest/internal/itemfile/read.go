package itemfile

import (
	"slices"

	"github.com/trestledb/trestle/ddbtest/internal/jsonfile"
)

// Located is an item with its position.
type Located struct {
	Item  Item
	Where string // the file, the line and the path
}

// reader reads the items for one table.
type reader struct {
	table  string
	faults *jsonfile.Faults
	items  []Located
}

// readFile reads the values of one file, by their content.
func (r *reader) readFile(data []byte) {
	for _, v := range jsonfile.Parse(data, r.faults) {
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

// isReply reports whether the value has a member of that kind, which is not an attribute of an
// item.
func isReply(v *jsonfile.Value, name string, kind jsonfile.Kind) bool {
	m := v.Get(name)
	return m != nil && m.Kind == kind && (!isAttribute(m) || name == "Item" && isAttribute(m.List[0]))
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

// readTables calls read for the elements of the reader's table.
func (r *reader) readTables(tables *jsonfile.Value, read func(*jsonfile.Value)) {
	of := tables.Get(r.table)
	if of == nil {
		names := make([]string, len(tables.List))
		for i, t := range tables.List {
			names[i] = t.Name
		}
		r.faults.Add(tables, "there is nothing for the table %q, but for %q: load each table with its name", r.table, names)
		return
	}
	if r.faults.Need(of, jsonfile.Array) {
		for _, e := range of.List {
			read(e)
		}
	}
}

func (r *reader) add(v *jsonfile.Value) {
	where := r.faults.Where(v)
	r.items = append(r.items, Located{readItem(v, r.faults), where})
}

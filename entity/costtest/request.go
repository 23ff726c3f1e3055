package costtest

import (
	"errors"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// The operations of the SDK, as they are named in messages.
const (
	getItem      = "GetItem"
	batchGetItem = "BatchGetItem"
	queryOp      = "Query"
	scanOp       = "Scan"
	putItem      = "PutItem"
	updateItem   = "UpdateItem"
	deleteItem   = "DeleteItem"
)

// request is one that was sent, with what was measured of it.
type request struct {
	op, table, index string
	units            float64
	failed           bool // the service does not say what it consumed

	strong       bool    // of a query or a scan
	query        essence // of a query
	items, bytes int     // of a query or a scan: what it read, before any filter

	targets       []target // of a request by key; several of a batch
	before, after item     // of a write: the item; nil: there is none
	indexes       []index  // of a write: those of its table
}

// target is an item that a request is about.
type target struct {
	table  string
	key    item
	strong bool
	size   int // bytes; 0: there is no such item
}

// is reports whether two requests mean the same item, read equally consistent.
func (t target) is(other target) bool {
	return t.table == other.table && t.strong == other.strong && reflect.DeepEqual(t.key, other.key)
}

// pass notes what a query or a scan read, from the same read without its filter.
func (r *request) pass(whole []item, scanned int32) error {
	if len(whole) != int(scanned) {
		return errors.New("costtest: items were written while a read of them was measured")
	}
	r.items = len(whole)
	for _, it := range whole {
		r.bytes += codec.ItemSize(it)
	}
	return nil
}

func (r *request) String() string {
	text := r.op
	if r.table != "" {
		text += " on " + r.table
	}
	if r.index != "" {
		text += "/" + r.index
	}
	return text
}

package costtest

import (
	"errors"
	"reflect"

	"github.com/trestledb/trestle/internal/codec"
)

// The operations of the SDK, as messages name them.
const (
	getItem      = "GetItem"
	batchGetItem = "BatchGetItem"
	queryOp      = "Query"
	scanOp       = "Scan"
	putItem      = "PutItem"
	updateItem   = "UpdateItem"
	deleteItem   = "DeleteItem"

	batchWriteItem = "BatchWriteItem"

	transactGetItems   = "TransactGetItems"
	transactWriteItems = "TransactWriteItems"
	checkItem          = "ConditionCheck" // an action of a transaction
)

// request is a sent request with its measurements.
type request struct {
	op, table, index string
	units            float64
	failed           bool // the service did not report the capacity

	strong       bool      // of a query or a scan
	query        selection // of a query
	items, bytes int       // of a query or a scan: before the filter
	entries      []item    // of a query or a scan: what it read

	targets       []target // of a request by key; several for a batch
	before, after item     // of a write: the item; nil: no item
	indexes       []index  // of a write: the indexes of its table

	actions []*request // of a transaction or a batch that writes: its writes and condition checks
}

// target is an item of a request.
type target struct {
	table  string
	key    item
	strong bool
	size   int // in bytes; 0: no item
}

// equal reports whether two targets are the same item with the same consistency.
func (t target) equal(other target) bool {
	return t.table == other.table && t.strong == other.strong && reflect.DeepEqual(t.key, other.key)
}

// none reports whether there is no target.
func (t target) none() bool { return t.key == nil }

// addItems records the items that a query or a scan read, from the same read without its filter.
func (r *request) addItems(whole []item, scanned int32) error {
	if len(whole) != int(scanned) {
		return errors.New("costtest: items were written while a read of them was measured")
	}
	r.items, r.entries = len(whole), whole
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

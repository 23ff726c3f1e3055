package fetch

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
)

// KeyRequest is an item that a batch read wants, by its key.
type KeyRequest struct {
	Table  string
	Schema *core.Schema
	Key    op.Item // nil: the key is JSON
	Strong bool
	// Elsewhere are further keys under which the item may be. All keys are read.
	Elsewhere []op.Item

	json []byte
	row  core.Row // of json
}

// SetRendered sets the keys of the requests that have none, which are those of the list in order.
func SetRendered(requests []KeyRequest, list *core.KeyList) {
	rows, n := list.Rows(), 0
	for i := range requests {
		if k := &requests[i]; k.Key == nil && n < rows.Len() {
			k.json, k.row = list.JSON(n), rows.At(n)
			n++
		}
	}
}

// keyRow returns the key as a row.
func (k *KeyRequest) keyRow() core.Row {
	if k.Key == nil {
		return k.row
	}
	return core.NewRow(k.Key)
}

// key returns the key as an attribute map.
func (k *KeyRequest) key() op.Item { return k.keyRow().Item() }

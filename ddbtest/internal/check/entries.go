package check

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// EntriesSize rejects an item to put that, together with its entries in the local secondary indexes
// of the table, exceeds the size limit of an item.
func EntriesSize(t *store.Table, item value.Map) error {
	return entriesSize(t, item, "Item size has exceeded the maximum allowed size")
}

// UpdatedEntriesSize is [EntriesSize] for the result of an update.
func UpdatedEntriesSize(t *store.Table, item value.Map) error {
	return entriesSize(t, item, "Item size to update has exceeded the maximum allowed size")
}

func entriesSize(t *store.Table, item value.Map, tooLarge string) error {
	size := item.Size()
	if size*(1+len(t.Indexes)) <= MaxItem {
		return nil // most items, whatever the indexes project
	}
	for _, ix := range t.Indexes {
		if ix.Local {
			size += ix.EntrySize(item)
		}
	}
	if size > MaxItem {
		return awserr.Validation("%s", tooLarge)
	}
	return nil
}

package check

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// EntriesSize refuses an item to be put that is too large together with its entries in the table's local indexes, which share its limit.
func EntriesSize(t *store.Table, item value.Map) error {
	return entriesSize(t, item, "Item size has exceeded the maximum allowed size")
}

// UpdatedEntriesSize is [EntriesSize] of an item that an update made.
func UpdatedEntriesSize(t *store.Table, item value.Map) error {
	return entriesSize(t, item, "Item size to update has exceeded the maximum allowed size")
}

func entriesSize(t *store.Table, item value.Map, tooLarge string) error {
	size := item.Size()
	if size*(1+len(t.Indexes)) <= MaxItem {
		return nil // as most are, whatever the indexes project
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

package check

import (
	"github.com/trestledb/trestle/ddbtest/internal/awserr"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Limits of an item, in bytes.
const (
	MaxItem = 400 << 10 // names and values
	MaxName = 65535     // one attribute name, at any depth
)

// Size rejects an item to put that is too large, or that has an attribute name that is too long.
func Size(item value.Map) error {
	return checkSize(item, errTooLarge)
}

func errTooLarge() error { return awserr.Validation("Item size has exceeded the maximum allowed size") }

// UpdatedSize is [Size] for the result of an update.
func UpdatedSize(item value.Map) error {
	return checkSize(item, errUpdatedTooLarge)
}

func errUpdatedTooLarge() error {
	return awserr.Validation("Item size to update has exceeded the maximum allowed size")
}

func checkSize(item value.Map, tooLarge func() error) error {
	size := item.Size()
	if size > MaxName && hasLongName(item) {
		return awserr.Validation("Attribute name is too large, must be less than 65536 bytes")
	}
	if size > MaxItem {
		return tooLarge()
	}
	return nil
}

func hasLongName(v value.Value) bool {
	switch v := v.(type) {
	case value.List:
		for _, element := range v {
			if hasLongName(element) {
				return true
			}
		}
	case value.Map:
		for _, a := range v {
			if len(a.Name) > MaxName || hasLongName(a.Value) {
				return true
			}
		}
	}
	return false
}

// UpdateCharge rejects an update whose charge exceeds the size limit of an item. No item is read
// before.
func UpdateCharge(bytes int) error {
	if bytes > MaxItem {
		return errUpdatedTooLarge()
	}
	return nil
}

// EntriesSize rejects an item to put that, together with its entries in the local secondary indexes
// of the table, exceeds the size limit of an item.
func EntriesSize(t *store.Table, item value.Map) error {
	return checkEntriesSize(t, item, "Item size has exceeded the maximum allowed size")
}

// UpdatedEntriesSize is [EntriesSize] for the result of an update.
func UpdatedEntriesSize(t *store.Table, item value.Map) error {
	return checkEntriesSize(t, item, "Item size to update has exceeded the maximum allowed size")
}

func checkEntriesSize(t *store.Table, item value.Map, tooLarge string) error {
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

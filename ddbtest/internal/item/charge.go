package item

import (
	"bytes"

	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Charge notes what the write costs: the larger of the item before and after it in the table, and in each index what changes there. A
// transaction doubles the table's part only: indexes are brought up to date after it, by ordinary writes.
func (a *Action) Charge(c *engine.Call, transactional bool) {
	old, item := a.old, a.new
	c.Meter.Add(capacity.Use{
		Table: a.table.Name, Partition: string(a.table.Key.PartitionPlace(a.item)),
		Write: capacity.WriteUnits(size(old), size(item), transactional),
	})
	if a.kind == CheckKind {
		return
	}
	for _, ix := range a.table.Indexes {
		if use := indexUse(ix, old, item); use.Write > 0 {
			use.Table = a.table.Name
			c.Meter.Add(use)
		}
	}
}

func size(item value.Map) int {
	if item == nil {
		return 0
	}
	return item.Size()
}

func indexUse(ix *store.Index, old, item value.Map) capacity.Use {
	was, is := ix.Holds(old), ix.Holds(item)
	use := capacity.Use{Index: ix.Name, Local: ix.Local}
	switch {
	case is:
		use.Partition = string(ix.Key.PartitionPlace(item))
	case was:
		use.Partition = string(ix.Key.PartitionPlace(old))
	default:
		return use
	}
	moved := was && is && !bytes.Equal(ix.Key.Place(old), ix.Key.Place(item))
	changed := was && is && !value.Equal(ix.Project(old), ix.Project(item))
	use.Write = capacity.IndexWriteUnits(ix.EntrySize(old), ix.EntrySize(item), moved, changed)
	return use
}

// ChargeRead notes what the read of one item costs; nil is a miss.
func ChargeRead(c *engine.Call, t *store.Table, key, item value.Map, consistent, transactional bool) {
	c.Meter.Add(capacity.Use{
		Table: t.Name, Partition: string(t.Key.PartitionPlace(key)),
		Read: capacity.ReadUnits(size(item), consistent, transactional),
	})
}

package item

import (
	"github.com/trestledb/trestle/ddbtest/internal/capacity"
	"github.com/trestledb/trestle/ddbtest/internal/engine"
	"github.com/trestledb/trestle/ddbtest/internal/store"
	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// Charge records the units of the write. The larger of the old and the new item counts in the
// table. An index is charged if its entry changes. A transaction doubles the units of the table
// only: the indexes are updated after it, by ordinary writes.
func (a *Action) Charge(c *engine.Call, transactional bool) {
	old, item := a.old, a.new
	c.Meter.Add(capacity.Use{
		Table: a.table.Name, Partition: a.table.Key.PartitionPlace(a.item),
		Write: capacity.WriteUnits(old.Size(), item.Size(), transactional),
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

func indexUse(ix *store.Index, old, item value.Map) capacity.Use {
	was, is := ix.Holds(old), ix.Holds(item)
	use := capacity.Use{Index: ix.Name, Local: ix.Local}
	switch {
	case is:
		use.Partition = ix.Key.PartitionPlace(item)
	case was:
		use.Partition = ix.Key.PartitionPlace(old)
	default:
		return use
	}
	moved := was && is && ix.Key.Place(old) != ix.Key.Place(item)
	changed := was && is && !value.Equal(ix.Project(old), ix.Project(item))
	use.Write = capacity.IndexWriteUnits(ix.EntrySize(old), ix.EntrySize(item), moved, changed)
	return use
}

// ChargeRead records the units of the read of one item; nil is a miss. Partition is its
// [store.KeySchema.PartitionPlace].
func ChargeRead(c *engine.Call, t *store.Table, partition string, item value.Map, consistent, transactional bool) {
	c.Meter.Add(capacity.Use{
		Table: t.Name, Partition: partition,
		Read: capacity.ReadUnits(item.Size(), consistent, transactional),
	})
}

// Package explain describes what a planned operation would do and estimates its cost, before
// anything is sent. It does no I/O, and its explanations contain no values of items.
package explain

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Read explains a query or a scan.
func Read(p *read.Plan, table string, b Bounds, a trestle.Assumption) trestle.Explanation {
	if p.Scans() {
		b.Wanted, b.Segments = 0, p.Segments
	}
	e := trestle.Explanation{
		Operation: p.Name, Table: table, Access: p.Access, Index: indexName(p.Index), Strong: p.Strong, Descending: p.Desc, Bounds: b.String(),
		Expired: expiredOf(p),
	}
	if p.Entity != nil && !p.AllTypes {
		e.Entity = p.Entity.Name
	}
	part := p.Partition(0)
	for i := 1; i < p.Streams() && part.Empty; i++ {
		part = p.Partition(i)
	}
	e.Filter = filterText(p.Schema, p.Filter, part.Names, part.Values)
	dropsItems, items := true, DefaultItems
	if p.Scans() {
		e.Key = "every item there is"
	} else {
		e.Key, e.Projection = conditionText(p, part), wording{schema: p.Schema, names: part.Names}.of(p.Projection)
		dropsItems, items = p.Filtered || p.Shared, b.items(p.Filtered)
	}
	if !p.Scans() && isOne(p) {
		items = 1
	}
	if !p.Scans() {
		e.Partitions, b.Segments, b.Shards = partitionsText(p, b), p.Streams(), p.Shards
	}
	if p.Counts {
		e.Projection = "none: the service counts"
	}
	e.Assumed = withDefaults(a, items)
	if p.Empty() {
		e.Key, e.Assumed.Items = "no key can match, and nothing is sent", 0
		return e
	}
	rows := e.Assumed // the items, or the entries of the index
	if p.Fetch != nil {
		b, rows.ItemSize = b.ofEntries(p.Fetch, e.Assumed, p.Strong), rows.EntrySize
	}
	e.Assumed.Items = b.passed(rows, p.Strong, dropsItems)
	rows.Items = e.Assumed.Items
	e.Units.Read = b.readUnits(rows, p.Strong)
	if p.Fetch != nil {
		addFetch(&e, p)
	}
	return e
}

func indexName(x *core.Index) string {
	if x == nil {
		return ""
	}
	return x.Name
}

// Get explains a read of one item. hides reports whether it drops an expired item.
func Get(act *op.Action, table string, hides bool, a trestle.Assumption) trestle.Explanation {
	a.Items = 1
	e := trestle.Explanation{
		Operation: "get", Entity: act.Plan.Name, Table: table, Key: act.Plan.Table.Condition(), Projection: wordingOf(act).of(act.Projection),
		Strong: act.Strong, Assumed: withDefaults(a, 1), Expired: expiredByKey(hides),
	}
	e.Units.Read = unitsOf(readSteps(e.Assumed.ItemSize), act.Strong)
	return e
}

// Batch is a read of many items by their keys.
type Batch struct {
	Plan          *core.Plan // nil: several types
	Table         string
	Items, Strong int // distinct items, and how many of them are read strongly consistently
	Projection    string
	Names         map[string]string
	HidesExpired  bool // it drops expired items
}

// Many explains a batch read. DynamoDB rounds up the cost of each item separately.
func Many(b Batch, a trestle.Assumption) trestle.Explanation {
	a = withDefaults(a, b.Items)
	a.Items = b.Items
	e := trestle.Explanation{Operation: "get many", Table: b.Table, Key: "each item's", Strong: b.Strong > 0 && b.Strong == b.Items, Assumed: a, Expired: expiredByKey(b.HidesExpired)}
	if p := b.Plan; p != nil {
		e.Entity, e.Key, e.Projection = p.Name, p.Table.Condition(), wording{schema: p.Schema, names: b.Names}.of(b.Projection)
	}
	each := readSteps(a.ItemSize)
	e.Units.Read = unitsOf(each*float64(b.Strong), true) + unitsOf(each*float64(b.Items-b.Strong), false)
	return e
}

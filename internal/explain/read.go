package explain

import (
	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Query returns the report of a query.
func Query(p *read.Plan, table string, b Bounds, a Assumption) Report {
	r := Report{
		Operation: p.Name, Entity: p.Entity.Name, Table: table, Access: p.Access, Index: indexName(p.Index),
		Strong: p.Strong, Descending: p.Desc, Bounds: b.String(),
	}
	if p.AllTypes {
		r.Entity = ""
	}
	sifts := p.Filtered || p.Shared
	items := b.items(p.Filtered)
	if one(p) {
		items = 1
	}
	r.Assumed = a.orDefault(items)
	empty := true
	for i := range p.Parts() {
		part := p.Part(i)
		r.Key, r.Projection = conditionText(p, part), wording{schema: p.Entity.Schema, names: part.Names}.of(p.Projection)
		r.Filter = filterText(p.Entity.Schema, p.Filter, part.Names, part.Values)
		if !part.Empty {
			empty = false
			break
		}
	}
	if p.Counts {
		r.Projection = "none: the service counts"
	}
	if empty {
		r.Key, r.Assumed.Items = "no key can match, and nothing is sent", 0
		return r
	}
	r.Assumed.Items = b.passed(r.Assumed, p.Strong, sifts)
	r.Units.Read = b.readUnits(r.Assumed, p.Strong)
	return r
}

// Scan returns the report of a scan.
func Scan(p *read.ScanPlan, table string, b Bounds, a Assumption) Report {
	b.Wanted = 0
	r := Report{
		Operation: "scan", Table: table, Access: p.Access, Index: indexName(p.Index), Key: "every item there is",
		Filter: filterText(p.Schema, p.Filter, p.Names, p.Values), Strong: p.Strong, Assumed: a.orDefault(DefaultItems),
		Bounds: b.String(),
	}
	r.Assumed.Items = b.passed(r.Assumed, p.Strong, true)
	if p.Entity != nil {
		r.Entity = p.Entity.Name
	}
	r.Units.Read = b.readUnits(r.Assumed, p.Strong)
	return r
}

func indexName(x *core.Index) string {
	if x == nil {
		return ""
	}
	return x.Name
}

// Get returns the report of a read of one item.
func Get(act *op.Action, table string, a Assumption) Report {
	a.Items = 1
	r := Report{
		Operation: "get", Entity: act.Plan.Name, Table: table, Key: keyText(act.Plan), Projection: wordingOf(act).of(act.Projection),
		Strong: act.Strong, Assumed: a.orDefault(1),
	}
	r.Units.Read = unitsOf(readSteps(r.Assumed.ItemSize), act.Strong)
	return r
}

// Batch is a read of many items by their keys.
type Batch struct {
	Plan          *core.Plan // nil: several types
	Table         string
	Items, Strong int // distinct items, and how many of them are read strongly consistently
	Projection    string
	Names         map[string]string
}

// Many returns the report of a batch read. DynamoDB rounds up the cost of each item separately.
func Many(b Batch, a Assumption) Report {
	a = a.orDefault(b.Items)
	a.Items = b.Items
	r := Report{Operation: "get many", Table: b.Table, Key: "each item's", Strong: b.Strong > 0 && b.Strong == b.Items, Assumed: a}
	if p := b.Plan; p != nil {
		r.Entity, r.Key, r.Projection = p.Name, keyText(p), wording{schema: p.Schema, names: b.Names}.of(b.Projection)
	}
	each := readSteps(a.ItemSize)
	r.Units.Read = unitsOf(each*float64(b.Strong), true) + unitsOf(each*float64(b.Items-b.Strong), false)
	return r
}

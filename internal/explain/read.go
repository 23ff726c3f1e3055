package explain

import (
	"strings"

	"github.com/trestledb/trestle/internal/core"
	"github.com/trestledb/trestle/internal/op"
	"github.com/trestledb/trestle/internal/read"
)

// Query explains a query that passes so many items, unless more is assumed.
func Query(p *read.Plan, table string, items int, a Assumption) Report {
	r := Report{
		Operation: p.Name, Entity: p.Entity.Name, Table: table, Access: p.Access, Index: indexName(p.Index),
		Strong: p.Strong, Descending: p.Desc, Assumed: a.orDefault(items),
	}
	if p.Mixed {
		r.Entity = ""
	}
	if len(p.Partitions) > 0 {
		part := p.Partitions[0]
		r.Key, r.Filter = plain(part.KeyCondition, part.Names), plain(p.Filter, part.Names)
		r.Projection = plain(p.Projection, part.Names)
		if part.Empty {
			r.Key, r.Assumed.Items = "none: no key can match, and nothing is sent", 0
		}
	}
	if p.Counts {
		r.Projection = "none: the service counts"
	}
	r.Units.Read = readUnits(r.Assumed, p.Strong)
	return r
}

// Scan explains a scan.
func Scan(p *read.ScanPlan, table string, a Assumption) Report {
	r := Report{
		Operation: "scan", Table: table, Access: p.Access, Index: indexName(p.Index), Key: "every item there is",
		Filter: plain(p.Filter, p.Names), Strong: p.Strong, Assumed: a.orDefault(DefaultItems),
	}
	if p.Entity != nil {
		r.Entity = p.Entity.Name
	}
	r.Units.Read = readUnits(r.Assumed, p.Strong)
	return r
}

func indexName(x *core.Index) string {
	if x == nil {
		return ""
	}
	return x.Name
}

// pageSize is what one request passes.
const pageSize = 1 << 20

// readUnits is what items cost: half a unit for each 4 KB begun of what a request passes, twice that strongly consistent.
func readUnits(a Assumption, strong bool) float64 {
	units := 0.0
	for left := a.Items * a.ItemSize; left > 0; left -= pageSize {
		units += float64(steps(min(left, pageSize), 4096)) / 2
	}
	if a.Items > 0 && units == 0 || a.Items == 0 {
		units = 0.5
	}
	if strong {
		units *= 2
	}
	return units
}

// Get explains the read of one item.
func Get(act *op.Action, table string, a Assumption) Report {
	a.Items = 1
	r := Report{
		Operation: "get", Entity: act.Plan.Name, Table: table, Key: keyText(act.Plan), Projection: plain(act.Projection, act.Names),
		Strong: act.Strong, Assumed: a.orDefault(1),
	}
	r.Units.Read = readUnits(r.Assumed, act.Strong)
	return r
}

// keyText is the table's key of a type by its templates.
func keyText(p *core.Plan) string {
	var parts []string
	for a := range p.Table.Sides() {
		parts = append(parts, a.Name+" = "+a.Template.String())
	}
	return strings.Join(parts, " AND ")
}

func steps(n, size int) int { return (n + size - 1) / size }

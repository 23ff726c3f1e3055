package explain

import (
	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/read"
)

// addFetch adds how a query reads the items of the entries, and what that costs. a.Items is the
// number of the entries.
func addFetch(e *trestle.Explanation, p *read.Plan) {
	f := p.Fetch
	e.Fetch = "the items of the entries, by their keys, eventually consistent"
	if f.Strong {
		e.Fetch = "the items of the entries, by their keys, strongly consistent"
	}
	e.FetchFilter = filterText(p.Schema, f.Filter, f.FilterNames, f.FilterValues)
	e.Projection = wording{schema: p.Schema, names: f.Names}.of(f.Projection)
	e.FetchUnits.Read = fetchUnits(f, e.Assumed.Items, e.Assumed.ItemSize)
	e.Units.Read += e.FetchUnits.Read
}

// fetchUnits returns the cost of a number of items of a size. DynamoDB rounds up the cost of each
// item separately.
func fetchUnits(f *read.Fetch, items, size int) float64 {
	return float64(items) * unitsOf(readSteps(size), f.Strong)
}

// ofEntries returns the bounds of the requests of the index, for entries and items of the assumed
// sizes: the budgets without their share for the fetched items.
func (b Bounds) ofEntries(f *read.Fetch, a trestle.Assumption, strong bool) Bounds {
	if f == nil {
		return b
	}
	if b.PageSize == 0 {
		b.PageSize = read.FetchPage
	}
	page := b.page(a.EntrySize)
	if b.Requests > 0 {
		b.Requests = max(1, b.Requests/(1+steps(page, read.FetchPage)))
	}
	entries := unitsOf(readSteps(page*a.EntrySize), strong)
	b.Units *= entries / (entries + fetchUnits(f, page, a.ItemSize))
	return b
}

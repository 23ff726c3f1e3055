package explain

import (
	"math"
	"strconv"
	"strings"

	"github.com/trestledb/trestle"
	"github.com/trestledb/trestle/internal/read"
)

// Bounds describe how a read of many items is split into requests, and where it ends.
type Bounds struct {
	Wanted   int     // maximum number of results; 0: all
	PageSize int     // maximum number of items that one request reads; 0: a full page
	Segments int     // segments of a scan, or partitions of a query; 0: one
	Shards   int     // partitions that a query merges; 0: none
	AtOnce   int     // periods that a query reads at the same time; 0: one
	Requests int     // a budget; 0: none
	Units    float64 // a budget in read capacity units; 0: none
}

// String lists the bounds with the names of the methods that set them. It is empty without bounds.
func (b Bounds) String() string {
	var parts []string
	add := func(method, bound string) {
		if bound != "0" {
			parts = append(parts, method+" "+bound)
		}
	}
	add("Limit", strconv.Itoa(b.Wanted))
	add("PageSize", strconv.Itoa(b.PageSize))
	add("MaxRequests", strconv.Itoa(b.Requests))
	add("MaxUnits", strconv.FormatFloat(b.Units, 'f', -1, 64))
	return strings.Join(parts, ", ")
}

// items returns the number of items to assume for a read. If sifts is set, the read also drops
// items, and reads an unknown number more than are wanted.
func (b Bounds) items(sifts bool) int {
	switch {
	case b.Wanted > 0 && !sifts:
		return b.Wanted
	case b.PageSize > 0 && b.Wanted == 0 && b.Requests == 0:
		return b.PageSize
	case b.PageSize > 0 && b.Wanted == 0:
		return int(min(float64(b.PageSize)*float64(b.Requests), math.MaxInt32))
	}
	return max(DefaultItems, b.Wanted)
}

// pageBytes is the size of a full page.
const pageBytes = 1 << 20

// page returns the number of items of a size that one request reads.
func (b Bounds) page(size int) int {
	page := max(1, steps(pageBytes, size))
	if b.PageSize > 0 {
		page = min(page, b.PageSize)
	}
	return page
}

// passed returns how many of the assumed items are read before a bound ends the read.
func (b Bounds) passed(a trestle.Assumption, strong, sifts bool) int {
	items := a.Items
	if b.Wanted > 0 && !sifts {
		items = min(items, b.wantedOfAll())
	}
	page := b.page(a.ItemSize)
	requests := math.Inf(1)
	if b.Requests > 0 {
		requests = float64(b.Requests)
	}
	if b.Units > 0 {
		requests = min(requests, math.Ceil(b.Units/unitsOf(readSteps(page*a.ItemSize), strong)))
	}
	if most := requests * float64(page); most < float64(items) {
		items = int(most)
	}
	return items
}

// wantedOfAll returns how many items a read with a limit reads if they are equally distributed. A
// query that merges shards reads more of each shard than its share.
func (b Bounds) wantedOfAll() int {
	if b.Shards <= 1 {
		return b.Wanted
	}
	return b.Shards * min(b.Wanted, b.Wanted/b.Shards+read.SmallestPage)
}

// readUnits returns the cost of a read: half a unit for each started 4 KB of the items that a
// request reads, at least half a unit per request, and twice as much if strongly consistent.
func (b Bounds) readUnits(a trestle.Assumption, strong bool) float64 {
	page := b.page(a.ItemSize)
	sum := 0.0
	segments := max(1, b.Segments)
	for i := range segments {
		items := a.Items / segments
		if i < a.Items%segments {
			items++
		}
		sum += float64(items/page) * readSteps(page*a.ItemSize)
		if rest := items % page; rest > 0 || items == 0 {
			sum += readSteps(rest * a.ItemSize)
		}
	}
	return unitsOf(sum, strong)
}

// The default sizes of an assumption.
const (
	DefaultItems    = 100
	DefaultItemSize = 1024
)

// withDefaults replaces the zero fields of an assumption.
func withDefaults(a trestle.Assumption, items int) trestle.Assumption {
	if a.Items <= 0 {
		a.Items = items
	}
	if a.ItemSize <= 0 {
		a.ItemSize = DefaultItemSize
	}
	if a.EntrySize <= 0 {
		a.EntrySize = min(a.ItemSize, DefaultItemSize)
	}
	a.Exact = false
	return a
}

// unitsOf returns the read units for a number of started 4 KB.
func unitsOf(steps float64, strong bool) float64 {
	if strong {
		return steps
	}
	return steps / 2
}

// readSteps returns the number of started 4 KB, at least 1.
func readSteps(size int) float64 { return float64(max(1, steps(size, 4096))) }

// writeUnits returns one unit for each started KB, at least 1.
func writeUnits(size int) float64 { return float64(max(1, steps(size, 1024))) }

// steps returns size divided by step, rounded up.
func steps(size, step int) int { return size/step + min(1, size%step) }

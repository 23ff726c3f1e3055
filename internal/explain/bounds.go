package explain

import (
	"math"
	"strconv"
	"strings"
)

// Bounds are how a read of many items is cut into requests, and where it ends.
type Bounds struct {
	Wanted   int     // items; 0: all there are
	PageSize int     // items that one request passes at the most; 0: what a page holds
	Segments int     // parts of a scan that are read by themselves; 0: one
	Requests int     // budgets; 0: none
	Units    float64 // read capacity units
}

// String is the bounds by the methods that set them; empty where there are none.
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
	add("MaxUnits", number(b.Units))
	return strings.Join(parts, ", ")
}

// items is how many items a read passes that says no more of itself. What sifts items reads more of them than are wanted, nobody knows how many.
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

// pageBytes is what fills a page.
const pageBytes = 1 << 20

// page is how many items of a size one request passes.
func (b Bounds) page(size int) int {
	page := max(1, steps(pageBytes, size))
	if b.PageSize > 0 {
		page = min(page, b.PageSize)
	}
	return page
}

// passed is how many of so many items are read before a bound ends it.
func (b Bounds) passed(a Assumption, strong, sifts bool) int {
	items := a.Items
	if b.Wanted > 0 && !sifts {
		items = min(items, b.Wanted)
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

// readUnits is what a read costs: half a unit for each 4 KB begun of what a request passes, at least one such, and twice that strongly consistent.
func (b Bounds) readUnits(a Assumption, strong bool) float64 {
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

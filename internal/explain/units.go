package explain

// Assumption is what an estimate of units rests on.
type Assumption struct {
	Items     int  // that a read passes
	ItemSize  int  // bytes of each
	EntrySize int  // bytes of a write's entry on an index that does not hold everything
	Exact     bool // the item itself was at hand
}

// The sizes that are assumed where nothing is said.
const (
	DefaultItems    = 100
	DefaultItemSize = 1024
)

func (a Assumption) orDefault(items int) Assumption {
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

// Bounds are how a read of many items is cut into requests.
type Bounds struct {
	Wanted   int // items; 0: all there are
	PageSize int // items that one request passes at the most; 0: what a page holds
	Segments int // parts of a scan that are read by themselves; 0: one
}

// items is how many items a read passes that says no more of itself. What sifts items reads more of them than are wanted, nobody knows how many.
func (b Bounds) items(sifts bool) int {
	switch {
	case b.Wanted > 0 && !sifts:
		return b.Wanted
	case b.PageSize > 0 && b.Wanted == 0:
		return b.PageSize
	}
	return max(DefaultItems, b.Wanted)
}

// pageBytes is what fills a page.
const pageBytes = 1 << 20

// readUnits is what a read costs: half a unit for each 4 KB begun of what a request passes, at least one such, and twice that strongly consistent.
func (b Bounds) readUnits(a Assumption, strong bool) float64 {
	page := max(1, steps(pageBytes, a.ItemSize))
	if b.PageSize > 0 {
		page = min(page, b.PageSize)
	}
	sum := 0
	segments := max(1, b.Segments)
	for i := range segments {
		items := (a.Items + i) / segments
		sum += items / page * readSteps(page*a.ItemSize)
		if rest := items % page; rest > 0 || items == 0 {
			sum += readSteps(rest * a.ItemSize)
		}
	}
	return unitsOf(sum, strong)
}

// readSteps is the number of 4 KB begun, of which a request pays for one at least.
func readSteps(size int) int { return max(1, steps(size, 4096)) }

// unitsOf is what so many steps of 4 KB cost.
func unitsOf(steps int, strong bool) float64 {
	if strong {
		return float64(steps)
	}
	return float64(steps) / 2
}

// writeUnits is one unit for each KB begun.
func writeUnits(size int) float64 { return float64(max(1, steps(size, 1024))) }

// steps is size in units of step, the last of them begun.
func steps(size, step int) int { return (size + step - 1) / step }

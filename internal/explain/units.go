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

// unitsOf is what so many steps of 4 KB cost.
func unitsOf(steps float64, strong bool) float64 {
	if strong {
		return steps
	}
	return steps / 2
}

// readSteps is the number of 4 KB begun, of which a request pays for one at least.
func readSteps(size int) float64 { return float64(max(1, steps(size, 4096))) }

// writeUnits is one unit for each KB begun.
func writeUnits(size int) float64 { return float64(max(1, steps(size, 1024))) }

// steps is size in units of step, the last of them begun.
func steps(size, step int) int { return size/step + min(1, size%step) }

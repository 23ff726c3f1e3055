package explain

import "github.com/trestledb/trestle"

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

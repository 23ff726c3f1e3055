// Package capacity counts what operations cost, in the service's units.
package capacity

// The steps in which sizes are charged.
const (
	readStep  = 4096
	writeStep = 1024
)

// ReadUnits is what one read of so many bytes costs: of an item, or of a page, which is one read of all that it evaluates, before filter and
// projection. A read that finds nothing costs what the smallest one does. A transactional read is strong, and costs twice as much as one that is
// only that.
func ReadUnits(bytes int, strong, transactional bool) float64 {
	units := steps(bytes, readStep)
	switch {
	case transactional:
		return 2 * units
	case strong:
		return units
	default:
		return units / 2
	}
}

// WriteUnits is what it costs to replace an item of oldBytes by one of newBytes, where 0 is no item: the larger of the two counts, whatever changes
// between them. A write that neither finds nor leaves an item costs what the smallest does. A transaction's check of a condition is charged as a
// write of what it looks at.
func WriteUnits(oldBytes, newBytes int, transactional bool) float64 {
	units := steps(max(oldBytes, newBytes), writeStep)
	if transactional {
		return 2 * units
	}
	return units
}

// IndexWriteUnits is what that write costs in an index, whose entries have those bytes, where 0 is no entry: the attributes of both keys and the
// projected ones, as in an item, and nothing on top. An entry whose key changes is deleted and put, each for itself; one whose other attributes
// change is replaced; one that stays as it is costs nothing. Local and global indexes cost the same, and a transaction does not make them dearer.
func IndexWriteUnits(oldBytes, newBytes int, keyChanged, projectedChanged bool) float64 {
	stays := oldBytes > 0 && newBytes > 0
	switch {
	case oldBytes == 0 && newBytes == 0:
		return 0
	case stays && keyChanged:
		return steps(oldBytes, writeStep) + steps(newBytes, writeStep)
	case stays && !projectedChanged:
		return 0
	default:
		return steps(max(oldBytes, newBytes), writeStep)
	}
}

// steps is how many steps of a size the bytes begin, and at least one.
func steps(bytes, size int) float64 {
	return float64(max(1, (bytes+size-1)/size))
}

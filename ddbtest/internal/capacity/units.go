// Package capacity computes the capacity units that operations consume.
package capacity

// Bytes per read unit and per write unit.
const (
	readUnitBytes  = 4096
	writeUnitBytes = 1024
)

// ReadUnits returns the units of one read of that many bytes: one item, or one page. The size of a
// page is the size of all evaluated items, before filter and projection. A read that finds nothing
// costs as much as the smallest one. A transactional read costs twice as much as a strongly
// consistent one.
func ReadUnits(bytes int, strong, transactional bool) float64 {
	units := roundUp(bytes, readUnitBytes)
	switch {
	case transactional:
		return 2 * units
	case strong:
		return units
	default:
		return units / 2
	}
}

// WriteUnits returns the units of a write that replaces an item of oldBytes by one of newBytes,
// where 0 means no item. The larger size counts, no matter how much changes. A write that neither
// finds nor leaves an item costs as much as the smallest one. A ConditionCheck of a transaction is
// charged as a write of the item that it checks.
func WriteUnits(oldBytes, newBytes int, transactional bool) float64 {
	units := roundUp(max(oldBytes, newBytes), writeUnitBytes)
	if transactional {
		return 2 * units
	}
	return units
}

// IndexWriteUnits returns the units that the same write consumes in an index. The sizes are those
// of the index entry, where 0 means no entry: the attributes of both keys and the projected
// attributes, without overhead. An entry whose key changes is deleted and put, and both are
// charged. An entry whose other attributes change is replaced. An unchanged entry costs nothing.
// Local and global indexes cost the same, in and out of a transaction.
func IndexWriteUnits(oldBytes, newBytes int, keyChanged, projectedChanged bool) float64 {
	stays := oldBytes > 0 && newBytes > 0
	switch {
	case oldBytes == 0 && newBytes == 0:
		return 0
	case stays && keyChanged:
		return roundUp(oldBytes, writeUnitBytes) + roundUp(newBytes, writeUnitBytes)
	case stays && !projectedChanged:
		return 0
	default:
		return roundUp(max(oldBytes, newBytes), writeUnitBytes)
	}
}

// roundUp returns the number of steps of that size that the bytes start, at least one.
func roundUp(bytes, size int) float64 {
	return float64(max(1, (bytes+size-1)/size))
}

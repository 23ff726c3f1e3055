package batch

// Limits of what one request can read, in bytes of items before projection: in total, and per
// partition.
const (
	maxFetched   = 16 << 20
	maxPartition = 1 << 20
)

// fetched counts the bytes that a request has read.
type fetched struct {
	bytes      int
	partitions map[spot]int
	full       bool
}

// add counts an item of that size and reports whether it can be read. Once the total limit is
// reached, no further item can be read.
func (f *fetched) add(partition spot, size int) bool {
	f.full = f.full || f.bytes+size > maxFetched
	if f.full || f.partitions[partition]+size > maxPartition {
		return false
	}
	if f.partitions == nil {
		f.partitions = map[spot]int{}
	}
	f.bytes += size
	f.partitions[partition] += size
	return true
}

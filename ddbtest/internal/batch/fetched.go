package batch

// What one request may fetch, in bytes of items before any projection.
const (
	maxFetched   = 16 << 20
	maxPartition = 1 << 20
)

// fetched is what a request fetched so far.
type fetched struct {
	bytes      int
	partitions map[spot]int
	full       bool
}

// add tells whether an item of that size can be fetched, too, and if so counts it. Once the whole is full nothing can.
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

package shard

import "math"

const (
	// maxShards is the largest number of shards: keys have three digits.
	maxShards = 1000
	// partitionUnits is the number of write units per second that DynamoDB serves in one partition.
	partitionUnits = 1000
)

// For returns the number of shards for a rate of increments per second, of shards of itemSize
// bytes: DynamoDB serves 1,000 write units per second in one partition, and an item of 1 KB takes
// one. The result is at least 1, and has no reserve.
//
// An increment in the modes [ExactWindow] and [ExactForever] takes 2 write units of its shard: pass
// twice the rate.
func For(rate float64, itemSize int) int {
	units := rate * math.Ceil(float64(max(itemSize, 1))/1024)
	if n := math.Ceil(units / partitionUnits); n > 1 {
		return int(min(n, math.MaxInt32))
	}
	return 1
}

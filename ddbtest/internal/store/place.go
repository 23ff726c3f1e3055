package store

import (
	"encoding/binary"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// A place is the key of an item in a tree: the hash of the partition key, then the partition key,
// then the sort key. The keys are encoded as bytes that sort as the values do. The hash scatters
// the partitions of a scan, as the service does.
const hashSize = 8

// hash returns the hash of an encoded partition key. It is the beginning of the places of its
// items.
func (k KeySchema) hash(partition []byte) uint64 {
	// FNV-1a with a mixer, because FNV leaves the high bits of short keys alike.
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, c := range partition {
		h = (h ^ uint64(c)) * prime
	}
	return mix(h)
}

// mix makes every bit of the result depend on all bits of h.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// PartitionPlace returns the common prefix of the places of all items with the same partition key.
// The attributes must contain that key.
func (k KeySchema) PartitionPlace(attributes value.Map) string {
	var buffer [usualPlace]byte
	return string(k.appendPartition(buffer[:0], attributes))
}

// usualPlace is a size into which most places fit. They are built on the stack.
const usualPlace = 128

func (k KeySchema) appendPartition(dst []byte, attributes value.Map) []byte {
	dst = append(dst, make([]byte, hashSize)...)
	dst = appendKeys(dst, k.Partition, attributes)
	binary.BigEndian.PutUint64(dst, k.hash(dst[hashSize:]))
	return dst
}

// Place returns the place of an item with the key. For an index it is the common prefix of the
// places of all entries with that key.
func (k KeySchema) Place(item value.Map) string {
	place, _ := k.Places(item)
	return place
}

// Places returns the results of [KeySchema.Place] and [KeySchema.PartitionPlace].
func (k KeySchema) Places(item value.Map) (place, partition string) {
	var buffer [usualPlace]byte
	encoded := k.appendPartition(buffer[:0], item)
	length := len(encoded)
	place = string(appendKeys(encoded, k.Sort, item))
	return place, place[:length]
}

func appendKeys(dst []byte, attributes []KeyAttribute, item value.Map) []byte {
	for _, a := range attributes {
		dst = value.AppendKey(dst, item.Get(a.Name))
	}
	return dst
}

// PrefixEnd returns the first place after all places with the prefix, or "" if there is none.
func PrefixEnd(prefix []byte) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return string(end)
		}
	}
	return ""
}

// SegmentRange returns the range of places of one of total equal segments: from lo, before hi. hi
// is "" for the last segment.
func SegmentRange(segment, total int64) (lo, hi string) {
	bound := func(n int64) string {
		// n/total of 2^64, without overflow because total is at most a million
		q, r := ^uint64(0)/uint64(total), ^uint64(0)%uint64(total)
		var b [hashSize]byte
		binary.BigEndian.PutUint64(b[:], uint64(n)*q+uint64(n)*r/uint64(total))
		return string(b[:])
	}
	if segment > 0 {
		lo = bound(segment)
	}
	if segment < total-1 {
		hi = bound(segment + 1)
	}
	return lo, hi
}

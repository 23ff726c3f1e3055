package store

import (
	"encoding/binary"

	"github.com/trestledb/trestle/ddbtest/internal/value"
)

// A place is where an item stands in a tree: the hash of its partition key, which scatters partitions over a scan as the service does, then the
// partition key, then the sort key, each as bytes that sort as the values do.
const hashSize = 8

// hash is a partition's place among all: the first bytes of the places of its items.
func (k KeySchema) hash(partition []byte) uint64 {
	// FNV-1a, and a mixer, for FNV leaves the high bits of short keys alike.
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, c := range partition {
		h = (h ^ uint64(c)) * prime
	}
	return mix(h)
}

// mix makes every bit of a number depend on all of them.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// PartitionPlace is the beginning of the places of all items with the partition key of these attributes, which must hold it.
func (k KeySchema) PartitionPlace(attributes value.Map) []byte {
	place := make([]byte, hashSize, 64)
	place = appendKeys(place, k.Partition, attributes)
	binary.BigEndian.PutUint64(place, k.hash(place[hashSize:]))
	return place
}

// Place is the place of an item that holds the key. In an index it is the beginning of the places of all entries with that key.
func (k KeySchema) Place(item value.Map) []byte {
	return appendKeys(k.PartitionPlace(item), k.Sort, item)
}

func appendKeys(dst []byte, attributes []KeyAttribute, item value.Map) []byte {
	for _, a := range attributes {
		dst = value.AppendKey(dst, item.Get(a.Name))
	}
	return dst
}

// After is the first place behind all that begin with the prefix, or "" where there is none.
func After(prefix []byte) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return string(end)
		}
	}
	return ""
}

// Segment is the range of places of one of total equal parts: from lo on, and before hi, which is "" for the last part.
func Segment(segment, total int64) (lo, hi string) {
	bound := func(n int64) string {
		// n/total of 2^64, without overflow: total is at most a million
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

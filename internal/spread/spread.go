// Package spread distributes keys over numbers, such as those of shards. The numbers are stored, so
// the function never changes.
package spread

import (
	"encoding/binary"
	"hash/fnv"
)

// Of returns a number for a list of texts: the 64-bit FNV-1a hash of the texts, each after its
// length as 8 bytes, the lowest first, and then the 64-bit finalizer of MurmurHash3. Lists of which
// any text differs nearly always have distinct numbers.
func Of(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p)))) // it never fails
		_, _ = h.Write([]byte(p))
	}
	return finalize(h.Sum64())
}

// finalize lets each bit of the hash affect all bits. FNV-1a alone distributes short texts that
// differ in the last character unevenly.
func finalize(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

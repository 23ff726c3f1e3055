package cursor

import (
	"encoding/binary"
	"math/bits"
)

// appendSet appends a set of small numbers, as the size of a bitmap in bytes and the bitmap.
func appendSet(b []byte, set []int) []byte {
	var bitmap []byte
	for _, n := range set {
		for len(bitmap) <= n/8 {
			bitmap = append(bitmap, 0)
		}
		bitmap[n/8] |= 1 << (n % 8)
	}
	return append(binary.AppendUvarint(b, uint64(len(bitmap))), bitmap...)
}

// set is the inverse of appendSet. It accepts no other bytes.
func (r *reader) set() (set []int) {
	bitmap := r.text()
	if n := len(bitmap); n > 0 && bitmap[n-1] == 0 {
		r.ok = false
	}
	for i := range len(bitmap) {
		for b := bitmap[i]; b != 0; b &= b - 1 {
			set = append(set, 8*i+bits.TrailingZeros8(b))
		}
	}
	return set
}

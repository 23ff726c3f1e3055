package keyspace

import "encoding/binary"

// hasLow reports whether a byte is up to '$'. It looks at 8 bytes at a time: the subtraction sets
// the highest bit of each byte below escapeByte+1, and of some after such a byte.
func hasLow(text []byte) bool {
	const ones = 0x0101010101010101
	for ; len(text) >= 8; text = text[8:] {
		word := binary.LittleEndian.Uint64(text)
		if (word-ones*(escapeByte+1))&^word&(ones<<7) != 0 {
			return true
		}
	}
	for _, b := range text {
		if b <= escapeByte {
			return true
		}
	}
	return false
}

package keyspace

import (
	"encoding/binary"
	"unicode/utf8"
)

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

// AppendPlain appends a text of ASCII that needs no escapes. It returns dst and false for any other
// text.
func AppendPlain(dst []byte, text string) ([]byte, bool) {
	for i := range len(text) {
		if b := text[i]; b <= escapeByte || b >= utf8.RuneSelf {
			return dst, false
		}
	}
	return append(dst, text...), true
}

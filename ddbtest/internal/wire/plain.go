package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// unescapedBytes are the ASCII bytes that a string contains unescaped.
var unescapedBytes = func() (o [256]bool) {
	for b := ' '; b < utf8.RuneSelf; b++ {
		o[b] = b != '"' && b != '\\'
	}
	return o
}()

// unescapedLength returns the number of unescapedBytes with which a text begins. It looks at 8
// bytes at a time.
func unescapedLength(text []byte) int {
	rest := text
	for ; len(rest) >= 8; rest = rest[8:] {
		if others := otherBytes(binary.LittleEndian.Uint64(rest)); others != 0 {
			return len(text) - len(rest) + bits.TrailingZeros64(others)/8
		}
	}
	for len(rest) > 0 && unescapedBytes[rest[0]] {
		rest = rest[1:]
	}
	return len(text) - len(rest)
}

// unescapedStart is [unescapedLength] of a string.
func unescapedStart(text string) int {
	rest := text
	for ; len(rest) >= 8; rest = rest[8:] {
		if others := otherBytes(word(rest)); others != 0 {
			return len(text) - len(rest) + bits.TrailingZeros64(others)/8
		}
	}
	if len(text) >= 8 { // the last 8 bytes, of which some were looked at before
		if others := otherBytes(word(text[len(text)-8:])); others != 0 {
			return len(text) - 8 + bits.TrailingZeros64(others)/8
		}
		return len(text)
	}
	for len(rest) > 0 && unescapedBytes[rest[0]] {
		rest = rest[1:]
	}
	return len(text) - len(rest)
}

// otherBytes returns 0 if 8 bytes are all unescapedBytes. Otherwise the lowest bit that is set is
// the highest bit of the first byte that is not. The terms set the highest bit of control
// characters, quotes, backslashes, and at least two of them that of bytes above 127. A subtraction
// can set the bit of others only after such a byte.
func otherBytes(word uint64) uint64 {
	const ones = 0x0101010101010101
	return ((word - ' '*ones) | (word ^ '"'*ones - ones) | (word ^ '\\'*ones - ones)) & (0x80 * ones)
}

// word returns the first 8 bytes as a number.
func word(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

package wire

import "unicode/utf8"

// unescapedBytes are the ASCII bytes that a string contains unescaped.
var unescapedBytes = func() (o [256]bool) {
	for b := ' '; b < utf8.RuneSelf; b++ {
		o[b] = b != '"' && b != '\\'
	}
	return o
}()

// unescapedStart returns the length of a start of a text that consists of unescapedBytes. It looks
// at 8 bytes at a time, and what follows may begin with further ones.
func unescapedStart(text string) int {
	n := 0
	for n+8 <= len(text) && unescaped(word(text[n:n+8])) {
		n += 8
	}
	return n
}

// unescaped reports whether 8 bytes are all unescapedBytes. The terms set the highest bit of bytes
// that are not: control characters, quotes, backslashes, and at least two of them those above 127.
// A subtraction can set the bit of others only after such a byte.
func unescaped(word uint64) bool {
	const ones = 0x0101010101010101
	return ((word-' '*ones)|(word^'"'*ones-ones)|(word^'\\'*ones-ones))&(0x80*ones) == 0
}

// word returns 8 bytes as a number.
func word(text string) uint64 {
	_ = text[7]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

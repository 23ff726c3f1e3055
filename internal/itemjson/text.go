package itemjson

import (
	"encoding/binary"
	"math/bits"
)

// Words that hold one byte eight times.
const (
	ones       = 0x0101010101010101
	highBits   = 0x80 * ones
	quotes     = '"' * ones
	backslash  = '\\' * ones
	firstPrint = ' ' * ones
)

// special returns a word whose lowest set bit marks the first of eight bytes that is a quote, a
// backslash or a control character. It is 0 if there is none.
func special(word uint64) uint64 {
	q, e := word^quotes, word^backslash
	return ((q-ones)&^q | (e-ones)&^e | (word-firstPrint)&^word) & highBits
}

// plainEnd returns the offset of the first quote, backslash or control character at or after i. It
// returns len(b) if there is none.
func plainEnd(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if found := special(binary.LittleEndian.Uint64(b[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}

// plainASCII reports whether the bytes from i on are all ASCII, without a quote, a backslash or a
// control character.
func plainASCII(b []byte, i int) bool {
	for ; i+16 <= len(b); i += 16 {
		if (notPlain(binary.LittleEndian.Uint64(b[i:])) | notPlain(binary.LittleEndian.Uint64(b[i+8:]))) != 0 {
			return false
		}
	}
	if i+8 <= len(b) {
		if notPlain(binary.LittleEndian.Uint64(b[i:])) != 0 {
			return false
		}
		i += 8
	}
	if len(b) < 8 {
		for ; i < len(b); i++ {
			if notPlain(uint64(b[i])*ones) != 0 {
				return false
			}
		}
		return true
	}
	// The last word also holds bytes before i. They become spaces.
	word, before := binary.LittleEndian.Uint64(b[len(b)-8:]), 8*(8-len(b)+i)
	return notPlain(word>>before|(highBits>>2)<<(64-before)) == 0
}

// notPlain returns 0 if eight bytes are ASCII, and none of them is special.
func notPlain(word uint64) uint64 {
	return (word | (word - firstPrint) | (word ^ quotes - ones) | (word ^ backslash - ones)) & highBits
}

// textEnd returns the offset of the quote that ends a text, from an offset in the text. If there is
// none, ok is false and end is the offset of the error.
func textEnd(b []byte, i int) (end int, escaped, ok bool) {
	for {
		i = plainEnd(b, i)
		switch {
		case i >= len(b) || b[i] < ' ':
			return i, escaped, false
		case b[i] == '"':
			return i, escaped, true
		}
		n := escapeLength(b[i:])
		if n == 0 {
			return i, escaped, false
		}
		escaped = true
		i += n
	}
}

// escapeLength returns the length of the escape that b starts with, or 0 if it is invalid.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := codeUnit(b); ok {
			return 6
		}
	}
	return 0
}

// codeUnit returns the UTF-16 code unit of the escape \uXXXX that b starts with.
func codeUnit(b []byte) (unit rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		unit <<= 4
		switch {
		case '0' <= c && c <= '9':
			unit |= rune(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			unit |= rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return unit, true
}

package wire

import (
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads the rest of a string that starts at start and has its first escape at i. ascii
// reports whether the bytes between are ASCII.
func (c *cursor) escaped(start, i int, ascii bool) ([]byte, error) {
	text := append(c.unescaped[:0], c.text[start:i]...)
	for i < len(c.text) {
		switch b := c.text[i]; {
		case b == '"':
			c.at, c.unescaped = i+1, text
			return checkUTF8(text, ascii)
		case b == '\\':
			r, n := unescape(c.text[i:])
			if n == 0 {
				return nil, errMalformed()
			}
			text = utf8.AppendRune(text, r)
			i += n
		case b < ' ':
			return nil, errMalformed()
		default:
			ascii = ascii && b < utf8.RuneSelf
			text = append(text, b)
			i++
		}
	}
	return nil, errMalformed()
}

// unescape returns the rune of the escape at the start of text, and its length. The length is 0 for
// an invalid escape, such as half a surrogate pair.
func unescape(text []byte) (rune, int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch b := text[1]; b {
	case '"', '\\', '/':
		return rune(b), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	high, ok := codeUnit(text)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(high) {
		return high, 6
	}
	low, ok := codeUnit(text[6:])
	if r := utf16.DecodeRune(high, low); ok && r != utf8.RuneError {
		return r, 12
	}
	return 0, 0
}

// codeUnit reads an escape with four hexadecimal digits, such as \u00e9.
func codeUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit := rune(0)
	for _, b := range text[2:6] {
		switch {
		case '0' <= b && b <= '9':
			b -= '0'
		case 'a' <= b|0x20 && b|0x20 <= 'f':
			b = b | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(b)
	}
	return unit, true
}

package itemjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// simpleEscapes holds the character of each escape of one letter.
var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape returns a copy of a text without escapes. Like the SDK, it replaces a lone surrogate,
// and each byte that is not UTF-8, by U+FFFD. An escape must be valid.
func unescape(text []byte) []byte {
	out := make([]byte, 0, len(text)+2*utf8.UTFMax)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && text[i+1] != 'u':
			out = append(out, simpleEscapes[text[i+1]])
			i += 2
		case c == '\\':
			r, n := surrogates(text[i:])
			out = utf8.AppendRune(out, r)
			i += n
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(text[i:])
			out = utf8.AppendRune(out, r)
			i += n
		}
	}
	return out
}

// surrogates returns the character of the one or two escapes that text starts with, and their
// length.
func surrogates(text []byte) (r rune, n int) {
	first, ok := codeUnit(text)
	switch {
	case !ok:
		return utf8.RuneError, len(text)
	case !utf16.IsSurrogate(first):
		return first, 6
	}
	if second, ok := codeUnit(text[6:]); ok {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

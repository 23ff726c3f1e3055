package wire

import "unicode/utf8"

const hexadecimal = "0123456789abcdef"

// appendText appends a JSON string.
func appendText(dst []byte, text string) []byte {
	return append(appendContent(append(dst, '"'), text), '"')
}

// appendContent appends what is between the quotes of a JSON string. Invalid UTF-8 becomes U+FFFD;
// requests cannot contain it.
func appendContent(dst []byte, text string) []byte {
	i := unescapedStart(text)
	if i == len(text) {
		return append(dst, text...)
	}
	start := 0
	for i < len(text) {
		b := text[i]
		if unescapedBytes[b] {
			i++
			continue
		}
		if b >= utf8.RuneSelf {
			if r, n := utf8.DecodeRuneInString(text[i:]); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = appendEscape(append(dst, text[start:i]...), b)
		i++
		start = i
	}
	return append(dst, text[start:]...)
}

// appendEscape appends a byte that must be escaped.
func appendEscape(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	if b >= utf8.RuneSelf {
		return utf8.AppendRune(dst, utf8.RuneError)
	}
	return append(dst, '\\', 'u', '0', '0', hexadecimal[b>>4], hexadecimal[b&0xf])
}

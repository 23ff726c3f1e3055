package keyspace

import "strings"

const (
	escapeByte  = '$'
	escapeShift = 0x25
)

// Reserved starts the first variable segment of keys that the library itself writes. Escaping never
// produces it, because the second byte of an escaped byte is at most 'I'.
const Reserved = "$U"

// Segment returns a value's text as it is written in a key.
func (m Mode) Segment(text string) string {
	if m != Escaped {
		return text
	}
	return string(Escape([]byte(text), 0))
}

// Escape escapes dst[start:] in place: each byte up to '$' becomes '$' and the byte shifted by
// 0x25. The delimiter '#' is below the escape byte and every other written byte is above both, so
// bytes sort as tuples do.
func Escape(dst []byte, start int) []byte {
	if !hasLow(dst[start:]) {
		return dst
	}
	low := 0
	for _, b := range dst[start:] {
		if b <= escapeByte {
			low++
		}
	}
	from := len(dst) - 1
	for range low {
		dst = append(dst, 0)
	}
	for to := len(dst) - 1; to > from; from-- {
		b := dst[from]
		if b <= escapeByte {
			dst[to], dst[to-1] = b+escapeShift, escapeByte
			to -= 2
			continue
		}
		dst[to] = b
		to--
	}
	return dst
}

// NeedsEscape reports whether Escape changes a text.
func NeedsEscape(text string) bool {
	for i := range len(text) {
		if text[i] <= escapeByte {
			return true
		}
	}
	return false
}

// Unescape is the inverse of Escape. It returns false if Escape cannot have written the text.
func Unescape(text string) (string, bool) {
	first := strings.IndexFunc(text, func(r rune) bool { return r <= escapeByte })
	if first < 0 {
		return text, true
	}
	out := append(make([]byte, 0, len(text)), text[:first]...)
	for i := first; i < len(text); i++ {
		b := text[i]
		if b > escapeByte {
			out = append(out, b)
			continue
		}
		i++
		if b != escapeByte || i == len(text) || text[i] < escapeShift || text[i] > escapeByte+escapeShift {
			return "", false
		}
		out = append(out, text[i]-escapeShift)
	}
	return string(out), true
}

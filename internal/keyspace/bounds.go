package keyspace

import (
	"strings"
	"unicode/utf8"
)

// Most functions in this file work in the order of valid UTF-8 strings of limited length, which is
// the order of code points. bytesPredecessor works in the order of bytes.

const (
	surrogateMin = 0xD800
	surrogateMax = 0xDFFF
)

// successor returns the smallest string of at most limit bytes that sorts after text. It returns
// false if there is none.
func successor(text string, limit int) (string, bool) {
	if len(text) < limit {
		return text + "\x00", true
	}
	return prefixSuccessor(text, limit)
}

// prefixSuccessor returns the smallest string of at most limit bytes that sorts after text and
// after every string with the prefix text. It increments the last rune that can be incremented and
// drops the runes after it.
func prefixSuccessor(text string, limit int) (string, bool) {
	for text != "" {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		if r == utf8.MaxRune {
			continue
		}
		if r++; r == surrogateMin {
			r = surrogateMax + 1
		}
		if next := text + string(r); len(next) <= limit {
			return next, true
		}
	}
	return "", false
}

// predecessor returns the greatest string of at most limit bytes that sorts before text. The text
// is not empty.
func predecessor(text string, limit int) string {
	r, size := utf8.DecodeLastRuneInString(text)
	text = text[:len(text)-size]
	if r == 0 {
		return text
	}
	if r--; r == surrogateMax {
		r = surrogateMin - 1
	}
	return maxFill(text+string(r), limit)
}

// bytesPredecessor returns the greatest byte string of at most limit bytes that sorts before b,
// which is not empty.
func bytesPredecessor(b string, limit int) string {
	end := len(b) - 1
	if b[end] == 0 {
		return b[:end]
	}
	return b[:end] + string([]byte{b[end] - 1}) + strings.Repeat("\xff", limit-len(b))
}

// maxFill appends the greatest runes until text has limit bytes.
func maxFill(text string, limit int) string {
	greatest := [...]string{1: "\u007F", 2: "\u07FF", 3: "\uFFFF"}
	room := limit - len(text)
	text += strings.Repeat(string(utf8.MaxRune), room/utf8.UTFMax)
	return text + greatest[room%utf8.UTFMax]
}

package partiql

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endOfText   tokenKind = iota
	wordToken             // abc: a keyword, or a name without quotes
	quotedToken           // "abc", a name
	textToken             // 'abc', a string
	numberToken           // 12.5e3, without a sign
	symbolToken           // such as <=
	otherToken            // what no statement contains
)

// token is a token of a statement. Its text is decoded: without quotes and escapes.
type token struct {
	kind tokenKind
	text string
}

// symbols are the symbols, those of two characters first.
var symbols = []string{
	"<<", ">>", "<=", ">=", "<>", "!=", "<", ">", "=", "+", "-", "*", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "?",
}

// tokenize splits a statement into tokens, and returns their positions too. The last token is the
// end of the text.
func tokenize(text string) (tokens []token, starts []int) {
	tokens, starts = make([]token, 0, 4+len(text)/4), make([]int, 0, 4+len(text)/4)
	for at := 0; at < len(text); {
		if n := skipped(text[at:]); n > 0 {
			at += n
			continue
		}
		t, n := nextToken(text[at:])
		tokens, starts = append(tokens, t), append(starts, at)
		at += n
	}
	return append(tokens, token{}), append(starts, len(text))
}

// skipped returns the length of the white space or of the comment with which a text begins, or 0.
func skipped(text string) int {
	switch {
	case strings.IndexByte(" \t\r\n", text[0]) >= 0:
		return 1
	case strings.HasPrefix(text, "--"):
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return end + 1
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text, "*/"); end >= 0 {
			return end + len("*/")
		}
	}
	return 0
}

// nextToken returns the first token of a text, and its length.
func nextToken(text string) (token, int) {
	switch c := text[0]; {
	case isWordStart(c):
		n := wordLength(text)
		return token{wordToken, text[:n]}, n
	case c == '"':
		return quoted(text, quotedToken)
	case c == '\'':
		return quoted(text, textToken)
	case isDigit(c), c == '.' && len(text) > 1 && isDigit(text[1]):
		n := numberLength(text)
		return token{numberToken, text[:n]}, n
	}
	for _, s := range symbols {
		if strings.HasPrefix(text, s) {
			return token{symbolToken, s}, len(s)
		}
	}
	_, n := utf8.DecodeRuneInString(text)
	return token{otherToken, text[:n]}, n
}

// quoted returns a token in quotes. Inside it, a doubled quote stands for one.
func quoted(text string, kind tokenKind) (token, int) {
	quote := text[:1]
	for at := 1; at < len(text); at++ {
		if text[at] != quote[0] {
			continue
		}
		if strings.HasPrefix(text[at+1:], quote) {
			at++
			continue
		}
		return token{kind, strings.ReplaceAll(text[1:at], quote+quote, quote)}, at + 1
	}
	return token{otherToken, text}, len(text)
}

// numberLength returns the length of the number with which a text begins.
func numberLength(text string) int {
	n := digitsLength(text)
	if n < len(text) && text[n] == '.' {
		n++
		n += digitsLength(text[n:])
	}
	if n < len(text) && text[n]|0x20 == 'e' {
		e := n + 1
		if e < len(text) && (text[e] == '+' || text[e] == '-') {
			e++
		}
		if digits := digitsLength(text[e:]); digits > 0 {
			return e + digits
		}
	}
	return n
}

func digitsLength(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func wordLength(text string) int {
	n := 1
	for n < len(text) && (isWordStart(text[n]) || isDigit(text[n])) {
		n++
	}
	return n
}

func isWordStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

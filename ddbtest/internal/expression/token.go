package expression

import "unicode/utf8"

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endOfText  tokenKind = iota
	nameToken            // abc
	aliasToken           // #abc, the placeholder of a name
	valueToken           // :abc, the placeholder of a value
	indexToken           // 12
	otherToken           // a character that no expression contains

	// The keywords. None of them can be a name.
	andToken
	orToken
	notToken
	betweenToken
	inToken
	setToken
	removeToken
	addToken
	deleteToken

	equalToken
	unequalToken
	lessToken
	lessEqualToken
	greaterToken
	greaterEqualToken
	plusToken
	minusToken
	openToken
	closeToken
	commaToken
	dotToken
	openIndexToken
	closeIndexToken
)

// token is a token of an expression: its bytes from start to end.
type token struct {
	kind       tokenKind
	start, end uint16 // maxText fits
}

// tokenize splits an expression into tokens. The last one is the end of the text. It returns no
// errors.
func tokenize(text string) []token {
	tokens := make([]token, 0, 4+len(text)/3)
	for at := 0; at < len(text); {
		if isSpace(text[at]) {
			at++
			continue
		}
		kind, length := nextToken(text[at:])
		tokens = append(tokens, token{kind, uint16(at), uint16(at + length)})
		at += length
	}
	return append(tokens, token{endOfText, uint16(len(text)), uint16(len(text))})
}

// nextToken returns the first token of a text.
func nextToken(text string) (tokenKind, int) {
	switch c := text[0]; {
	case isLetter(c):
		n := wordLength(text)
		return keyword(text[:n]), n
	case c == '#' || c == ':':
		return placeholderToken(text)
	case isDigit(c):
		return indexToken, digitsLength(text)
	case c == '<' || c == '>':
		return orderToken(text)
	}
	if kind := punctuation[text[0]]; kind != endOfText {
		return kind, 1
	}
	_, n := utf8.DecodeRuneInString(text)
	return otherToken, n
}

var punctuation = [256]tokenKind{
	'=': equalToken, '+': plusToken, '-': minusToken, '(': openToken, ')': closeToken,
	',': commaToken, '.': dotToken, '[': openIndexToken, ']': closeIndexToken,
}

func placeholderToken(text string) (tokenKind, int) {
	n := 1 + wordLength(text[1:])
	switch {
	case n == 1:
		return otherToken, 1
	case text[0] == '#':
		return aliasToken, n
	default:
		return valueToken, n
	}
}

func orderToken(text string) (tokenKind, int) {
	second := byte(0)
	if len(text) > 1 {
		second = text[1]
	}
	switch {
	case text[0] == '<' && second == '>':
		return unequalToken, 2
	case text[0] == '<' && second == '=':
		return lessEqualToken, 2
	case text[0] == '<':
		return lessToken, 1
	case second == '=':
		return greaterEqualToken, 2
	default:
		return greaterToken, 1
	}
}

// keyword returns the kind of a keyword in upper or lower case, or nameToken.
func keyword(word string) tokenKind {
	var lower [7]byte // the longest is BETWEEN
	if len(word) > len(lower) {
		return nameToken
	}
	for i := range len(word) {
		lower[i] = word[i] | 0x20
	}
	switch string(lower[:len(word)]) {
	case "and":
		return andToken
	case "or":
		return orToken
	case "not":
		return notToken
	case "between":
		return betweenToken
	case "in":
		return inToken
	case "set":
		return setToken
	case "remove":
		return removeToken
	case "add":
		return addToken
	case "delete":
		return deleteToken
	}
	return nameToken
}

// wordLength returns the number of leading letters, digits and underscores.
func wordLength(text string) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '_') {
		n++
	}
	return n
}

// digitsLength returns the number of leading digits that form one number. A leading zero is a
// number of its own.
func digitsLength(text string) int {
	if text[0] == '0' {
		return 1
	}
	n := 1
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

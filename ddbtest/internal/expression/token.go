package expression

import "unicode/utf8"

// tokenKind is what sort of word a token is.
type tokenKind uint8

const (
	endOfText  tokenKind = iota
	nameToken            // abc
	aliasToken           // #abc, which stands for a name
	valueToken           // :abc, which stands for a value
	indexToken           // 12
	otherToken           // a character that no expression has

	// The keywords; none of them can be a name.
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

// token is a word of an expression: its bytes from start to end.
type token struct {
	kind       tokenKind
	start, end uint16 // maxText is less
}

// tokenize cuts an expression into its words; the last one is the end of the text. Nothing is an error yet.
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

// nextToken is the word that a text begins with.
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

// keyword is the keyword that a word is in whatever case, or nameToken.
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

// wordLength counts the letters, digits and underscores that a text begins with.
func wordLength(text string) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '_') {
		n++
	}
	return n
}

// digitsLength counts the digits that a text begins with. A number has no zeros in front: they are numbers of their own.
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

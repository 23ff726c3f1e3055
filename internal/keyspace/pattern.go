package keyspace

import (
	"regexp/syntax"
	"strconv"
	"strings"
)

// Spaces are compared as formal languages: each segment has a regular expression for the texts that
// it can hold. The expressions are over runes, which sort as their bytes do.

// MaxRepeat is the limit of regexp/syntax for repetitions.
const MaxRepeat = 1000

// Encoding is how the text of a segment is written. The pattern of the segment depends on it.
type Encoding struct {
	Escaped  bool
	Excluded string // the delimiter, if a value cannot contain it
}

// AnyText matches one or more characters other than those of except, which is part of a character
// class.
func (e Encoding) AnyText(except string) string {
	if e.Escaped {
		return `(?:[^\x00-\x24` + except + `]|\$[\x25-\x49])+`
	}
	if e.Excluded != "" {
		except += Quote(e.Excluded)
	}
	if except == "" {
		return `.+`
	}
	return `[^` + except + `]+`
}

// OneOf matches one of the characters.
func (e Encoding) OneOf(chars string) string {
	var class, escapes strings.Builder
	for _, r := range chars {
		switch {
		case e.Excluded != "" && strings.ContainsRune(e.Excluded, r):
		case e.Escaped && r <= escapeByte:
			escapes.WriteString(Quote(string(r + escapeShift)))
		default:
			class.WriteString(Quote(string(r)))
		}
	}
	switch {
	case escapes.Len() == 0 && class.Len() == 0:
		return `[^\x00-\x{10FFFF}]`
	case escapes.Len() == 0:
		return `[` + class.String() + `]`
	case class.Len() == 0:
		return `(?:\$[` + escapes.String() + `])`
	}
	return `(?:[` + class.String() + `]|\$[` + escapes.String() + `])`
}

// Quote quotes text for a regular expression, including one inside a character class.
func Quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(quoteRune(r))
	}
	return b.String()
}

func quoteRune(r rune) string { return `\x{` + strconv.FormatInt(int64(r), 16) + `}` }

// DigitRange matches the digit strings from lo to hi, which have the same length. The digits are 0
// to 9, or 0 to f if lo or hi contains a letter.
func DigitRange(lo, hi string) string {
	if strings.ContainsAny(lo+hi, "abcdef") {
		return digitRange("0123456789abcdef", lo, hi)
	}
	return digitRange("0123456789", lo, hi)
}

func digitRange(digits, lo, hi string) string {
	switch {
	case lo == "":
		return ""
	case lo[0] == hi[0]:
		return lo[:1] + digitRange(digits, lo[1:], hi[1:])
	}
	from, to := strings.IndexByte(digits, lo[0]), strings.IndexByte(digits, hi[0])
	rest, last := len(lo)-1, digits[len(digits)-1:]
	least, greatest := strings.Repeat("0", rest), strings.Repeat(last, rest)
	var options []string
	if lo[1:] != least {
		options = append(options, lo[:1]+digitRange(digits, lo[1:], greatest))
		from++
	}
	if hi[1:] != greatest {
		options = append(options, hi[:1]+digitRange(digits, least, hi[1:]))
		to--
	}
	if from <= to {
		options = append(options, "["+digits[from:to+1]+"]"+strings.Repeat("["+digits+"]", rest))
	}
	return "(?:" + strings.Join(options, "|") + ")"
}

// MapPattern replaces each rune that a pattern can match. The function to must map ranges of digits
// to ranges of digits.
func MapPattern(pattern string, to func(rune) rune) string {
	tree, err := syntax.Parse(pattern, patternFlags)
	if err != nil {
		return pattern
	}
	mapRunes(tree, to)
	return tree.String()
}

func mapRunes(tree *syntax.Regexp, to func(rune) rune) {
	switch tree.Op {
	case syntax.OpLiteral:
		for i, r := range tree.Rune {
			tree.Rune[i] = to(r)
		}
	case syntax.OpCharClass:
		*tree = *mappedClass(tree.Rune, to)
	}
	for _, sub := range tree.Sub {
		mapRunes(sub, to)
	}
}

// mappedClass writes a class rune by rune. The classes of digits and layouts are small.
func mappedClass(ranges []rune, to func(rune) rune) *syntax.Regexp {
	var class strings.Builder
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			class.WriteString(quoteRune(to(r)))
		}
	}
	tree, _ := syntax.Parse("["+class.String()+"]", patternFlags)
	return tree
}

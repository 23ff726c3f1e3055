package keys

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// Templates are compared as formal languages: each format returns a regular expression for the
// segments that it can write. The expressions are over runes, which sort as their bytes do.

const (
	maxRepeat = 1000 // limit of regexp/syntax for repetitions

	yearPattern  = `[0-9]{4}`
	monthPattern = `(?:0[1-9]|1[0-2])`
	hourPattern  = `(?:[01][0-9]|2[0-3])`
	clockPattern = datePattern + `T` + hourPattern + `:[0-5][0-9]:[0-5][0-9]`

	leapYear    = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)`
	dayOfMonth  = `(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`
	datePattern = `(?:` + yearPattern + `-` + dayOfMonth + `|` + leapYear + `-02-29)`
)

// script is how a segment is written. The language of a segment depends on it and on the format.
type script struct {
	escaped bool
	barred  string // the delimiter, if a value cannot hold it
}

func (t *Template) script(i int) script {
	s := script{escaped: t.mode == escaped}
	if t.mode == raw && !t.parts[i].last {
		s.barred = string(t.delimiter)
	}
	return s
}

// anyText matches one or more characters other than those of except, which is part of a character
// class.
func (s script) anyText(except string) string {
	if s.escaped {
		return `(?:[^\x00-\x24` + except + `]|\$[\x25-\x49])+`
	}
	if s.barred != "" {
		except += syntaxQuote(s.barred)
	}
	if except == "" {
		return `.+`
	}
	return `[^` + except + `]+`
}

// oneOf matches one of the characters.
func (s script) oneOf(chars string) string {
	var class, escapes strings.Builder
	for _, r := range chars {
		switch {
		case s.barred != "" && strings.ContainsRune(s.barred, r):
		case s.escaped && r <= escapeByte:
			escapes.WriteString(syntaxQuote(string(r + escapeShift)))
		default:
			class.WriteString(syntaxQuote(string(r)))
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

// syntaxQuote quotes text for a regular expression, including one inside a character class.
func syntaxQuote(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(quoteRune(r))
	}
	return b.String()
}

func quoteRune(r rune) string {
	const hex = "0123456789abcdef"
	digits := ""
	for n := r; n > 0 || digits == ""; n >>= 4 {
		digits = string(hex[n&15]) + digits
	}
	return `\x{` + digits + `}`
}

// changedBy returns every rune that a fold changes.
func changedBy(fold func(string) string) string {
	var changed strings.Builder
	for _, cases := range unicode.CaseRanges {
		for r := rune(cases.Lo); r <= rune(cases.Hi); r++ {
			if text := string(r); fold(text) != text {
				changed.WriteString(text)
			}
		}
	}
	return changed.String()
}

// digitRange matches the digit strings from lo to hi, which have the same length. The digits are 0
// to 9, or 0 to f if lo or hi contains a letter.
func digitRange(lo, hi string) string {
	switch {
	case lo == "":
		return ""
	case lo[0] == hi[0]:
		return lo[:1] + digitRange(lo[1:], hi[1:])
	}
	digits := "0123456789"
	if strings.ContainsAny(lo+hi, "abcdef") {
		digits = "0123456789abcdef"
	}
	return digitSpan(digits, lo, hi)
}

func digitSpan(digits, lo, hi string) string {
	last := digits[len(digits)-1:]
	rest := len(lo) - 1
	least, greatest := strings.Repeat("0", rest), strings.Repeat(last, rest)
	if rest == 0 {
		return digitClass(digits, lo[0], hi[0])
	}
	from, to := strings.IndexByte(digits, lo[0]), strings.IndexByte(digits, hi[0])
	if from == to {
		return lo[:1] + digitSpan(digits, lo[1:], hi[1:])
	}
	var options []string
	if lo[1:] != least {
		options = append(options, lo[:1]+digitSpan(digits, lo[1:], greatest))
		from++
	}
	if hi[1:] != greatest {
		options = append(options, hi[:1]+digitSpan(digits, least, hi[1:]))
		to--
	}
	if from <= to {
		tail := strings.Repeat(digitClass(digits, '0', last[0]), rest)
		options = append(options, digitClass(digits, digits[from], digits[to])+tail)
	}
	return "(?:" + strings.Join(options, "|") + ")"
}

func digitClass(digits string, lo, hi byte) string {
	from, to := strings.IndexByte(digits, lo), strings.IndexByte(digits, hi)
	return "[" + digits[from:to+1] + "]"
}

// stepperRange matches the digits between a stepper's limits.
func stepperRange(c stepper) string {
	least, greatest := c.limits()
	return digitRange(encoded(c, least), encoded(c, greatest))
}

// mapPattern replaces each rune that a pattern can match. The function to must map ranges of digits
// to ranges of digits.
func mapPattern(pattern string, to func(rune) rune) string {
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

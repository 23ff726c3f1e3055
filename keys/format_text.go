package keys

import (
	"encoding/hex"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/keyspace"
)

// textual writes text, as it is or in one letter case.
type textual struct {
	convert  func(string) string // nil: the text stays as it is
	rounding string
	// changed returns the runes that are never written, as part of a character class.
	changed func() string
}

var (
	plain     = textual{changed: func() string { return "" }}
	lowerCase = newLetterCase("strings.ToLower", strings.ToLower)
	upperCase = newLetterCase("strings.ToUpper", strings.ToUpper)
)

func newLetterCase(name string, convert func(string) string) textual {
	return textual{convert, "convert it with " + name, sync.OnceValue(func() string { return keyspace.Quote(changedBy(convert)) })}
}

// changedBy returns every rune that a conversion changes.
func changedBy(convert func(string) string) string {
	var changed strings.Builder
	for _, cases := range unicode.CaseRanges {
		for r := rune(cases.Lo); r <= rune(cases.Hi); r++ {
			if text := string(r); convert(text) != text {
				changed.WriteString(text)
			}
		}
	}
	return changed.String()
}

func (c textual) encode(dst []byte, v Value) ([]byte, *ValueError) {
	text := v.text
	if !utf8.ValidString(text) {
		return dst, newValueError(ErrInvalid, "text is not UTF-8", "")
	}
	if c.convert != nil {
		text = c.convert(text)
	}
	return append(dst, text...), nil
}

func (textual) decode(text string) (Value, bool) { return Text(text), text != "" }

func (c textual) properties() properties {
	return properties{
		ordered: true, lossless: c.convert == nil, keepsPrefixes: true, minSize: 1, least: "\x00", rounding: c.rounding,
	}
}

func (c textual) pattern(e keyspace.Encoding) string { return e.AnyText(c.changed()) }

// boolean writes 0 or 1.
type boolean struct{}

func (boolean) encode(dst []byte, v Value) ([]byte, *ValueError) {
	return append(dst, '0'+byte(v.num)), nil
}

func (boolean) decode(text string) (Value, bool) { return Bool(text == "1"), true }

func (boolean) properties() properties { return properties{ordered: true, lossless: true, minSize: 1} }

func (boolean) pattern(keyspace.Encoding) string { return "[01]" }

func (boolean) limits() (least, greatest Value) { return Bool(false), Bool(true) }

func (boolean) step(_ Value, dir int) Value { return Bool(dir > 0) }

// hexadecimal writes bytes as lowercase hex digits.
type hexadecimal struct{}

func (hexadecimal) encode(dst []byte, v Value) ([]byte, *ValueError) {
	return hex.AppendEncode(dst, []byte(v.text)), nil
}

func (hexadecimal) decode(text string) (Value, bool) {
	b, err := hex.DecodeString(text)
	return Bytes(b), err == nil && len(b) > 0
}

func (hexadecimal) properties() properties {
	return properties{ordered: true, lossless: true, keepsPrefixes: true, minSize: 2, least: "00"}
}

func (hexadecimal) pattern(keyspace.Encoding) string { return "(?:[0-9a-f]{2})+" }

// binary is the codec of a B attribute: the bytes unchanged.
type binary struct{}

func (binary) encode(dst []byte, v Value) ([]byte, *ValueError) { return append(dst, v.text...), nil }

func (binary) decode(text string) (Value, bool) { return Bytes([]byte(text)), text != "" }

func (binary) properties() properties {
	return properties{ordered: true, lossless: true, keepsPrefixes: true, minSize: 1, least: "\x00"}
}

func (binary) pattern(e keyspace.Encoding) string { return e.AnyText("") }

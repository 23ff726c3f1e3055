package keys

import (
	"encoding/hex"
	"strings"
	"sync"
	"unicode/utf8"
)

func textCodec(format string) codec {
	switch format {
	case "":
		return plain{}
	case "lower":
		return folded{strings.ToLower, "strings.ToLower", changedByLower}
	case "upper":
		return folded{strings.ToUpper, "strings.ToUpper", changedByUpper}
	}
	return nil
}

type plain struct{}

func (plain) encode(dst []byte, v Value) ([]byte, *ValueError) {
	if !utf8.ValidString(v.text) {
		return dst, refuse(ErrInvalid, "text is not UTF-8", "")
	}
	return append(dst, v.text...), nil
}

func (plain) decode(text string) (Value, bool) { return Text(text), text != "" }

func (plain) traits() traits {
	return traits{ordered: true, lossless: true, prefixes: true, width: 1, least: "\x00"}
}

func (plain) language(s script) string { return s.anyText("") }

// folded writes text in upper or in lower case.
type folded struct {
	fold func(string) string
	name string
	// changed returns the runes that are never written, as part of a character class.
	changed func() string
}

var (
	changedByLower = sync.OnceValue(func() string { return syntaxQuote(changedBy(strings.ToLower)) })
	changedByUpper = sync.OnceValue(func() string { return syntaxQuote(changedBy(strings.ToUpper)) })
)

func (f folded) encode(dst []byte, v Value) ([]byte, *ValueError) {
	if !utf8.ValidString(v.text) {
		return dst, refuse(ErrInvalid, "text is not UTF-8", "")
	}
	return append(dst, f.fold(v.text)...), nil
}

func (folded) decode(text string) (Value, bool) { return Text(text), text != "" }

func (f folded) traits() traits {
	return traits{ordered: true, prefixes: true, width: 1, least: "\x00", rounding: "fold it with " + f.name}
}

func (f folded) language(s script) string { return s.anyText(f.changed()) }

// boolean writes 0 or 1.
type boolean struct{}

func (boolean) encode(dst []byte, v Value) ([]byte, *ValueError) {
	return append(dst, '0'+byte(v.num)), nil
}

func (boolean) decode(text string) (Value, bool) { return Bool(text == "1"), true }

func (boolean) traits() traits { return traits{ordered: true, lossless: true, width: 1} }

func (boolean) language(script) string { return "[01]" }

func (boolean) limits() (least, greatest Value) { return Bool(false), Bool(true) }

func (boolean) step(_ Value, dir int) Value { return Bool(dir > 0) }

// hexadecimal writes bytes as lowercase hex digits.
type hexadecimal struct{}

func (hexadecimal) encode(dst []byte, v Value) ([]byte, *ValueError) {
	const digits = "0123456789abcdef"
	for i := range len(v.text) {
		dst = append(dst, digits[v.text[i]>>4], digits[v.text[i]&15])
	}
	return dst, nil
}

func (hexadecimal) decode(text string) (Value, bool) {
	b, err := hex.DecodeString(text)
	return Bytes(b), err == nil && len(b) > 0
}

func (hexadecimal) traits() traits {
	return traits{ordered: true, lossless: true, prefixes: true, width: 2, least: "00"}
}

func (hexadecimal) language(script) string { return "(?:[0-9a-f]{2})+" }

// binary is the codec of a B attribute: the bytes unchanged.
type binary struct{}

func (binary) encode(dst []byte, v Value) ([]byte, *ValueError) { return append(dst, v.text...), nil }

func (binary) decode(text string) (Value, bool) { return Bytes([]byte(text)), text != "" }

func (binary) traits() traits {
	return traits{ordered: true, lossless: true, prefixes: true, width: 1, least: "\x00"}
}

func (binary) language(s script) string { return s.anyText("") }

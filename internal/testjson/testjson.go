// Package testjson writes items as DynamoDB JSON in every spelling that JSON allows, for tests of
// decoders.
package testjson

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Append appends an item in a random spelling: with whitespace, escapes and members in random
// order. Texts that are not UTF-8 are written unchanged.
func Append(r *rand.Rand, dst []byte, item map[string]types.AttributeValue) []byte {
	w := writer{r: r, out: dst}
	w.item(item)
	return w.out
}

// writer writes an item. Most texts have only the escapes that they need.
type writer struct {
	r   *rand.Rand
	out []byte
}

// token writes a token with whitespace around it.
func (w *writer) token(s string) {
	w.space()
	w.out = append(w.out, s...)
	w.space()
}

func (w *writer) space() {
	for w.r.IntN(8) == 0 {
		w.out = append(w.out, " \t\r\n"[w.r.IntN(4)])
	}
}

func (w *writer) item(item map[string]types.AttributeValue) {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.Sort(names)
	w.r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	w.token("{")
	for i, name := range names {
		if i > 0 {
			w.token(",")
		}
		w.text(name)
		w.token(":")
		w.attribute(item[name])
	}
	w.token("}")
}

func (w *writer) attribute(av types.AttributeValue) {
	switch tv := av.(type) {
	case *types.AttributeValueMemberS:
		w.member("S", func() { w.text(tv.Value) })
	case *types.AttributeValueMemberN:
		w.member("N", func() { w.text(tv.Value) })
	case *types.AttributeValueMemberB:
		w.member("B", func() { w.bytes(tv.Value) })
	case *types.AttributeValueMemberBOOL:
		w.member("BOOL", func() { w.token(strconv.FormatBool(tv.Value)) })
	case *types.AttributeValueMemberSS:
		w.member("SS", func() { list(w, tv.Value, w.text) })
	case *types.AttributeValueMemberNS:
		w.member("NS", func() { list(w, tv.Value, w.text) })
	case *types.AttributeValueMemberBS:
		w.member("BS", func() { list(w, tv.Value, w.bytes) })
	case *types.AttributeValueMemberL:
		w.member("L", func() { list(w, tv.Value, w.attribute) })
	case *types.AttributeValueMemberM:
		w.member("M", func() { w.item(tv.Value) })
	default:
		w.member("NULL", func() { w.token("true") })
	}
}

func (w *writer) member(name string, value func()) {
	w.token("{")
	w.text(name)
	w.token(":")
	value()
	w.token("}")
}

func list[E any](w *writer, elems []E, elem func(E)) {
	w.token("[")
	for i, e := range elems {
		if i > 0 {
			w.token(",")
		}
		elem(e)
	}
	w.token("]")
}

func (w *writer) bytes(b []byte) { w.text(base64.StdEncoding.EncodeToString(b)) }

// text writes a text. It escapes what must be escaped and, in some texts, random characters too.
func (w *writer) text(s string) {
	w.space()
	w.out = append(w.out, '"')
	rate := 1 << 30
	if w.r.IntN(6) == 0 {
		rate = 3
	}
	for i, c := range s {
		switch simple := escapeOf(c); {
		case c == '\ufffd':
			w.out = append(w.out, s[i]) // perhaps one byte that is not UTF-8
			if len(s) > i+2 && s[i:i+3] == "\ufffd" {
				w.out = append(w.out, s[i+1], s[i+2])
			}
		case simple != 0 && (c < ' ' || c == '"' || c == '\\' || w.r.IntN(rate) == 0) && w.r.IntN(3) > 0:
			w.out = append(w.out, '\\', simple)
		case c < ' ' || c == '"' || c == '\\' || w.r.IntN(rate) == 0:
			w.units(c)
		default:
			w.out = append(w.out, string(c)...)
		}
	}
	w.out = append(w.out, '"')
	w.space()
}

// escapeOf returns the letter of the short escape of a character, or 0.
func escapeOf(c rune) byte {
	for letter, escaped := range map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'} {
		if c == escaped {
			return letter
		}
	}
	return 0
}

// units writes the escapes of a character's UTF-16 code units.
func (w *writer) units(c rune) {
	for _, unit := range utf16.Encode([]rune{c}) {
		digits := strconv.FormatUint(uint64(unit)|1<<16, 16)[1:]
		if w.r.IntN(2) == 0 {
			digits = strings.ToUpper(digits)
		}
		w.out = append(append(w.out, `\u`...), digits...)
	}
}

package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trestledb/trestle/internal/keyspace"
)

// Format is a named format of a table's config: it defines how values become text. [Layout] makes
// one from a time layout.
type Format struct {
	// Kinds are the kinds of fields that the format accepts; none means every kind.
	Kinds []Kind
	// Encode returns the text of a value. The text is not empty and is UTF-8; it is escaped if the
	// template is. Distinct values may share a text only if the format drops precision. The text of
	// its error is not shown.
	Encode func(Value) (string, error)
	// Decode is the inverse of Encode and returns a value of the field's kind. It returns an error
	// if Encode cannot have written the text.
	Decode func(text string) (Value, error)
	// Ordered means that texts sort, byte by byte, as values do. A field of another format can only
	// be compared for equality.
	Ordered bool
	// Lossless means that Decode returns the exact value that Encode was called with.
	Lossless bool
	// Width is the length of every text in bytes; 0 means that texts differ in width.
	Width int
	// Alphabet holds the characters that texts consist of; empty means any.
	Alphabet string

	layout *layout
}

func (f Format) accepts(kind Kind) bool { return len(f.Kinds) == 0 || slices.Contains(f.Kinds, kind) }

func (f Format) complete() bool { return f.Encode != nil && f.Decode != nil && f.Width >= 0 }

func (f Format) codec(kind Kind) codec {
	if f.layout != nil {
		return *f.layout
	}
	return custom{f, kind}
}

// custom is the codec of a Format of the config.
type custom struct {
	Format
	kind Kind
}

func (c custom) encode(dst []byte, v Value) ([]byte, *ValueError) {
	text, err := c.Encode(v)
	if err != nil {
		invalid := newValueError(ErrInvalid, "the format returned an error", "")
		invalid.cause = &err
		return dst, invalid
	}
	if reason := c.check(text); reason != "" {
		return dst, newValueError(ErrInvalid, reason, "")
	}
	return append(dst, text...), nil
}

func (c custom) check(text string) (reason string) {
	switch {
	case text == "":
		return "the format returned no text"
	case !utf8.ValidString(text):
		return "the format returned text that is not UTF-8"
	case c.Width > 0 && len(text) != c.Width:
		return fmt.Sprintf("the format returned %s instead of %d", counted(len(text), "byte"), c.Width)
	case c.Alphabet != "" && strings.Trim(text, c.Alphabet) != "":
		return "the format returned a character that is not in its alphabet"
	}
	return ""
}

func (c custom) decode(text string) (Value, bool) {
	if c.check(text) != "" {
		return Value{}, false
	}
	v, err := c.Decode(text)
	return v, err == nil
}

func (c custom) properties() properties {
	return properties{ordered: c.Ordered, lossless: c.Lossless, minSize: max(1, c.Width), rounding: "round it as the format does"}
}

func (c custom) pattern(e keyspace.Encoding) string {
	if c.Alphabet == "" {
		return e.AnyText("")
	}
	class := e.OneOf(c.Alphabet)
	if c.Width > 0 && isASCII(c.Alphabet) && c.Width <= keyspace.MaxRepeat {
		return fmt.Sprintf("%s{%d}", class, c.Width)
	}
	return class + "+"
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

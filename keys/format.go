package keys

import (
	"maps"
	"slices"
	"strings"
)

// codec encodes and decodes the plain text of one format. Complements and escapes are applied
// afterwards.
type codec interface {
	// encode appends v, which is present and of the codec's kind.
	encode(dst []byte, v Value) ([]byte, *ValueError)
	// decode parses a text that encode may have written. The caller checks that the result encodes
	// to the same text.
	decode(text string) (Value, bool)
	traits() traits
	// language returns a regular expression for the texts that a segment can hold.
	language(s script) string
}

// neighbored is a codec whose values have a previous and a next value.
type neighbored interface {
	codec
	// step returns the value before (dir -1) or after (dir 1) v. The value v is exact and not the
	// last one in that direction.
	step(v Value, dir int) Value
}

// stepper is a codec with previous and next values, a least and a greatest value, and texts of one
// width.
type stepper interface {
	neighbored
	limits() (least, greatest Value)
}

type traits struct {
	ordered  bool   // texts sort as values do
	lossless bool   // decode returns the exact value
	prefixes bool   // an encoded prefix of a value is a prefix of the encoded value
	width    int    // minimum length of a text, in bytes
	least    string // smallest text, if known
	rounding string // how to make an operand fit
}

// fits lists the formats of each kind, for error texts.
var fits = map[Kind]string{
	KindText:  "no format at all, lower, upper",
	KindInt:   "08 (zero-padded to that width, not negative), ord, raw (not ordered)",
	KindUint:  "08 (zero-padded to that width), ord, raw (not ordered)",
	KindFloat: "ord",
	KindTime:  "ns, us, ms, s, unix, hour, day, month, year",
	KindBool:  "no format at all",
	KindBytes: "hex",
}

// resolve returns the codec of a placeholder by its kind and format. The reason is empty if there
// is one. The hint is computed only together with a reason, because it is expensive.
func (o *Options) resolve(kind Kind, format string) (c codec, reason, hint string) {
	if c := builtin(kind, format); c != nil {
		return c, "", ""
	}
	if named, ok := o.Formats[format]; ok && format != "" && named.accepts(kind) {
		return named.codec(kind), "", ""
	}
	return nil, o.misfit(kind, format), "formats that fit: " + fits[kind] + o.namedFor(kind)
}

// misfit returns why a format cannot be used for a kind.
func (o *Options) misfit(kind Kind, format string) string {
	_, named := o.Formats[format]
	switch {
	case format == "" && kind == KindTime:
		return "a time needs a format to sort"
	case format == "" && kind == KindBytes:
		return "bytes need a format"
	case format == "":
		return "a number needs a format to sort"
	case named || isBuiltin(format):
		return "the format does not write " + article(kind)
	}
	return "the format is not known"
}

func builtin(kind Kind, format string) codec {
	switch kind {
	case KindText:
		return textCodec(format)
	case KindInt, KindUint, KindFloat:
		return numberCodec(kind, format)
	case KindTime:
		return timeCodec(format)
	case KindBool:
		if format == "" {
			return boolean{}
		}
	case KindBytes:
		if format == "hex" {
			return hexadecimal{}
		}
	}
	return nil
}

// isBuiltin reports whether any kind has a built-in format of that name.
func isBuiltin(format string) bool {
	for kind := range fits {
		if builtin(kind, format) != nil {
			return true
		}
	}
	return false
}

func (o *Options) namedFor(kind Kind) string {
	var names strings.Builder
	for _, name := range slices.Sorted(maps.Keys(o.Formats)) {
		if o.Formats[name].accepts(kind) {
			names.WriteString(", " + name)
		}
	}
	return names.String()
}

func article(kind Kind) string {
	switch kind {
	case KindInt, KindUint:
		return "an integer"
	case KindText, KindBytes:
		return kind.String()
	}
	return "a " + kind.String()
}

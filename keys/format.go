package keys

import (
	"maps"
	"slices"
	"strings"
)

// codec writes and reads the plain text of one format: complements and escapes come after it.
type codec interface {
	// encode appends v, which is of the codec's kind and not absent.
	encode(dst []byte, v Value) ([]byte, *ValueError)
	// decode reads a text that encode may have written. The caller checks that it encodes to the same text again.
	decode(text string) (Value, bool)
	traits() traits
	// language is a regular expression of the texts that a segment can hold.
	language(s script) string
}

// neighbored is a codec whose values have neighbors.
type neighbored interface {
	codec
	// step returns the value before (dir -1) or after (dir 1) v, which is exact and not the last one there.
	step(v Value, dir int) Value
}

// stepper is a codec whose values have neighbors, and a least and a greatest one; all texts are equally wide.
type stepper interface {
	neighbored
	limits() (least, greatest Value)
}

type traits struct {
	ordered  bool   // texts sort as values do
	lossless bool   // decode gives back the value itself
	prefixes bool   // a part of a value, encoded, is where the encoded value starts
	width    int    // least number of bytes of a text
	least    string // the smallest text, where it is known
	rounding string // how an operand is made to fit
}

// fits lists the formats of each kind, for messages.
var fits = map[Kind]string{
	KindText:  "no format at all, lower, upper",
	KindInt:   "08 (zero-padded to that width, not negative), ord, raw (not ordered)",
	KindUint:  "08 (zero-padded to that width), ord, raw (not ordered)",
	KindFloat: "ord",
	KindTime:  "ns, us, ms, s, unix, hour, day, month, year",
	KindBool:  "no format at all",
	KindBytes: "hex",
}

// resolve finds the codec of a placeholder by its kind and format. The reason is empty where it is found; the hint costs something, and
// is made only for a reason.
func (o *Options) resolve(kind Kind, format string) (c codec, reason, hint string) {
	if c := builtin(kind, format); c != nil {
		return c, "", ""
	}
	if named, ok := o.Formats[format]; ok && format != "" && named.accepts(kind) {
		return named.codec(kind), "", ""
	}
	return nil, o.misfit(kind, format), "formats that fit: " + fits[kind] + o.namedFor(kind)
}

// misfit says why a format does not do for a kind.
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

// isBuiltin reports whether some kind has a built-in format of that name.
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

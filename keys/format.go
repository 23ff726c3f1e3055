package keys

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trestledb/trestle/internal/keyspace"
	"github.com/trestledb/trestle/internal/keysyntax"
)

// codec encodes and decodes the text of one format. Complements and escapes are applied afterwards.
type codec interface {
	// encode appends v, which is present and of the codec's kind.
	encode(dst []byte, v Value) ([]byte, *ValueError)
	// decode parses a text that encode may have written. The caller checks that the result encodes
	// to the same text.
	decode(text string) (Value, bool)
	properties() properties
	// pattern returns a regular expression for the texts that a segment can hold.
	pattern(e keyspace.Encoding) string
}

// discrete is a codec whose values have a previous and a next value.
type discrete interface {
	codec
	// step returns the value before (dir -1) or after (dir 1) v. The value v is exact and not the
	// last one in that direction.
	step(v Value, dir int) Value
}

// bounded is a discrete codec with a least and a greatest value, whose texts all have one size.
type bounded interface {
	discrete
	limits() (least, greatest Value)
}

type properties struct {
	ordered       bool        // texts sort as values do
	lossless      bool        // decode returns the exact value
	keepsPrefixes bool        // an encoded prefix of a value is a prefix of the encoded value
	minSize       int         // minimum size of a text in bytes
	least         string      // least text, if known
	rounding      string      // how to make an operand exact
	complement    *complement // of the digits, for desc; nil if the format has no desc
}

// format is a built-in format, or a group of formats such as 01 to 020.
type format struct {
	kinds []Kind
	name  string // as in a placeholder; for a group, an example
	group bool
	note  string // for lists of formats; may be empty
	// codec returns the codec. For a group it returns nil if the name is not of the group.
	codec func(kind Kind, name string) codec
}

var (
	textKinds    = []Kind{KindText}
	integerKinds = []Kind{KindInt, KindUint}
	numberKinds  = []Kind{KindInt, KindUint, KindFloat}
	timeKinds    = []Kind{KindTime}
)

// formats are the built-in formats, for each kind the most usual one first. A new format is one
// entry here and its codec. Names that begin with z are free for formats that write several fields
// as one text.
var formats = []format{
	{kinds: textKinds, codec: always(plain)},
	{kinds: textKinds, name: "lower", codec: always(lowerCase)},
	{kinds: textKinds, name: "upper", codec: always(upperCase)},
	{kinds: integerKinds, name: "08", group: true, note: "zero-padded to that width, not negative", codec: paddedCodec},
	{kinds: numberKinds, name: "ord", codec: func(kind Kind, _ string) codec { return ordinal{kind} }},
	{kinds: integerKinds, name: "raw", note: "not ordered", codec: func(kind Kind, _ string) codec { return decimal{kind} }},
	{kinds: timeKinds, name: "s", codec: always(newTimestamp(bySecond, secondLayout+"Z", clockPattern+"Z"))},
	{kinds: timeKinds, name: "ms", codec: always(fraction(byMilli, 3))},
	{kinds: timeKinds, name: "us", codec: always(fraction(byMicro, 6))},
	{kinds: timeKinds, name: "ns", codec: always(fraction(byNano, 9))},
	{kinds: timeKinds, name: "unix", codec: always(unix{seconds{padded{KindInt, 12}}})},
	{kinds: timeKinds, name: "hour", codec: always(newTimestamp(byHour, "2006-01-02T15", datePattern+"T"+hourPattern))},
	{kinds: timeKinds, name: "day", codec: always(newTimestamp(byDay, time.DateOnly, datePattern))},
	{kinds: timeKinds, name: "month", codec: always(newTimestamp(byMonth, "2006-01", yearPattern+"-"+monthPattern))},
	{kinds: timeKinds, name: "year", codec: always(newTimestamp(byYear, "2006", yearPattern))},
	{kinds: []Kind{KindBool}, codec: always(boolean{})},
	{kinds: []Kind{KindBytes}, name: "hex", codec: always(hexadecimal{})},
}

// always returns a constructor that always returns c.
func always(c codec) func(Kind, string) codec { return func(Kind, string) codec { return c } }

const (
	reservedInitial = "z" // of names of formats that may come
	noFormat        = "no format"
)

// resolve returns the codec of a placeholder by its kind and format. The reason is empty if there
// is one. The hint is computed only together with a reason, because it is expensive.
func (o *Options) resolve(kind Kind, name string) (c codec, reason, hint string) {
	if c := builtin(kind, name); c != nil {
		return c, "", ""
	}
	if f, ok := o.Formats[name]; ok && name != "" && f.accepts(kind) {
		return f.codec(kind), "", ""
	}
	return nil, o.whyNot(kind, name), "possible formats: " + strings.Join(o.possible(kind, false), ", ")
}

// whyNot returns why a kind does not have a format.
func (o *Options) whyNot(kind Kind, name string) string {
	_, custom := o.Formats[name]
	switch {
	case name == "" && kind == KindTime:
		return "a time needs a format to sort"
	case name == "" && kind == KindBytes:
		return "bytes need a format"
	case name == "":
		return "a number needs a format to sort"
	case custom || isBuiltin(name):
		return "the format cannot write " + article(kind)
	}
	return "the format is not known"
}

// builtin returns the codec of a built-in format, or nil if a kind has no such format.
func builtin(kind Kind, name string) codec {
	for i := range formats {
		if f := &formats[i]; (f.group || f.name == name) && slices.Contains(f.kinds, kind) {
			if c := f.codec(kind, name); c != nil {
				return c
			}
		}
	}
	return nil
}

// isBuiltin reports whether any kind has a built-in format of that name.
func isBuiltin(name string) bool {
	for kind := KindText; kind <= KindBytes; kind++ {
		if builtin(kind, name) != nil {
			return true
		}
	}
	return false
}

// formatsOf lists the formats of a kind: the built-in ones, then the custom ones by name.
func (o *Options) formatsOf(kind Kind) (list []format) {
	for _, f := range formats {
		if slices.Contains(f.kinds, kind) {
			list = append(list, f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Formats)) {
		if f := o.Formats[name]; f.accepts(kind) {
			list = append(list, format{name: name, codec: always(f.codec(kind))})
		}
	}
	return list
}

// possible lists the formats of a kind, or those that desc can follow.
func (o *Options) possible(kind Kind, desc bool) (list []string) {
	for _, f := range o.formatsOf(kind) {
		if desc && reverse(f.codec(kind, f.name)) == nil {
			continue
		}
		name := cmp.Or(f.name, noFormat)
		if f.note != "" {
			name += " (" + f.note + ")"
		}
		list = append(list, name)
	}
	return list
}

// usualFormat returns the format that suits most fields of a kind.
func (o *Options) usualFormat(kind Kind) string { return o.formatsOf(kind)[0].name }

// suggest returns the most similar format of a kind for an unknown format. It is empty if none is
// similar.
func (o *Options) suggest(kind Kind, name string) string {
	if _, custom := o.Formats[name]; custom || name == "" || isBuiltin(name) {
		return ""
	}
	if padded := "0" + name; builtin(kind, padded) != nil {
		return padded
	}
	var names []string
	for _, f := range o.formatsOf(kind) {
		if !f.group {
			names = append(names, f.name)
		}
	}
	return keysyntax.Closest(name, names...)
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

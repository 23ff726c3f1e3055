package schemadiff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/trestledb/trestle/schema/internal/schemadoc"
)

// timeFormats lists the key formats of times.
var timeFormats = []string{"s", "ms", "us", "ns", "hour", "day", "month", "year", "unix"}

const rfc3339Formats = 4 // the number of RFC 3339 formats, which come first

// textFormats lists the key formats of texts.
var textFormats = []string{"lower", "upper"}

// builtIn reports whether a format is one of the library.
func builtIn(format string) bool {
	_, padded := padding(format)
	return slices.Contains([]string{"raw", "ord", "hex"}, format) || padded ||
		slices.Contains(timeFormats, format) || slices.Contains(textFormats, format)
}

// padding returns the width of a format such as 08.
func padding(format string) (width int, ok bool) {
	digits, ok := strings.CutPrefix(format, "0")
	width, err := strconv.Atoi(digits)
	return width, ok && err == nil
}

// customFormat names the first custom format, or returns "".
func customFormat(formats ...string) string {
	for _, f := range formats {
		if name, _, _ := strings.Cut(f, ","); name != "" && !builtIn(name) {
			return "the format " + name
		}
	}
	return ""
}

// toKeyFormat returns the effect for a field that is now a key attribute with a format.
func (x conversion) toKeyFormat() effect {
	enc, dec := x.enc, x.dec
	custom := customFormat(enc.format, dec.format)
	switch {
	case !slices.Contains(x.is.Types, x.t):
		return effect{allUnreadable, ""}
	case dec.by != enc.by:
		return effect{methodDecides, "the methods of " + cmp.Or(x.is.GoType.Of, x.was.GoType.Of)}
	case custom != "" && enc.format+enc.kind != dec.format+dec.kind:
		return effect{methodDecides, custom}
	case enc.format == dec.format:
		return sameFormat(enc, dec)
	case slices.Contains(textFormats, dec.format):
		return effect{someUnreadable, "it is not in the format " + dec.format}
	case enc.format != "":
		return effect{misread, ""}
	case x.t == "N": // a time in seconds
		return fromNumber(numbers[enc.kind], dec.kind)
	}
	return toFormat(enc.kind, dec)
}

// sameFormat returns the effect for Go types with the same format.
func sameFormat(enc, dec coder) effect {
	was, is := numbers[enc.kind], numbers[dec.kind]
	switch {
	case enc.kind == dec.kind:
		return effect{}
	case isNumber(enc.kind) && isNumber(dec.kind) && was.fraction == is.fraction:
		return convertNumber(was.written(enc.format), dec.kind)
	default:
		return effect{misread, ""}
	}
}

// toFormat returns the effect for values that were stored as S without a format.
func toFormat(was string, dec coder) effect {
	i := slices.Index(timeFormats, dec.format)
	switch {
	case was == schemadoc.KindTime && (dec.kind != schemadoc.KindTime || i < 0 || i >= rfc3339Formats):
		return effect{allUnreadable, ""}
	case dec.format == "raw":
		return fromText(was, dec.kind)
	default:
		return effect{someUnreadable, "it is not in the format " + dec.format}
	}
}

// fromKeyFormat returns the effect for a field that was a key attribute and is now read without a
// format.
func (x conversion) fromKeyFormat() effect {
	enc, dec := x.enc, x.dec
	i := slices.Index(timeFormats, enc.format)
	_, padded := padding(enc.format)
	switch {
	case customFormat(enc.format) != "":
		return effect{methodDecides, customFormat(enc.format)}
	case x.t == "N":
		return fromNumber(numbers[enc.kind].written(enc.format), dec.kind)
	case slices.Contains(textFormats, enc.format):
		return fromText(schemadoc.KindString, dec.kind)
	case dec.kind == schemadoc.KindTime && i == 0:
		return effect{}
	case dec.kind == schemadoc.KindTime && i > 0 && i < rfc3339Formats:
		return effect{notMatched, ""}
	case dec.kind == schemadoc.KindTime:
		return effect{allUnreadable, ""}
	case isNumber(enc.kind) && (enc.format == "raw" || padded):
		e := convertNumber(numbers[enc.kind].written(enc.format), dec.kind)
		if padded && e.loss < notMatched {
			e.loss = notMatched
		}
		return e
	default:
		return effect{misread, ""}
	}
}

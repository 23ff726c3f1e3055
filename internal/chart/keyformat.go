package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// timeFormats lists the key formats of times.
var timeFormats = []string{"s", "ms", "us", "ns", "hour", "day", "month", "year", "unix"}

const rfc3339Formats = 4 // the number of RFC 3339 formats, which come first

// textFormats lists the key formats of texts.
var textFormats = []string{"lower", "upper"}

// built reports whether a format is built in.
func built(format string) bool {
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

// own returns the first custom format, or "".
func own(formats ...string) string {
	for _, f := range formats {
		if name, _, _ := strings.Cut(f, ","); name != "" && !built(name) {
			return "the format " + name
		}
	}
	return ""
}

// inFormat returns the effect for a field that is now a key attribute with a format.
func (x relation) inFormat() effect {
	w, r := x.w, x.r
	switch {
	case !slices.Contains(x.is.types, x.t):
		return effect{all, ""}
	case w == form{}:
		return effect{untold, ""}
	case r.by != w.by:
		return effect{unsure, "the methods of " + cmp.Or(x.is.goType.of, x.was.goType.of)}
	case own(w.format, r.format) != "" && w.format+w.kind != r.format+r.kind:
		return effect{unsure, own(w.format, r.format)}
	case w.format == r.format:
		return sameFormat(w, r)
	case slices.Contains(textFormats, r.format):
		return effect{some, "it is not as " + r.format + " writes it"}
	case w.format != "":
		return effect{mistaken, ""}
	case x.t == "N": // a time in seconds
		return number(numbers[w.kind], r.kind)
	}
	return toFormat(w.kind, r)
}

// sameFormat returns the effect for Go types with the same format.
func sameFormat(w, r form) effect {
	was, is := numbers[w.kind], numbers[r.kind]
	switch {
	case w.kind == r.kind:
		return effect{}
	case isNumber(w.kind) && isNumber(r.kind) && was.fraction == is.fraction:
		return numeric(was.written(w.format), r.kind)
	default:
		return effect{mistaken, ""}
	}
}

// toFormat returns the effect for values that were stored as S without a format.
func toFormat(was string, r form) effect {
	at := slices.Index(timeFormats, r.format)
	switch {
	case was == kindTime && (r.kind != kindTime || at < 0 || at >= rfc3339Formats):
		return effect{all, ""}
	case r.format == "raw":
		return text(was, r.kind)
	default:
		return effect{some, "it is not as " + r.format + " writes it"}
	}
}

// fromFormat returns the effect for a field that was a key attribute and is now read without a
// format.
func (x relation) fromFormat() effect {
	w, r := x.w, x.r
	at := slices.Index(timeFormats, w.format)
	_, padded := padding(w.format)
	switch {
	case own(w.format) != "":
		return effect{unsure, own(w.format)}
	case x.t == "N":
		return number(numbers[w.kind].written(w.format), r.kind)
	case slices.Contains(textFormats, w.format):
		return text(kindString, r.kind)
	case r.kind == kindTime && at == 0:
		return effect{}
	case r.kind == kindTime && at > 0 && at < rfc3339Formats:
		return effect{missed, ""}
	case r.kind == kindTime:
		return effect{all, ""}
	case isNumber(w.kind) && (w.format == "raw" || padded):
		e := numeric(numbers[w.kind].written(w.format), r.kind)
		if padded && e.loss < missed {
			e.loss = missed
		}
		return e
	default:
		return effect{mistaken, ""}
	}
}

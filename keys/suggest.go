package keys

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// wordFormats are the built-in formats whose names are words instead of widths.
var wordFormats = []string{"lower", "upper", "ord", "raw", "ns", "us", "ms", "s", "unix", "hour", "day", "month", "year", "hex"}

// meant returns the most similar format of a kind for an unknown format. It is empty if none is
// similar.
func (o *Options) meant(kind Kind, format string) string {
	if _, named := o.Formats[format]; named || format == "" || isBuiltin(format) {
		return ""
	}
	if padded := "0" + format; builtin(kind, padded) != nil {
		return padded
	}
	candidates := slices.DeleteFunc(slices.Concat(wordFormats, slices.Sorted(maps.Keys(o.Formats))), func(name string) bool {
		return builtin(kind, name) == nil && (isBuiltin(name) || !o.Formats[name].accepts(kind))
	})
	return nearest(format, candidates...)
}

// asked returns a hint that shows the placeholder with another format.
func (s *slot) asked(format string, desc bool) string {
	if desc {
		format += ",desc"
	}
	return "did you mean " + s.spelled(format) + "?"
}

func (s *slot) spelled(format string) string {
	if format == "" {
		return "<" + s.Name + ">"
	}
	return "<" + s.Name + ":" + format + ">"
}

// usual returns a format that suits most fields of a kind.
func usual(kind Kind) string {
	formats := []string{"", "08", "ord", "s", "hex"}
	return formats[slices.IndexFunc(formats, func(format string) bool { return builtin(kind, format) != nil })]
}

// nearest returns the first name that equals word if case is ignored, or else differs from it by
// one edit, or else is a prefix of it. It returns "" if there is none.
func nearest(word string, names ...string) string {
	const leastLength = 3 // shorter words are compared for equality only
	word = strings.ToLower(word)
	for _, slip := range []func(name string) bool{
		func(name string) bool { return word == name },
		func(name string) bool { return min(len(word), len(name)) >= leastLength && oneEdit(word, name) },
		func(name string) bool { return len(name) >= leastLength && strings.HasPrefix(word, name) },
	} {
		if i := slices.IndexFunc(names, func(name string) bool { return slip(strings.ToLower(name)) }); i >= 0 {
			return names[i]
		}
	}
	return ""
}

// oneEdit reports whether inserting, deleting or replacing one rune, or swapping two adjacent
// runes, turns a into b.
func oneEdit(a, b string) bool {
	for a != "" && b != "" {
		r, size := utf8.DecodeRuneInString(a)
		other, otherSize := utf8.DecodeRuneInString(b)
		if r != other {
			break
		}
		a, b = a[size:], b[otherSize:]
	}
	x, y := []rune(a), []rune(b)
	switch {
	case len(x) == len(y)+1:
		return slices.Equal(x[1:], y)
	case len(y) == len(x)+1:
		return slices.Equal(x, y[1:])
	case len(x) != len(y) || len(x) == 0:
		return false
	}
	swapped := len(x) > 1 && x[0] == y[1] && x[1] == y[0] && slices.Equal(x[2:], y[2:])
	return swapped || slices.Equal(x[1:], y[1:])
}

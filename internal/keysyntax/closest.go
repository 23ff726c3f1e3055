package keysyntax

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Closest returns the first name that equals word if case is ignored, or else differs from it by
// one edit, or else is a prefix of it. It returns "" if there is none.
func Closest(word string, names ...string) string {
	const minLength = 3 // shorter words are compared for equality only
	word = strings.ToLower(word)
	for _, similar := range []func(name string) bool{
		func(name string) bool { return word == name },
		func(name string) bool { return min(len(word), len(name)) >= minLength && oneEdit(word, name) },
		func(name string) bool { return len(name) >= minLength && strings.HasPrefix(word, name) },
	} {
		if i := slices.IndexFunc(names, func(name string) bool { return similar(strings.ToLower(name)) }); i >= 0 {
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

package keysyntax

import (
	"slices"
	"strings"

	"github.com/trestledb/trestle/internal/tag"
)

// Closest returns the first name that equals word if case is ignored, or else differs from it by
// one edit, or else is a prefix of it. It returns "" if there is none.
func Closest(word string, names ...string) string {
	const minLength = 3 // shorter words are compared for equality only
	word = strings.ToLower(word)
	for _, similar := range []func(name string) bool{
		func(name string) bool { return word == name },
		func(name string) bool { return min(len(word), len(name)) >= minLength && tag.Distance(word, name) == 1 },
		func(name string) bool { return len(name) >= minLength && strings.HasPrefix(word, name) },
	} {
		if i := slices.IndexFunc(names, func(name string) bool { return similar(strings.ToLower(name)) }); i >= 0 {
			return names[i]
		}
	}
	return ""
}

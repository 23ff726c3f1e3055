package tag

import (
	"strings"
	"unicode"
)

// Suggest returns the word that was probably meant: the nearest one, if it is near enough, and the earliest of equally near ones.
// Case, hyphens and underscores count for little, an adjacent swap counts once, and the beginning of a word is near to it.
func Suggest(word string, among []string) string {
	best, least := "", limit(word)+1
	for _, candidate := range among {
		if d := cost(word, candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// limit is how many edits away a word may be to be taken for a misspelling.
func limit(word string) int { return min(2, (len(word)+1)/3) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func cost(word, candidate string) int {
	a, b := fold(word), fold(candidate)
	switch {
	case string(a) == string(b):
		return 0
	case len(a) >= 3 && strings.HasPrefix(string(b), string(a)):
		return 1
	}
	return Distance(string(a), string(b))
}

// fold drops what people forget: case and the marks between words.
func fold(word string) []rune {
	folded := make([]rune, 0, len(word))
	for _, r := range word {
		if r != '_' && r != '-' && r != ' ' {
			folded = append(folded, unicode.ToLower(r))
		}
	}
	return folded
}

// Distance counts the edits between two words: insertions, deletions, substitutions and swaps of neighbors.
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+boolInt(s[i] != t[j]))
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}

package tag

import (
	"strings"
	"unicode"
)

// Suggest returns the word of among that was probably intended, or "" if none is similar enough. It
// returns the first of several equally similar words. It ignores case, hyphens and underscores. A
// swap of adjacent letters counts as one edit, and so does a missing rest of a word.
func Suggest(word string, among []string) string {
	best, least := "", maxEdits(word)+1
	for _, candidate := range among {
		if d := editCost(word, candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// maxEdits returns the maximum number of edits of a misspelled word.
func maxEdits(word string) int { return min(2, (len(word)+1)/3) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func editCost(word, candidate string) int {
	a, b := fold(word), fold(candidate)
	switch {
	case string(a) == string(b):
		return 0
	case len(a) >= 3 && strings.HasPrefix(string(b), string(a)):
		return 1
	}
	return Distance(string(a), string(b))
}

// fold drops what users often get wrong: case, and the characters between words.
func fold(word string) []rune {
	folded := make([]rune, 0, len(word))
	for _, r := range word {
		if r != '_' && r != '-' && r != ' ' {
			folded = append(folded, unicode.ToLower(r))
		}
	}
	return folded
}

// Distance returns the number of edits between two words: insertions, deletions, substitutions and
// swaps of adjacent runes.
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

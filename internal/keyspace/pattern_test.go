package keyspace

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
)

// TestDigitRange checks that the pattern of a range matches exactly the numbers in the range.
func TestDigitRange(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	for _, base := range []string{"%03d", "%02x"} {
		limit := map[string]int{"%03d": 1000, "%02x": 256}[base]
		for range 100 {
			lo := r.IntN(limit)
			hi := lo + r.IntN(limit-lo)
			from, to := fmt.Sprintf(base, lo), fmt.Sprintf(base, hi)
			if base == "%02x" && !strings.ContainsAny(from+to, "abcdef") {
				continue // DigitRange would treat both as decimal
			}
			pattern := regexp.MustCompile("^(?:" + DigitRange(from, to) + ")$")
			for n := range limit {
				require.Equal(t, lo <= n && n <= hi, pattern.MatchString(fmt.Sprintf(base, n)), "%s to %s: %d", from, to, n)
			}
		}
	}
}

// TestInterval checks that the automaton of an interval accepts exactly the texts in the interval.
func TestInterval(t *testing.T) {
	t.Parallel()
	texts := everyText(3)
	r := testrand.New(t)
	for range 2000 {
		lo, hi, text := texts[r.IntN(len(texts))], texts[r.IntN(len(texts))], texts[r.IntN(len(texts))]
		if r.IntN(3) == 0 {
			hi = lo + hi
		}
		if lo > hi {
			lo, hi = hi, lo
		}
		just := &interval{lo: []rune(text), hi: []rune(text)}
		_, ok := sharedText(&interval{lo: []rune(lo), hi: []rune(hi)}, just)
		require.Equal(t, lo <= text && text <= hi, ok, "%q to %q: %q", lo, hi, text)
		_, ok = sharedText(anyText, just)
		require.True(t, ok)
	}
}

// TestSharedRune checks that sharedRune finds a rune if there is one, and never returns a
// surrogate.
func TestSharedRune(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x, y []rune
		want rune
		ok   bool
	}{
		{[]rune{surrogateMin, 0xE001}, []rune{0xD000, 0xE000}, 0xE000, true},
		{[]rune{surrogateMin, surrogateMax}, []rune{0, unicode.MaxRune}, 0, false},
		{[]rune{0, '~'}, []rune{'c', unicode.MaxRune}, 'c', true},
		{[]rune{0, ' '}, []rune{' ', unicode.MaxRune}, ' ', true},
		{[]rune{'1', '9', 'b', 'z'}, []rune{'5', '7', 'x', 'y'}, '5', true},
		{[]rune{'c', 'd'}, []rune{'e', 'f'}, 0, false},
	} {
		r, ok := sharedRune(c.x, c.y)
		require.Equal(t, c.ok, ok)
		require.True(t, !ok || r == c.want, "%q", r)
	}
}

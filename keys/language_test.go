package keys

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/internal/testrand"
)

// TestDatePattern checks that the pattern of dates matches exactly the valid dates.
func TestDatePattern(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile("^" + datePattern + "$")
	for _, year := range []int{0, 1, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9996, 9999} {
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				_, err := time.Parse(time.DateOnly, text)
				require.Equal(t, err == nil, pattern.MatchString(text), text)
			}
		}
	}
}

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
				continue // digitRange would treat both as decimal
			}
			pattern := regexp.MustCompile("^(?:" + digitRange(from, to) + ")$")
			for n := range limit {
				require.Equal(t, lo <= n && n <= hi, pattern.MatchString(fmt.Sprintf(base, n)), "%s to %s: %d", from, to, n)
			}
		}
	}
}

// TestFolds checks that folding is idempotent and that the class of changed runes is complete.
func TestFolds(t *testing.T) {
	t.Parallel()
	for _, fold := range []func(string) string{strings.ToLower, strings.ToUpper} {
		changed := map[rune]bool{}
		for _, r := range changedBy(fold) {
			changed[r] = true
		}
		wrong := 0
		for r := rune(0); r <= unicode.MaxRune; r++ {
			text := string(r)
			once := fold(text)
			if once != fold(once) || changed[r] != (once != text) {
				wrong++
			}
		}
		require.Zero(t, wrong)
	}
}

// TestLanguages checks that the language of a template contains every key that the template
// renders, including descending ones.
func TestLanguages(t *testing.T) {
	t.Parallel()
	at := Time(time.Date(2024, 2, 29, 23, 59, 58, 123456789, time.UTC))
	for format, v := range map[string]Value{
		"08": Int(42), "08,desc": Int(42), "ord": Int(-42), "ord,desc": Float(-4.2), "raw": Int(-42), "020": Uint(1<<64 - 1),
		"ns": at, "us,desc": at, "ms": at, "s,desc": at, "hour": at, "day,desc": at, "month": at, "year,desc": at, "unix": at, "unix,desc": at,
		"": Text("a b#c$\U0010ffff"), "lower": Text("Åb #"), "upper": Text("åb #"), "hex": Bytes([]byte("\x00\xff")),
	} {
		template, err := Compile("K#<x:"+format+">", Options{Kind: func(string) (Kind, bool) { return v.Kind(), true }})
		if format == "" {
			template, err = Compile("K#<x>", Options{})
		}
		require.NoError(t, err)
		key, err := template.Render(v)
		require.NoError(t, err)
		just := &interval{lo: []rune(key), hi: []rune(key)}
		found, ok := shared(template.language(), just)
		require.True(t, ok && found == key, "%s: %q", format, key)
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
		_, ok := shared(&interval{lo: []rune(lo), hi: []rune(hi)}, just)
		require.Equal(t, lo <= text && text <= hi, ok, "%q to %q: %q", lo, hi, text)
		_, ok = shared(&interval{open: true}, just)
		require.True(t, ok)
	}
}

// TestCommon checks that common finds a rune if there is one, and never returns a surrogate.
func TestCommon(t *testing.T) {
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
		r, ok := common(c.x, c.y)
		require.Equal(t, c.ok, ok)
		require.True(t, !ok || r == c.want, "%q", r)
	}
}

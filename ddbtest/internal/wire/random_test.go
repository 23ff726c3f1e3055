package wire_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/ddbtest/internal/value"
	"github.com/trestledb/trestle/internal/testrand"
)

// newRandom returns a random source and logs its seed.
func newRandom(t *testing.T) *rand.Rand {
	return testrand.New(t)
}

// pieces are letters, and strings with a special meaning in JSON.
var pieces = []string{
	"a", "b", "Z", "0", " ", "\"", "\\", "/", "\b", "\f", "\n", "\r", "\t", "\x00", "\x1f", "\x7f", "<", ">", "&", "'",
	"é", "ß", "\u2028", "\u2029", "日本", "\U0001F600", "\U0010FFFF", "{", "}", "[", "]", ":", ",", "null", "S", "\\u0041",
}

func randomText(r *rand.Rand) string {
	var text strings.Builder
	for range r.IntN(8) {
		text.WriteString(pieces[r.IntN(len(pieces))])
	}
	return text.String()
}

func randomBytes(r *rand.Rand) string {
	b := make([]byte, r.IntN(10))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

// randomNumber returns a number with up to 38 digits anywhere in the range.
func randomNumber(r *rand.Rand) decimal.Decimal {
	digits := make([]byte, 1+r.IntN(38))
	for i := range digits {
		digits[i] = byte('0' + r.IntN(10))
	}
	exponent := r.IntN(88)
	text := string(digits)
	switch r.IntN(4) {
	case 0:
		text = "-" + text
	case 1:
		text = "0." + strings.Repeat("0", exponent) + text
	case 2:
		text += strings.Repeat("0", exponent)
	}
	n, err := decimal.Parse(text)
	if err != nil {
		panic(err)
	}
	return n
}

// randomValue returns a value of any type with at most that many levels.
func randomValue(r *rand.Rand, levels int) value.Value {
	kinds := 8
	if levels > 1 {
		kinds = 12
	}
	switch r.IntN(kinds) {
	case 0, 1:
		return value.String(randomText(r))
	case 2:
		return value.Number{Decimal: randomNumber(r)}
	case 3:
		return value.Binary(randomBytes(r))
	case 4:
		return value.Bool(r.IntN(2) == 0)
	case 5:
		return value.Null{}
	case 6, 7:
		return randomSet(r)
	case 8, 9:
		list := make(value.List, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, levels-1)
		}
		return list
	}
	return randomMap(r, levels-1)
}

func randomMap(r *rand.Rand, levels int) value.Map {
	m := make(value.Map, r.IntN(5))
	for i := range m {
		m[i] = value.Attribute{Name: "n" + randomText(r), Value: randomValue(r, levels)}
	}
	return value.MapOf(m...)
}

func randomSet(r *rand.Rand) value.Value {
	n := 1 + r.IntN(4)
	switch r.IntN(3) {
	case 0:
		if set, ok := value.NewStringSet(several(n, func() string { return randomText(r) })); ok {
			return set
		}
	case 1:
		if set, ok := value.NewNumberSet(several(n, func() decimal.Decimal { return randomNumber(r) })); ok {
			return set
		}
	default:
		if set, ok := value.NewBinarySet(several(n, func() string { return randomBytes(r) })); ok {
			return set
		}
	}
	return randomSet(r)
}

func several[E any](n int, one func() E) []E {
	elements := make([]E, n)
	for i := range elements {
		elements[i] = one()
	}
	return elements
}

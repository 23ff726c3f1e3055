package decimal_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
)

// parse parses a valid number.
func parse(tb testing.TB, text string) decimal.Decimal {
	tb.Helper()
	d, err := decimal.Parse(text)
	require.NoError(tb, err, "%q", text)
	return d
}

var grammar = regexp.MustCompile(`^([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?$`)

// plain is the oracle of Parse and String: it formats a number's text as in replies, with
// arbitrary-precision integers.
func plain(text string) (string, error) {
	parts := grammar.FindStringSubmatch(text)
	if parts == nil {
		return "", decimal.ErrSyntax
	}
	exponent := new(big.Int)
	if parts[5] != "" {
		exponent.SetString(parts[5], 10)
	}
	if !exponent.IsInt64() {
		return "", decimal.ErrSyntax
	}
	fraction := parts[3] + parts[4]
	digits := strings.TrimLeft(parts[2]+fraction, "0")
	place := new(big.Int).Sub(exponent, big.NewInt(int64(len(fraction)))) // of the last digit
	trimmed := strings.TrimRight(digits, "0")
	place.Add(place, big.NewInt(int64(len(digits)-len(trimmed))))
	if len(trimmed) > 38 {
		return "", decimal.ErrPrecision
	}
	if trimmed == "" {
		return "0", nil
	}
	magnitude := new(big.Int).Add(place, big.NewInt(int64(len(trimmed)-1)))
	switch {
	case magnitude.Cmp(big.NewInt(125)) > 0:
		return "", decimal.ErrOverflow
	case magnitude.Cmp(big.NewInt(-130)) < 0:
		return "", decimal.ErrUnderflow
	}
	sign := ""
	if parts[1] == "-" {
		sign = "-"
	}
	return sign + plainDigits(trimmed, int(place.Int64())), nil
}

// plainDigits writes digits, the last of which has the power of ten place.
func plainDigits(digits string, place int) string {
	if place >= 0 {
		return digits + strings.Repeat("0", place)
	}
	digits = strings.Repeat("0", max(1-place-len(digits), 0)) + digits
	return digits[:len(digits)+place] + "." + digits[len(digits)+place:]
}

// rational is the oracle of order and arithmetic.
func rational(d decimal.Decimal) *big.Rat {
	r, _ := new(big.Rat).SetString(d.String())
	return r
}

// fits returns the text of a rational number, or an error if it is not a valid number.
func fits(r *big.Rat) (string, error) {
	// No sum of two valid numbers has more than 167 digits after the point.
	return plain(r.FloatString(170))
}

// number returns a random number of any magnitude, most near 1.
func number(r *rand.Rand) decimal.Decimal {
	magnitude := r.IntN(40) - 20
	switch r.IntN(8) {
	case 0:
		magnitude = r.IntN(256) - 130
	case 1:
		magnitude = 125 - r.IntN(3)
	case 2:
		magnitude = -130 + r.IntN(3)
	}
	return numberAt(r, magnitude)
}

// numberAt returns a random number of any number of digits, with runs of zeros and nines. Its first
// digit has the power of ten magnitude.
func numberAt(r *rand.Rand, magnitude int) decimal.Decimal {
	digits := make([]byte, 1+r.IntN(38))
	if r.IntN(2) == 0 {
		digits = digits[:1+r.IntN(min(4, len(digits)))]
	}
	alphabet := []string{"0123456789", "09", "01", "9"}[r.IntN(4)]
	for i := range digits {
		digits[i] = alphabet[r.IntN(len(alphabet))]
	}
	sign := []string{"", "-"}[r.IntN(2)]
	text := sign + string(digits[:1]) + "." + string(digits[1:]) + "E" + strconv.Itoa(magnitude)
	d, _ := decimal.Parse(text) // with a leading 0 it may be too small: then d is 0
	return d
}

// numbers returns n random numbers, some of them close to each other. The first two are so close
// that no float tells them apart. The others are compared with them.
func numbers(r *rand.Rand, n int) []decimal.Decimal {
	made := append(make([]decimal.Decimal, 0, n), decimal.FromInt(math.MaxInt64), decimal.FromInt(math.MaxInt64-1))
	for len(made) < n {
		d := number(r)
		made = append(made, d)
		for _, step := range []decimal.Decimal{number(r), decimal.FromInt(1), d} {
			if near, err := d.Sub(step); err == nil && len(made) < n {
				made = append(made, near)
			}
		}
	}
	return made
}

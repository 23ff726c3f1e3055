package decimal_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trestledb/trestle/ddbtest/internal/decimal"
	"github.com/trestledb/trestle/internal/testrand"
	"github.com/trestledb/trestle/internal/testsize"
)

func zeros(n int) string { return strings.Repeat("0", n) }

const (
	most  = "9.9999999999999999999999999999999999999E+125"
	least = "1E-130"
)

func TestParseSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"0", "0"}, {"-0", "0"}, {"+0", "0"}, {"-0.0", "0"}, {"00", "0"}, {"0e5", "0"}, {"0.0e3", "0"}, {"0e-5", "0"},
		{"0e125", "0"}, {"0e-130", "0"}, {"0.0e126", "0"}, {"0.e125", "0"}, {"0e126", "0"}, {"-00e126", "0"}, {"0.0e127", "0"}, {"0e1000", "0"},
		{"0E-5000", "0"}, {"0e-131", "0"}, {"0." + zeros(131) + "e-1", "0"}, {"-0e9223372036854775807", "0"}, {"0e-9223372036854775808", "0"}, {zeros(500), "0"}, {"0." + zeros(500), "0"},
		{"1", "1"}, {"+5", "5"}, {"-5", "-5"}, {".5", "0.5"}, {"-.5", "-0.5"}, {"5.", "5"}, {"5.e3", "5000"}, {"007", "7"}, {"00042", "42"},
		{"1.0", "1"}, {"1.50", "1.5"}, {"3.1400", "3.14"}, {"100.000", "100"}, {"0.10", "0.1"}, {"001.23", "1.23"}, {"0042.1200", "42.12"},
		{"1e5", "100000"}, {"1E5", "100000"}, {"1E+5", "100000"}, {"1e05", "100000"}, {"1E0", "1"}, {"1.5E2", "150"}, {"-3e2", "-300"},
		{"1e-3", "0.001"}, {"123e-2", "1.23"}, {"1.23e-1", "0.123"}, {"1.0e-1", "0.1"}, {"-17.4E37", "-174" + zeros(36)},
		{"1e" + zeros(40) + "5", "100000"}, {"1e-" + zeros(40) + "5", "0.00001"},
		{zeros(500) + "1", "1"}, {"1." + zeros(500), "1"}, {"1" + zeros(500) + "e-500", "1"}, {"0." + zeros(500) + "1e501", "1"},
		{"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
		{"-1234567890.1234567890123456789012345678", "-1234567890.1234567890123456789012345678"},
		{"123456789012345678901234567890123456780000", "123456789012345678901234567890123456780000"},
		{"1e125", "1" + zeros(125)}, {"0.1e126", "1" + zeros(125)}, {most, strings.Repeat("9", 38) + zeros(88)}, {"-" + most, "-" + strings.Repeat("9", 38) + zeros(88)},
		{least, "0." + zeros(129) + "1"}, {"10e-131", "0." + zeros(129) + "1"},
		{"1.234567890123456789012345678901234567e-130", "0." + zeros(129) + "1234567890123456789012345678901234567"},
	} {
		d, err := decimal.Parse(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, d.String(), c.text)
		require.Equal(t, "x"+c.want, string(d.AppendTo([]byte("x"))), c.text)
		again, err := decimal.Parse(c.want)
		require.NoError(t, err)
		require.Equal(t, d, again, "one number has one representation")
	}
}

func TestParseRejects(t *testing.T) {
	t.Parallel()
	for want, texts := range map[error][]string{
		decimal.ErrSyntax: {
			"", " ", " 1", "1 ", "\t1", "1\n", "1 000", "NaN", "-NaN", "Infinity", "-Infinity", "dog", "0x10", "1_000", "1,000", "1d", "1f", "1L", "½",
			".", "+", "-", "+.", "--5", "+-5", "5-", "1.2.3", "..5", ".e3", "e5", "1e", "1e+", "1e5.0", "1e+-5", "1e 5", "1e5e5", "1ee5", "1e5x", "1\x00",
			"1e9223372036854775808", "1e-9223372036854775809", "0e99999999999999999999", "1e999999999999999999999", "1e18446744073709551621",
		},
		decimal.ErrPrecision: {
			"123456789012345678901234567890123456789", "3.14159265358979323846264338327950288419", "-1" + zeros(37) + "1", "1" + zeros(200) + "." + zeros(200) + "1",
			"9.99999999999999999999999999999999999999E+126",
		},
		decimal.ErrOverflow: {
			"1e126", "-1e126", "11e125", "1" + zeros(126), "1e2147483647", "1e2147483648", "1e4294967296", "1e99999999999",
			"-1e99999999999", "1e9223372036854775807", "0.001e9223372036854775807",
		},
		decimal.ErrUnderflow: {
			"1e-131", "-1e-131", "0.9e-130", "1e-2147483648", "1e-99999999999", "1e-9223372036854775808", "123e-9223372036854775808",
		},
	} {
		for _, text := range texts {
			_, err := decimal.Parse(text)
			require.ErrorIs(t, err, want, text)
		}
	}
}

// parser is Parse followed by String.
type parser func(text string) (string, error)

func parseExactly(text string) (string, error) {
	d, err := decimal.Parse(text)
	if err != nil {
		return "", err
	}
	return d.String(), nil
}

// parseFloat is the naive parser.
func parseFloat(text string) (string, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", decimal.ErrSyntax
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

func checkParser(parse parser, text string) error {
	got, err := parse(text)
	want, wantErr := plain(text)
	if got != want || err != wantErr { //nolint:errorlint // the sentinels themselves are what both return
		return fmt.Errorf("%q is %q, %w; want %q, %w", text, got, err, want, wantErr)
	}
	return nil
}

func TestParseRandom(t *testing.T) {
	t.Parallel()
	r := testrand.New(t)
	outcomes := map[error]int{}
	float := 0
	runs := testsize.Pick(10_000, 40_000, 500_000)
	for range runs {
		text := spelling(r)
		require.NoError(t, checkParser(parseExactly, text))
		if checkParser(parseFloat, text) != nil {
			float++
		}
		_, err := plain(text)
		outcomes[err]++
	}
	for _, outcome := range []error{nil, decimal.ErrSyntax, decimal.ErrPrecision, decimal.ErrOverflow, decimal.ErrUnderflow} {
		require.Greater(t, outcomes[outcome], runs/100, "%v must come up", outcome)
	}
	require.Greater(t, float, runs/10, "the negative control: floating point")
}

// spelling returns a text that is a number, or nearly one.
func spelling(r *rand.Rand) string {
	if r.IntN(8) == 0 {
		noise := make([]byte, r.IntN(8))
		for i := range noise {
			noise[i] = "0123456789..eE+- "[r.IntN(17)]
		}
		return string(noise)
	}
	digits := func(most int, alphabet string) string {
		s := make([]byte, r.IntN(most+1))
		for i := range s {
			s[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(s)
	}
	text := []string{"", "", "+", "-"}[r.IntN(4)]
	text += digits(3, "0") + digits(21, "0123456789") + digits(1, ".") + digits(5, "0") + digits(20, "0123456789") + digits(9, "0")
	switch r.IntN(4) {
	case 0:
		text += "e" + strconv.Itoa(r.IntN(40)-20)
	case 1:
		text += "E" + strconv.Itoa(r.IntN(400)-200)
	case 2:
		text += fmt.Sprintf("e%+03d", r.IntN(12)-6)
	}
	return text
}

// Parsing takes time linear in the length of the text, whatever the exponent.
func TestParseHuge(t *testing.T) {
	n := testsize.Pick(200_000, 5_000_000, 100_000_000)
	for _, text := range []string{
		"1" + zeros(n) + "e-" + strconv.Itoa(n),
		"0." + zeros(n) + "1e" + strconv.Itoa(n+1),
		zeros(n) + "1." + zeros(n),
	} {
		allocated := testing.AllocsPerRun(1, func() {
			d, err := decimal.Parse(text)
			if err != nil || d != decimal.FromInt(1) {
				t.Error("not 1")
			}
		})
		require.Zero(t, allocated)
	}
	_, err := decimal.Parse(strings.Repeat("1", n))
	require.ErrorIs(t, err, decimal.ErrPrecision)
	_, err = decimal.Parse("1e" + strings.Repeat("1", n))
	require.ErrorIs(t, err, decimal.ErrSyntax)
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0", "-12.50", ".5e-3", "1" + zeros(126), most, least, "1e9223372036854775808", "0e126", "1e+"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		require.NoError(t, checkParser(parseExactly, text))
	})
}
